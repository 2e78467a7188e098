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

export const identifierSpans = (text: string): TextSpan[] =>
  [...spansOf(text, FLAG), ...spansOf(text, CODE)].sort((a, b) => a.start - b.start);

/** Names without the word that opens a sentence alone. */
export const nameSpans = (text: string): TextSpan[] =>
  findNames(text).filter(({ start, text: name }) => start > 0 || /\s|.\p{Lu}/u.test(name));

/** Two words or more in capitals, as persons are named, initials included. */
const PERSON =
  /(?<![\p{L}.])\p{Lu}[\p{Ll}’'-]+(?:\s(?:\p{Lu}\.|(?:van|von|de|der|den|al|bin|da|di))){0,2}(?:\s\p{Lu}[\p{L}’'-]+){1,2}/gu;
export const personSpans = (text: string): TextSpan[] =>
  spansOf(text, PERSON).filter(({ text: name }) => !/^(?:The|A|An|For|In|On|If)\s/u.test(name));

/** Two items or more: "a, b and c", "a and b". */
const ITEM = String.raw`(?:["']?[\p{L}\p{N}@][\p{L}\p{N}@./_+-]*["']?)(?:\s[\p{Lu}\p{N}][\p{L}\p{N}./_+-]*)?`;
const LIST = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${ITEM}(?:,\s(?:and\s|or\s)?${ITEM})*,?\s(?:and|or)\s${ITEM}`,
  'gu',
);
export const listSpans = (text: string): TextSpan[] =>
  spansOf(text, LIST).map(span => ({ ...span, text: span.text.replace(/[.,]+$/u, '') }));

/** The end of a clause behind a word: its complement. */
const CLAUSE_END =
  /[;:\n—]|[.,](?=\s|$)|\s\(|\s(?:which|that|when|because|but|while|so|since|unless|if|by default)\b/u;
/** Words that open no answer. */
const LEAD =
  /^(?:(?:also|only|just|always|now|then|still)\s+)*(?:(?:the|an?|its|their|your)\s+)?/iu;
const LONGEST_COMPLEMENT = 8;

/** Ends a text before a bracket that closes one opened before it. */
function withinBrackets(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++;
    else if (')]}'.includes(text[at]!) && --depth < 0) return text.slice(0, at);
  }
  return text;
}

/** Returns what follows an offset, to the end of its clause; undefined if it is long or empty. */
export function complementAt(text: string, from: number): TextSpan | undefined {
  const rest = text.slice(from);
  const skipped = /^\s*/u.exec(rest)![0].length;
  const lead = skipped + LEAD.exec(rest.slice(skipped))![0].length;
  const open = rest.slice(lead);
  const end = CLAUSE_END.exec(open)?.index ?? open.length;
  const words = withinBrackets(open.slice(0, end))
    .replace(/[.!?"']+$/u, '')
    .trimEnd();
  if (words === '' || words.split(/\s+/).length > LONGEST_COMPLEMENT) return undefined;
  return { text: words, start: from + lead, end: from + lead + words.length };
}
