/**
 * Defines the result of reading items: terms and postings in reading order. Two readers produce it,
 * with equal results.
 */
import type { Dictionary } from './dictionary.ts';
import type { Field } from './item.ts';

/** The postings of some items that follow each other. */
export interface PostingRun {
  /** The first item, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Term and frequency of each posting: all of the first item, then all of the next, ... */
  readonly postings: Uint32Array;
}

export interface Forward {
  readonly dictionary: Dictionary;
  /** The postings of all items, in their order. */
  readonly runs: readonly PostingRun[];
  /** Number of postings before those of each item, and of all. */
  readonly starts: Uint32Array;
  /** Terms in an item, counted with repetition. */
  readonly lengths: Uint32Array;
}

export interface ForwardReader {
  /** Reads the next item. */
  read(fields: readonly Field[]): void;
  finish(): Forward;
}
