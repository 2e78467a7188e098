/**
 * Finds the words by which texts are compared: runs of letters, numbers and underscores with their
 * marks. Scripts whose words are read as n-grams give overlapping pairs of letters, as in the
 * lexical index (`search-form.ts`), so that a word is found wherever it stands.
 */
import { FIRST_UNSPACED, kindAt, kinds, MARK, SYLLABLE, unitsAt, WORD } from './letter-kinds.ts';
import { wordStart } from './words.ts';

/** Returns the words of `text` in order. */
export function wordsIn(text: string): string[] {
  const edges = wordEdges(text);
  const words: string[] = [];
  for (let at = 0; at < edges.length; at += 2) words.push(text.slice(edges[at], edges[at + 1]));
  return words;
}

/** Returns the same as half-open ranges. */
export function wordSpans(text: string): [start: number, end: number][] {
  const edges = wordEdges(text);
  const spans: [number, number][] = [];
  for (let at = 0; at < edges.length; at += 2) spans.push([edges[at]!, edges[at + 1]!]);
  return spans;
}

/** Returns the same as one list of starts and ends. */
export function wordEdges(text: string): number[] {
  const edges: number[] = [];
  for (let start = wordStart(text, 0); start < text.length; ) {
    let end = wordEnd(text, start);
    if (end > start) edges.push(start, end);
    else end = addPairs(text, start, edges);
    start = wordStart(text, end);
  }
  return edges;
}

/** Matches a unit of a script of n-grams, and few others: far faster than their ranges. */
const MAY_BE_PAIRS = /[\u0e01-\u11ff\u1780-\u17ff\u2e80-\uffff]/;

/** Returns a text in which white space stands around each pair of letters of `wordsIn`. */
export function withPairs(text: string): string {
  if (!MAY_BE_PAIRS.test(text)) return text;
  let written = '';
  let last = 0;
  for (const [start, end] of wordSpans(text)) {
    const word = text.slice(start, end);
    written += text.slice(Math.min(last, start), start);
    written += isGram(kindAt(text, start)) ? ` ${word} ` : word;
    last = end;
  }
  return written + text.slice(last);
}

/** Returns a text in which white space stands around each letter of a script of n-grams. */
export function withSpacedLetters(text: string): string {
  if (!MAY_BE_PAIRS.test(text)) return text;
  let written = '';
  for (let at = 0; at < text.length; ) {
    const units = unitsAt(text, at);
    const letter = text.slice(at, at + units);
    written += isGram(kindAt(text, at)) ? ` ${letter}` : letter;
    at += units;
  }
  return written;
}

/** Returns the end of the word at `start`; `start` itself before a script of n-grams. */
function wordEnd(text: string, start: number): number {
  let to = start;
  while (to < text.length) {
    const kind = kinds[text.charCodeAt(to)]! || kindAt(text, to);
    if (kind !== WORD && (kind !== MARK || to === start)) break;
    to += unitsAt(text, to);
  }
  return to;
}

const isGram = (kind: number): boolean => kind === SYLLABLE || kind >= FIRST_UNSPACED;

/** Adds the pairs of neighbouring letters of the run at `start`, or its only letter. */
function addPairs(text: string, start: number, edges: number[]): number {
  let [first, second] = [start, -1];
  let to = start;
  for (; to < text.length; to += unitsAt(text, to)) {
    const kind = kindAt(text, to);
    if (kind === MARK || to === start) continue;
    if (!isGram(kind)) break;
    if (second >= 0) {
      edges.push(first, to);
      first = second;
    }
    second = to;
  }
  edges.push(first, to);
  return to;
}
