/**
 * Builds the postings of items in two passes over typed arrays: read every item once, then sort the
 * postings by term.
 */

import type { SearchMode } from '../../../core/search-mode.ts';
import { STEP, type Steps } from '../../../core/steps.ts';
import { createFastForward } from './fast-forward.ts';
import type { Forward, ForwardReader, PostingRun } from './forward.ts';
import {
  BLOCK_BITS,
  BLOCK_SIZE,
  heldPostings,
  type Inverted,
  OVERFLOW,
  type Postings,
} from './inverted.ts';
import { type Analysis, indexedFields, type LexicalItems } from './item.ts';
import { PlainForward } from './plain-forward.ts';
import { stopTerms } from './stop-terms.ts';

/** Least number of characters for which a WebAssembly memory pays off. */
const PAYS_FROM = 100_000;

/** Postings that are copied or counted in the time of a step. */
const LARGE_STEP = 8 * STEP;

/**
 * Returns the inverted index of the items, in the given order. S1 drops its stop words here: they
 * keep a number and lose their postings.
 */
export function* invert(
  texts: LexicalItems,
  analysis: Analysis,
  mode: SearchMode,
): Steps<Inverted> {
  const characters = texts.characters ?? charactersOf(texts);
  const fast = mode === 'fast' || (mode === 'auto' && characters >= PAYS_FROM);
  const reader = fast ? createFastForward(texts.length, characters, analysis) : undefined;
  const forward =
    (reader && (yield* readAll(reader, texts, analysis))) ??
    (yield* readAll(new PlainForward(texts.length, analysis), texts, analysis))!;
  return yield* sortByTerm(
    forward,
    analysis === 's1' ? stopTerms(forward.dictionary, analysis) : new Set<number>(),
  );
}

function charactersOf(items: LexicalItems): number {
  let characters = 0;
  for (const { title, text } of items) characters += title.length + text.length;
  return characters;
}

/** Returns undefined if the reader's memory cannot grow. */
function* readAll(
  reader: ForwardReader,
  texts: LexicalItems,
  analysis: Analysis,
): Steps<Forward | undefined> {
  try {
    let work = 0;
    for (const item of texts) {
      reader.read(indexedFields(item, analysis));
      work += item.title.length + item.text.length;
      if (work < STEP) continue;
      yield work;
      work = 0;
    }
    return reader.finish();
  } catch (error) {
    if (error instanceof RangeError && !(reader instanceof PlainForward)) return undefined;
    throw error;
  }
}

function* sortByTerm(forward: Forward, dropped: ReadonlySet<number>): Steps<Inverted> {
  const { dictionary } = forward;
  const size = forward.lengths.length;
  const terms = dictionary.ends.length;
  const blocks = Math.max(1, Math.ceil(size / BLOCK_SIZE));
  const kept = new Uint8Array(terms).fill(1);
  for (const term of dropped) kept[term] = 0;
  const anyDropped = dropped.size > 0;
  const offsets = yield* countPostings(forward, terms, blocks, kept);
  const total = offsets.at(-1)!;
  // Packs item and frequency into one word: one write out of order per posting instead of two.
  const words = new Uint32Array(total);
  const overflow: [number, number][] = [];
  let current = -1;
  let cursors: Uint32Array = offsets;
  let sorted = 0;
  for (const { block, from, to, run } of piecesOf(forward.runs)) {
    // Cursors of a block go on where its piece before ended.
    if (block !== current) {
      current = block;
      cursors = offsets.slice(block * (terms + 1), (block + 1) * (terms + 1));
    }
    const base = forward.starts[run.from]!;
    for (let item = from; item < to; item++) {
      const end = 2 * (forward.starts[item + 1]! - base);
      for (let at = 2 * (forward.starts[item]! - base); at < end; at += 2) {
        const term = run.postings[at]!;
        if (anyDropped && kept[term] === 0) continue;
        const place = cursors[term]!++;
        const frequency = run.postings[at + 1]!;
        words[place] = (item & (BLOCK_SIZE - 1)) | (Math.min(frequency, OVERFLOW) << BLOCK_BITS);
        if (frequency >= OVERFLOW) overflow.push([place, frequency]);
      }
      const done = forward.starts[item + 1]!;
      if (done - sorted < STEP) continue;
      yield done - sorted;
      sorted = done;
    }
    if (to === run.to) release(run.postings);
  }
  const { items, frequencies } = yield* split(words);
  release(words);
  overflow.sort((a, b) => a[0] - b[0]);
  const overflowAt = Uint32Array.from(overflow, entry => entry[0]);
  const overflowFrequency = Uint32Array.from(overflow, entry => entry[1]);
  return {
    size,
    terms,
    blocks,
    dictionary,
    offsets,
    postings: heldPostings(items, frequencies),
    overflowAt,
    overflowFrequency,
    lengths: forward.lengths,
  };
}

/** Items of one block whose postings lie in one run. */
interface Piece {
  readonly block: number;
  readonly from: number;
  readonly to: number;
  readonly run: PostingRun;
}

/** Cuts runs at the borders of blocks. */
function* piecesOf(runs: readonly PostingRun[]): Generator<Piece, void, void> {
  for (const run of runs)
    for (let from = run.from, to: number; from < run.to; from = to) {
      const block = from >>> BLOCK_BITS;
      to = Math.min(run.to, (block + 1) << BLOCK_BITS);
      yield { block, from, to, run };
    }
}

/**
 * Frees an array that is read no more. Collections come late for memory outside the heap: the
 * arrays of one index would still be there when the next one is built. Old browsers cannot.
 */
function release({ buffer }: Uint32Array): void {
  (buffer as Partial<ArrayBuffer>).transfer?.(0);
}

/** Splits words of the item in its block and the frequency above it. */
function* split(words: Uint32Array): Steps<Omit<Postings, 'base'>> {
  const items = new Uint16Array(words.length);
  const frequencies = new Uint8Array(words.length);
  for (let from = 0; from < words.length; from += LARGE_STEP) {
    for (let place = from, to = Math.min(words.length, from + LARGE_STEP); place < to; place++) {
      items[place] = words[place]!;
      frequencies[place] = words[place]! >>> BLOCK_BITS;
    }
    yield STEP;
  }
  return { items, frequencies };
}

/** Returns the offsets of each term's postings in each block. */
function* countPostings(
  forward: Forward,
  terms: number,
  blocks: number,
  kept: Uint8Array,
): Steps<Uint32Array> {
  const offsets = new Uint32Array(blocks * (terms + 1));
  for (const { block, from, to, run } of piecesOf(forward.runs)) {
    const row = block * (terms + 1);
    const base = forward.starts[run.from]!;
    const end = forward.starts[to]! - base;
    for (let first = forward.starts[from]! - base; first < end; first += LARGE_STEP) {
      for (let posting = first, last = Math.min(end, first + LARGE_STEP); posting < last; posting++)
        offsets[row + 1 + run.postings[2 * posting]!]!++;
      yield STEP;
    }
  }
  let total = 0;
  for (let block = 0; block < blocks; block++) {
    const row = block * (terms + 1);
    offsets[row] = total;
    for (let term = 0; term < terms; term++) {
      if (kept[term] === 1) total += offsets[row + term + 1]!;
      offsets[row + term + 1] = total;
    }
    yield terms;
  }
  return offsets;
}
