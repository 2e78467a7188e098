/** Finds names, commands, options, definitions, lists and words that may be the answer. */

import {
  complementAt,
  identifierSpans,
  listSpans,
  nameSpans,
  personSpans,
  quotedSpans,
} from '../../language/english/values/spans.ts';
import { termOf, termsOf } from '../../language/english/words/terms.ts';
import { CLEAR, defaultsOf, type Found, LIKELY, type Place, POSSIBLE, plain } from './candidate.ts';

const BY =
  /\b(?:by|author|authors|maintainer|maintainers|creator|founder|from|after|copyright.{0,24})\W*$/iu;
export const personsIn = ({ unit: { text } }: Place): Found[] =>
  personSpans(text).map(({ text: name, start }) =>
    plain(name, start, BY.test(text.slice(0, start)) ? CLEAR : POSSIBLE),
  );

export const placesIn = ({ unit: { text } }: Place): Found[] =>
  nameSpans(text).map(({ text: name, start }) =>
    plain(
      name,
      start,
      /\b(?:in|at|from|near)\s+(?:the\s+)?$/iu.test(text.slice(0, start)) ? LIKELY : 0.2,
    ),
  );

/** Commands stand in blocks of code, behind a prompt, or as quoted words. */
export function commandsIn({ unit: { text, kind } }: Place): Found[] {
  if (kind !== 'code')
    return quotedSpans(text)
      .filter(({ text: quoted }) => /^[a-z][\w-]*(?:\s\S+)+$/u.test(quoted))
      .map(span => plain(span.text, span.start, CLEAR));
  return text.split('\n').flatMap((line, at) => {
    const command = line.replace(/^\s*(?:\$|>|#)?\s*/u, '').trimEnd();
    const isCommand = /^[a-z][\w./-]*\s[^=(){};]+$/u.test(command);
    return isCommand ? [plain(command, at, /^\s*\$/u.test(line) ? CLEAR : LIKELY)] : [];
  });
}

/** Names of options: the identifier that heads the section or the block, or stands in it. */
export function optionsIn({ unit: { text, kind }, section }: Place): Found[] {
  const head = section.heading.at(-1) ?? '';
  const name =
    /^[-\w.@/]+$/u.test(head) || identifierSpans(head).length > 0
      ? (identifierSpans(head)[0]?.text ?? head)
      : '';
  const blockTerm =
    kind === 'option' || kind === 'definition'
      ? identifierSpans(text).filter(({ start }) => start < 3)
      : [];
  return [
    ...(name === '' ? [] : [plain(name, 0, CLEAR)]),
    ...blockTerm.map(span => plain(span.text, span.start, CLEAR)),
    ...identifierSpans(text).map(span =>
      plain(span.text, span.start, kind === 'code' ? POSSIBLE : LIKELY),
    ),
  ];
}

const IS =
  /^(?:["“'‘]?)(.{2,60}?)["”'’]?(?:\s\([^)]*\))?\s(?:is|are|was|means?|stands for|refers to)\s(?!not\b)(.+)$/su;
/** A passive such as "named after ..." or "built by ...": it says what was done, not what it is. */
const PASSIVE =
  /^(?:\p{L}+ly\s)?\p{Ll}+(?:ed|en|wn|lt|nt|pt|de)\s(?:after|as|at|by|for|from|in|into|on|over|through|to|with)\b/u;
/** Predicates of "X is ..." and of a defined term. */
export function definitionsIn({ unit: { text, kind }, known }: Place): Found[] {
  const statement =
    IS.exec(text) ?? (kind === 'definition' ? /^([^:\n]{1,60}):\s(.+)$/su.exec(text) : null);
  if (!statement || PASSIVE.test(statement[2]!)) return [];
  const subject = [...termsOf(statement[1]!.replace(/^(?:the|an?)\s/iu, ''))];
  const held = subject.filter(term => known.has(term)).length;
  if (held === 0) return [];
  const body = statement[2]!.replace(/\s+/gu, ' ').replace(/[.:]$/u, '');
  const start = text.length - statement[2]!.length;
  return [plain(body, start, held === subject.length ? CLEAR : POSSIBLE)];
}

export const listsIn = ({ unit: { text } }: Place): Found[] =>
  listSpans(text).map(span => plain(span.text, span.start, LIKELY));

const NAMED =
  /\b(?:named|called|codenamed|means?|meaning|stands for|known as|set to|to|under|is|are|uses?|via|through|raises?|written in|based on|after)\s*$/iu;

/** Words: defaults, quoted values, identifiers, names, and what completes the asked clause. */
export function valuesIn(place: Place): Found[] {
  const {
    unit: { text, kind },
    known,
  } = place;
  const defaults = defaultsOf({ text, kind });
  const free = (start: number): boolean =>
    !defaults.some(value => Math.abs(value.start - start) < 2);
  const spans = [...quotedSpans(text), ...identifierSpans(text), ...nameSpans(text)].filter(
    ({ start }) => free(start),
  );
  const complement = kind === 'code' ? undefined : completed(text, known);
  return [
    ...defaults,
    ...spans.map(({ text: span, start }) =>
      plain(
        span,
        start,
        kind === 'code' ? 0.2 : NAMED.test(text.slice(0, start)) ? LIKELY : POSSIBLE,
      ),
    ),
    ...(complement && free(complement.start)
      ? [plain(complement.text, complement.start, LIKELY)]
      : []),
  ];
}

/** Returns what follows the last word of the question in the sentence, to the end of its clause. */
function completed(
  text: string,
  known: ReadonlySet<string>,
): { text: string; start: number } | undefined {
  let end = -1;
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu))
    if (known.has(termOf(match[0]))) end = match.index + match[0].length;
  if (end < 0) return undefined;
  const joint = /^\s+(?:(?:after|to|by|in|on|with|as|of|from|under|is|are)\s+)*/u.exec(
    text.slice(end),
  );
  return joint ? complementAt(text, end + joint[0].length) : undefined;
}
