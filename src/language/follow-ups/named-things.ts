/**
 * Finds what a question or an answer names: names, quoted words, and words such as `max_tokens`.
 */
import { findNames } from '../english/names/names.ts';
import { withPlainWords } from '../plain-words.ts';
import type { ReferenceWords } from './reference-words.ts';

/** Matches quoted words and code, and words with an inner capital, an underline or a digit. */
const MARKED =
  /["“”„«`]([^"“”„«»`]{2,80})["”“»`]|(?<![\p{L}\p{N}])(\p{L}[\p{L}\p{N}]*(?:[_.-](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*)(?![\p{L}\p{N}])/gu;
/** Matches an inner capital, a digit, an underline or a full stop: no word of plain language. */
export const TECHNICAL: RegExp = /_|\p{Ll}\p{Lu}|\p{L}[-.]?\d|\p{L}\.\p{L}/u;

/** Returns what is named, in order; a name with the number behind it: "Falcon 9". */
export function namedThings(text: string, words: ReferenceWords | undefined): string[] {
  const marked = Array.from(text.matchAll(MARKED), ([, quoted, word]) =>
    quoted !== undefined ? quoted : TECHNICAL.test(word!) ? word! : undefined,
  ).filter(name => name !== undefined);
  const names = findNames(withPlainWords(text)).flatMap(({ text: name }) => {
    const trimmed = words ? withoutMarks(name, words) : name;
    return trimmed === '' ? [] : [withNumber(trimmed, text)];
  });
  const all = [...new Set([...marked, ...names])];
  const isPart = (name: string): boolean =>
    all.some(other => other.length > name.length && other.includes(name));
  return all.filter(name => !isPart(name)).sort((a, b) => text.indexOf(a) - text.indexOf(b));
}

/** Matches a verb that begins a request. */
const REQUEST =
  /^(?:tell|explain|describe|show|give|list|compare|name|find|summari[sz]e|define|please|hello)$/iu;

/** Takes words without content off both ends: the question word of a language without a table. */
function withoutMarks(name: string, { marks }: ReferenceWords): string {
  const words = name.split(/\s+/);
  const isMark = (word: string | undefined): boolean =>
    word !== undefined && marks.has(word.toLowerCase());
  while (isMark(words[0]) || REQUEST.test(words[0] ?? '')) words.shift();
  while (isMark(words.at(-1))) words.pop();
  return words.join(' ');
}

function withNumber(name: string, text: string): string {
  const at = text.indexOf(name);
  const number =
    at < 0 ? undefined : /^ \d+(?:\.\d+)*(?![\p{L}\p{N}])/u.exec(text.slice(at + name.length))?.[0];
  return number === undefined ? name : name + number;
}

/**
 * Returns what an earlier question names, in a language whose nouns have capitals also a noun where
 * there is no name.
 */
export function namedIn(question: string, words: ReferenceWords | undefined): string[] {
  const named = namedThings(question, words);
  if (named.length > 0 || words?.code !== 'de') return named;
  const nouns = Array.from(question.matchAll(/(?<=\s)\p{Lu}[\p{L}-]+/gu), ([noun]) => noun);
  return nouns.filter(noun => !words.marks.has(noun.toLowerCase()));
}
