/**
 * What is read of a text once: an engine that keeps its texts gives the same objects again, and
 * questions meet the same sentences.
 */
import { capitalisedWords, contentStems } from '../../text/stems.ts';
import { countWords } from '../../text/words.ts';

export interface TextWords {
  readonly stems: ReadonlySet<string>;
  readonly capitals: ReadonlySet<string>;
  /** Word runs. */
  readonly count: number;
  readonly lower: string;
  /**
   * The numbers of its stems and of its capitals, in their order: what is asked of every candidate
   * is asked by number.
   */
  readonly stemNumbers: readonly number[];
  readonly capitalNumbers: readonly number[];
}

/**
 * Every word that was read has a number, the same for the whole process: it grows as the vocabulary
 * of what is read does.
 */
const numbers = new Map<string, number>();

/**
 * The place of each of a few words in their list, from 1, at the word's number; 0 at the numbers of
 * all others that were read so far.
 */
export function placesByNumber(words: readonly string[]): Int32Array {
  const places = new Int32Array(numbers.size);
  for (const [index, word] of words.entries()) {
    const number = numbers.get(word);
    if (number !== undefined) places[number] = index + 1;
  }
  return places;
}

function numbersOf(words: ReadonlySet<string>): number[] {
  return Array.from(words, word => {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    // A part of a text may hold the whole of it in memory: the copy holds itself alone.
    numbers.set(new TextDecoder().decode(new TextEncoder().encode(word)), numbers.size);
    return numbers.size - 1;
  });
}

const known = new WeakMap<object, TextWords>();

/** `key`: the object that holds the text, as long as the text stays the same. */
export function wordsOfText(key: object, text: string): TextWords {
  let words = known.get(key);
  if (!words) {
    const [stems, capitals] = [contentStems(text), capitalisedWords(text)];
    const numbered = { stemNumbers: numbersOf(stems), capitalNumbers: numbersOf(capitals) };
    words = { stems, capitals, count: countWords(text), lower: text.toLowerCase(), ...numbered };
    known.set(key, words);
  }
  return words;
}
