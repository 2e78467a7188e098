/**
 * Stores the terms of an index in a hash table over one block of UTF-8 bytes, with the same arrays
 * in memory and on disk.
 */
import { HASH_START, hashStep, type TermBytes } from './term-reader.ts';

/**
 * Term `t` is `bytes[ends[t - 1] .. ends[t])`; `slots` is an open-addressed table (a power of two)
 * of `t + 1`, 0 = free.
 */
export interface Dictionary {
  readonly ends: Uint32Array;
  readonly bytes: Uint8Array;
  readonly slots: Uint32Array;
}

/** Tests that `bytes[from..to)` spells the term. */
export function sameTerm(bytes: Uint8Array, from: number, to: number, term: TermBytes): boolean {
  const other = term.bytes;
  if (to - from !== term.end - term.start) return false;
  for (let i = from, j = term.start; i < to; i++, j++) if (bytes[i] !== other[j]) return false;
  return true;
}

/** Folds the high bits into the low ones before masking, because FNV-1a mixes low bits least. */
const firstSlot = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask;

/** Returns the number of the term, or -1 if the dictionary does not hold it. */
export function findTerm(dictionary: Dictionary, term: TermBytes): number {
  const { ends, bytes, slots } = dictionary;
  const mask = slots.length - 1;
  for (let slot = firstSlot(term.hash, mask); ; slot = (slot + 1) & mask) {
    const entry = slots[slot]!;
    if (entry === 0) return -1;
    if (sameTerm(bytes, entry === 1 ? 0 : ends[entry - 2]!, ends[entry - 1]!, term))
      return entry - 1;
  }
}

/** Returns the bytes and the hash of a term of a dictionary. */
export function termBytes({ ends, bytes }: Dictionary, term: number): TermBytes {
  const start = term === 0 ? 0 : ends[term - 1]!;
  const end = ends[term]!;
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = hashStep(hash, bytes[at]!);
  return { bytes, start, end, hash };
}

const decoder = new TextDecoder();

/** Returns a term as a string. */
export function termText(dictionary: Dictionary, term: number): string {
  return decoder.decode(
    dictionary.bytes.subarray(term === 0 ? 0 : dictionary.ends[term - 1]!, dictionary.ends[term]!),
  );
}

/** Returns a copy of twice the length. */
export function doubled<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(
  array: T,
  atLeast = 0,
): T {
  const larger = new (array.constructor as new (length: number) => T)(
    Math.max(array.length * 2, atLeast),
  );
  larger.set(array);
  return larger;
}

/** Builds a dictionary term by term. Terms are numbered in order of first appearance. */
export class DictionaryBuilder {
  size = 0;
  private ends: Uint32Array;
  private hashes: Int32Array;
  private bytes: Uint8Array;
  private slots: Uint32Array;

  /** `expected`: the number of terms for which there is room at once. */
  constructor(expected: number = 1 << 10) {
    const room = 2 ** Math.ceil(Math.log2(Math.max(1 << 10, expected)));
    this.ends = new Uint32Array(room);
    this.hashes = new Int32Array(room);
    this.bytes = new Uint8Array(8 * room);
    this.slots = new Uint32Array(2 * room);
  }

  /** Returns the number of a term, adding the term if it is new. */
  add(reader: TermBytes): number {
    const { ends, hashes, bytes, slots } = this;
    const { hash } = reader;
    const mask = slots.length - 1;
    let slot = firstSlot(hash, mask);
    for (let entry = slots[slot]!; entry !== 0; entry = slots[(slot = (slot + 1) & mask)]!) {
      if (
        hashes[entry - 1] === hash &&
        sameTerm(bytes, entry === 1 ? 0 : ends[entry - 2]!, ends[entry - 1]!, reader)
      )
        return entry - 1;
    }
    slots[slot] = this.size + 1;
    return this.append(reader);
  }

  finish(): Dictionary {
    const { size } = this;
    return {
      ends: this.ends.slice(0, size),
      bytes: this.bytes.slice(0, size === 0 ? 0 : this.ends[size - 1]),
      slots: this.slots,
    };
  }

  private append(reader: TermBytes): number {
    const term = this.size++;
    const from = term === 0 ? 0 : this.ends[term - 1]!;
    const to = from + reader.end - reader.start;
    if (to > this.bytes.length) this.bytes = doubled(this.bytes, to);
    if (term >= this.ends.length) {
      this.ends = doubled(this.ends);
      this.hashes = doubled(this.hashes);
    }
    const { bytes, start } = reader;
    for (let at = from; at < to; at++) this.bytes[at] = bytes[start + at - from]!;
    this.ends[term] = to;
    this.hashes[term] = reader.hash;
    if (this.size * 2 > this.slots.length) this.grow();
    return term;
  }

  private grow(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let term = 0; term < this.size; term++) {
      let slot = firstSlot(this.hashes[term]!, mask);
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = term + 1;
    }
    this.slots = slots;
  }
}
