/** Finds names, commands, options and words that may be the answer. */

import {
  identifierSpans,
  nameSpans,
  personSpans,
  quotedSpans,
  type TextSpan,
} from '../../language/english/values/spans.ts';
import { termOf } from '../../language/english/words/terms.ts';
import { CLEAR, defaultsOf, type Found, LIKELY, type Place, POSSIBLE, plain } from './candidate.ts';

const BY =
  /\b(?:by|author|authors|maintainer|maintainers|creator|founder|from|after|copyright.{0,24})\W*$/iu;
export const personsIn = ({ unit: { text } }: Place): Found[] =>
  personSpans(text).map(({ text: name, start }) =>
    plain(name, start, BY.test(text.slice(0, start)) ? CLEAR : POSSIBLE),
  );

/** The title of a manual page of a command: "npm-prune(1) - Remove packages". */
const PAGE = /^[a-z][\w.+-]*(?=\([168]\w*\))/u;

/**
 * Commands have manual pages, stand in lines of code, behind a prompt, or as quoted words. Words
 * tell no command from its description: it has an option, or its program is what the section is
 * about.
 */
export const commandsIn = (place: Place): Found[] => [
  ...(PAGE.exec(place.section.document.title) ?? []).map(page => plain(page, 0, LIKELY)),
  ...statedCommands(place),
];

function statedCommands({ unit: { text, kind }, section: { place } }: Place): Found[] {
  const runs = (words: string): boolean => {
    const [program, ...more] = words.split(/\s+/u);
    const isNamed = /^[a-z][\w./-]*$/u.test(program!) && more.length > 0;
    return isNamed && (more.some(word => /^--?\w/u.test(word)) || place.has(termOf(program!)));
  };
  if (kind !== 'code')
    return quotedSpans(text)
      .filter(({ text: quoted }) => runs(quoted))
      .map(span => plain(span.text, span.start, CLEAR));
  return text.split('\n').flatMap((line, at) => {
    const command = line.replace(/^\s*(?:\$|>|#)?\s*/u, '').trimEnd();
    const isPrompted = /^\s*\$\s*[a-z]/u.test(line);
    if (!isPrompted && (!runs(command) || /[=(){};]/u.test(command))) return [];
    return [plain(command, at, isPrompted ? CLEAR : LIKELY)];
  });
}

/** Words in capitals are names of variables and keywords, and abbreviations elsewhere. */
const IN_CAPITALS = /\b(?:variable|keyword|constant|macro)s?\b/iu;
/** Options of programs that are run. */
const SWITCHES = /\b(?:flag|switch)(?:es|s)?\b/iu;

/** Names of options: the identifier that heads the section or the block, or stands in it. */
export function optionsIn({ asked, unit: { text, kind }, section }: Place): Found[] {
  const fits = ({ text: name }: TextSpan): boolean => {
    if (SWITCHES.test(asked.noun)) return name.startsWith('-');
    if (/\benvironment\b/iu.test(asked.noun)) return /^[A-Z][A-Z\d_]{2,}$/u.test(name);
    return IN_CAPITALS.test(asked.noun) || !/^\p{Lu}+$/u.test(name);
  };
  const named = (words: string): TextSpan[] => identifierSpans(words).filter(fits);
  const head = section.heading.at(-1) ?? '';
  const word = { text: head, start: 0, end: head.length };
  // A word with a capital may be any title: "Overview".
  const [name] = /^[-a-z\d.@/_][-\w.@/]*$/u.test(head) && fits(word) ? [word] : named(head);
  const blockTerm =
    kind === 'option' || kind === 'definition' ? named(text).filter(({ start }) => start < 3) : [];
  return [
    ...(name ? [plain(name.text, 0, CLEAR)] : []),
    ...blockTerm.map(span => plain(span.text, span.start, CLEAR)),
    ...named(text).map(span => plain(span.text, span.start, kind === 'code' ? POSSIBLE : LIKELY)),
  ];
}

/** Words: defaults, quoted values, identifiers and names. */
export function valuesIn({ unit: { text, kind } }: Place): Found[] {
  const defaults = defaultsOf({ text, kind });
  const spans = [...quotedSpans(text), ...identifierSpans(text), ...nameSpans(text)];
  return [
    ...defaults,
    ...spans
      .filter(({ start }) => !defaults.some(value => Math.abs(value.start - start) < 2))
      .map(({ text: span, start }) => plain(span, start, kind === 'code' ? 0.2 : POSSIBLE)),
  ];
}
