/** Finds texts in a sentence that may answer: identifiers, quoted values, names, lists. */
import { findNames } from '../names/names.ts';

export interface TextSpan {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const spansOf = (text: string, pattern: RegExp, group = 0): TextSpan[] =>
  [...text.matchAll(pattern)].map(match => {
    const found = match[group]!;
    const start = match.index + match[0].indexOf(found);
    return { text: found, start, end: start + found.length };
  });

const QUOTED = /(?<![\p{L}\p{N}])["'“‘`]([^"“”‘’'`\n]{1,60})["'”’`](?![\p{L}\p{N}])/gu;
export const quotedSpans = (text: string): TextSpan[] => spansOf(text, QUOTED, 1);

/** Options of commands. */
const FLAG = /(?<![\w-])--?[A-Za-z][\w-]*/g;
/** Names with an underscore, a dot, capitals within, or capitals alone: of settings and of code. */
const CODE =
  /(?<![\w@/.-])(?:@?[A-Za-z][\w-]*(?:[/.][A-Za-z_][\w-]*)+(?:\(\))?|[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z]{2,}[\w-]*|[A-Z][a-z]+[A-Z]\w*)(?![\w/-])/g;

/** Paths from the root or from home. */
const PATH = /(?<![\w@/.:<~-])~?(?:\/[\w.+@{}$-]+){2,}(?<=[\w}])/g;

/** Single letters with dots: "e.g", "a.k.a". */
const LETTERS = /^[A-Za-z](?:\.[A-Za-z])+$/;

export const identifierSpans = (text: string): TextSpan[] =>
  [...spansOf(text, FLAG), ...spansOf(text, CODE), ...spansOf(text, PATH)]
    .filter(({ text: name }) => !LETTERS.test(name))
    .sort((a, b) => a.start - b.start);

/** Names without the word that opens a sentence alone. */
export const nameSpans = (text: string): TextSpan[] =>
  findNames(text).filter(({ start, text: name }) => start > 0 || /\s|.\p{Lu}/u.test(name));

/** Two words or more in capitals, as persons are named, initials included. */
const PERSON =
  /(?<![\p{L}.])\p{Lu}[\p{Ll}’'-]+(?:\s(?:\p{Lu}\.|(?:van|von|de|der|den|al|bin|da|di))){0,2}(?:\s\p{Lu}[\p{L}’'-]*\p{Ll}){1,2}(?!\p{L})/gu;
const NO_PERSON =
  /^(?:The|A|An|For|In|On|If)\s|\b(?:University|Universit\p{L}+|Institut\p{L}*|College|School|Laborator\p{L}+|Foundation|Corporation|Company|Project|Group|Team|Department|Society|License|Licence|Software|Systems?|Inc|Ltd|GmbH)\b/u;
export const personSpans = (text: string): TextSpan[] =>
  spansOf(text, PERSON).filter(({ text: name }) => !NO_PERSON.test(name));

/** Returns true for a text that crosses no bracket and no border of a table's cell. */
export function isWhole(text: string): boolean {
  let depth = 0;
  for (const character of text)
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth < 0) return false;
  return depth === 0 && !/(?:^|\s)\|(?:\s|$)/u.test(text);
}
