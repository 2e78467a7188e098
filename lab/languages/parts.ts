/**
 * Finds the paragraphs of a page by their ids, which are the same in every language. Reads markup
 * by one expression and not by the loader that is measured.
 */
import { plainWords } from '../../bench/documents/plain-words.ts';

/** Images, and variants of which a script shows one: loaders differ in what they make of them. */
const APART = /<img\b[^<>]*>|<span hidden\b[^<>]*>(?:<(\w+)[^<>]*>[^<]*<\/\1>|[^<])*<\/span>/g;
const PART = /<(p|h[1-6])\b[^<>]*\bid="([\w-]+)"[^<>]*>(.*?)<\/\1>/gs;

/**
 * Returns the texts of a page's paragraphs and headings by id, without those that are empty.
 * A sentence ends at an image, and at variants of which a reader sees one.
 */
export function partsOf(html: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [, , id, markup] of html.matchAll(PART)) {
    const text = plainWords(markup!.replace(APART, ' . ')).trim();
    if (text !== '' && !parts.has(id!)) parts.set(id!, text);
  }
  return parts;
}

/** Returns letters and digits alone, in one form: layout and marks of two readings differ. */
export const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const SENTENCE = /[^.!?。！？।]+/gu;

/**
 * Returns true if at least half of the letters of a paragraph stand in a text, by whole sentences:
 * one of two sentences may be what answers.
 */
export function holds(text: string, part: string): boolean {
  const shown = lettersOf(text);
  const sentences = (part.match(SENTENCE) ?? []).map(lettersOf).filter(each => each !== '');
  const count = (all: readonly string[]): number =>
    all.reduce((sum, { length }) => sum + length, 0);
  return 2 * count(sentences.filter(each => shown.includes(each))) >= count(sentences);
}
