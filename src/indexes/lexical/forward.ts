/**
 * What reading the items gives: terms and postings in the order in which they were read. Two
 * readers make it, and make the same.
 */
import type { Dictionary } from './dictionary.ts';
import type { Field } from './item.ts';

export interface Forward {
  readonly dictionary: Dictionary;
  /** Term and frequency of each posting: all of item 0, then all of item 1, ... */
  readonly postings: Uint32Array;
  /** Where the postings of an item begin; one more for the end. */
  readonly starts: Uint32Array;
  /** Terms in an item, counted with repetition. */
  readonly lengths: Uint32Array;
}

export interface ForwardReader {
  /** Reads the next item. */
  read(fields: readonly Field[]): void;
  finish(): Forward;
}
