/**
 * Defines the result of reading items: terms and postings in reading order. Two readers produce it,
 * with equal results.
 */
import type { Dictionary } from './dictionary.ts';
import type { Field } from './item.ts';

export interface Forward {
  readonly dictionary: Dictionary;
  /** Term and frequency of each posting: all of item 0, then all of item 1, ... */
  readonly postings: Uint32Array;
  /** Offset of each item's postings, and the end. */
  readonly starts: Uint32Array;
  /** Terms in an item, counted with repetition. */
  readonly lengths: Uint32Array;
}

export interface ForwardReader {
  /** Reads the next item. */
  read(fields: readonly Field[]): void;
  finish(): Forward;
}
