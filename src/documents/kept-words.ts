/** Counts which words of a file its document keeps. */
import type { Document } from '../core/corpus/document.ts';
import { wordEdges, wordsIn } from '../core/text/matched-words.ts';
import { countWords } from '../core/text/words.ts';

/** Words of a document, and of all that its file shows before anything was left out. */
export interface KeptWords {
  readonly kept: number;
  /** `kept` where the loader leaves nothing out. */
  readonly visible: number;
}

/** Facts of a loader about a file, beside its document. */
export interface LoaderNotes {
  /** All text that people see in the file, in any order; missing where all of it is kept. */
  readonly visibleText?: string | undefined;
  /** Text that people see in the file beside that of the document, where nothing else is lost. */
  readonly leftOutText?: string | undefined;
  /** Sentences without a full stop, such as "read as windows-1251 (a guess)". */
  readonly notes?: readonly string[] | undefined;
}

/**
 * Counts each visible word that the title or the text has as often: a document that repeats the
 * heads of a table in its rows keeps no more words for it.
 */
export function keptWords(
  { title, text }: Pick<Document, 'title' | 'text'>,
  { visibleText = text, leftOutText = '' }: LoaderNotes = {},
): KeptWords {
  if (visibleText === text) {
    const all = countWords(text);
    return { kept: all, visible: all + countWords(leftOutText) };
  }
  // The parts left out stand behind the whole document.
  const whole = `${title}\n${text}\n`;
  if (visibleText.startsWith(whole)) {
    const kept = wordEdges(whole).length / 2;
    return { kept, visible: kept + wordEdges(visibleText.slice(whole.length)).length / 2 };
  }
  const { pairs, rest, otherRest } = aligned(new Words(visibleText), new Words(text));
  const left = new Map<string, number>();
  for (const words of [wordsIn(title), otherRest])
    for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let kept = pairs;
  for (const word of rest) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    kept++;
  }
  return { kept, visible: pairs + rest.length };
}

/** The words of a text, compared where they stand. */
class Words {
  private readonly text: string;
  private readonly edges: readonly number[];
  readonly count: number;

  constructor(text: string) {
    this.text = text;
    this.edges = wordEdges(text);
    this.count = this.edges.length / 2;
  }

  at(index: number): string {
    return this.text.slice(this.edges[2 * index], this.edges[2 * index + 1]);
  }

  /** Tells whether a word is that of another text; false behind the last word. */
  isSame(index: number, other: Words, otherIndex: number): boolean {
    const { text, edges } = this;
    const { text: otherText, edges: otherEdges } = other;
    const start = edges[2 * index]!;
    const otherStart = otherEdges[2 * otherIndex]!;
    const length = edges[2 * index + 1]! - start;
    if (length !== otherEdges[2 * otherIndex + 1]! - otherStart) return false;
    for (let at = 0; at < length; at++)
      if (text.charCodeAt(start + at) !== otherText.charCodeAt(otherStart + at)) return false;
    return true;
  }
}

/** Most words that are passed over at once. */
const AHEAD = 256;

/**
 * Pairs equal words in the order in which both texts have them, and returns the others: few, so
 * that nearly all words are neither copied nor looked up. Which words are paired changes no count
 * of words that both have.
 */
function aligned(words: Words, others: Words) {
  const rest: string[] = [];
  const otherRest: string[] = [];
  let [at, otherAt, pairs] = [0, 0, 0];
  const pass = (count: number, otherCount: number): void => {
    for (const end = at + count; at < end; at++) rest.push(words.at(at));
    for (const end = otherAt + otherCount; otherAt < end; otherAt++)
      otherRest.push(others.at(otherAt));
  };
  // Texts that differ word by word are not searched at each word.
  let [pause, wait] = [0, 0];
  while (at < words.count && otherAt < others.count) {
    if (words.isSame(at, others, otherAt)) {
      at++;
      otherAt++;
      pairs++;
      pause = 0;
      continue;
    }
    const found = wait > 0 ? undefined : nextPair(words, at, others, otherAt);
    if (found) pass(...found);
    else {
      pass(1, 1);
      if (wait > 0) wait--;
      else wait = pause = Math.min(AHEAD, 2 * pause + 1);
    }
  }
  pass(words.count - at, others.count - otherAt);
  return { pairs, rest, otherRest };
}

/** Returns how many words of one text stand before two words of both. */
function nextPair(
  words: Words,
  at: number,
  others: Words,
  otherAt: number,
): readonly [number, number] | undefined {
  const isPair = (index: number, otherIndex: number): boolean =>
    words.isSame(index, others, otherIndex) && words.isSame(index + 1, others, otherIndex + 1);
  for (let ahead = 1; ahead <= AHEAD; ahead++) {
    if (isPair(at + ahead, otherAt)) return [ahead, 0];
    if (isPair(at, otherAt + ahead)) return [0, ahead];
  }
  return undefined;
}

/** Tells if more than half of the visible words are missing. */
export const losesMost = ({ kept, visible }: KeptWords): boolean => kept * 2 < visible;
