/** Builds the postings of items in two passes over typed arrays: read every item once, then sort the postings by term. */
import { type Dictionary, DictionaryBuilder, doubled } from './dictionary.ts';
import { type Inverted, OVERFLOW, SEGMENT_BITS, SEGMENT_SIZE } from './inverted.ts';
import { type Analysis, indexedFields, type LexicalItem } from './item.ts';
import { stopTerms } from './stop-terms.ts';
import { TermReader } from './term-reader.ts';

/** Postings in the order in which they were read: all of item 0, then all of item 1, ... */
class Forward {
  readonly dictionary: DictionaryBuilder = new DictionaryBuilder();
  readonly lengths: Uint32Array;
  /** Where the postings of an item begin; one more for the end. */
  readonly starts: Uint32Array;
  terms: Uint32Array = new Uint32Array(1 << 12);
  frequencies: Uint32Array = new Uint32Array(1 << 12);
  private count = 0;
  /** Of each term its last posting + 1: it belongs to the current item when it is past the item's start. */
  private last: Uint32Array = new Uint32Array(1 << 10);
  private readonly reader: TermReader;

  constructor(size: number, analysis: Analysis) {
    this.reader = new TermReader(analysis);
    this.lengths = new Uint32Array(size);
    this.starts = new Uint32Array(size + 1);
  }

  read(item: number, fields: readonly (readonly [string, number])[]): void {
    const start = (this.starts[item] = this.count);
    let length = 0;
    for (const [text, times] of fields) if (text.length > 0) length += this.readField(text, times, start);
    this.lengths[item] = length;
    this.starts[item + 1] = this.count;
  }

  private readField(text: string, times: number, start: number): number {
    const { reader, dictionary } = this;
    let length = 0;
    reader.open(text);
    while (reader.next()) {
      const term = dictionary.add(reader);
      length += times;
      if (term >= this.last.length) this.last = doubled(this.last);
      const posting = this.last[term]!;
      if (posting > start) this.frequencies[posting - 1]! += times;
      else this.append(term, times);
    }
    return length;
  }

  private append(term: number, times: number): void {
    const posting = this.count++;
    if (posting >= this.terms.length) {
      this.terms = doubled(this.terms);
      this.frequencies = doubled(this.frequencies);
    }
    this.terms[posting] = term;
    this.frequencies[posting] = times;
    this.last[term] = posting + 1;
  }
}

/** The inverted index of the items, in the order given. S1 drops its stop words here: they keep a number and lose their postings. */
export function invert(given: readonly LexicalItem[], analysis: Analysis): Inverted {
  const forward = new Forward(given.length, analysis);
  for (let item = 0; item < given.length; item++) forward.read(item, indexedFields(given[item]!, analysis));
  const dictionary = forward.dictionary.finish();
  const dropped = analysis === 's1' ? stopTerms(dictionary, analysis) : new Set<number>();
  return sortByTerm(forward, dictionary, dropped);
}

function sortByTerm(forward: Forward, dictionary: Dictionary, dropped: ReadonlySet<number>): Inverted {
  const size = forward.lengths.length;
  const terms = dictionary.ends.length;
  const segments = Math.max(1, Math.ceil(size / SEGMENT_SIZE));
  const kept = new Uint8Array(terms).fill(1);
  for (const term of dropped) kept[term] = 0;
  const offsets = countPostings(forward, terms, segments, kept);
  const total = offsets.at(-1)!;
  const items = new Uint16Array(total);
  const frequencies = new Uint8Array(total);
  const overflow: [number, number][] = [];
  for (let segment = 0; segment < segments; segment++) {
    const cursors = offsets.slice(segment * (terms + 1), (segment + 1) * (terms + 1));
    for (let item = segment << SEGMENT_BITS; item < Math.min(size, (segment + 1) << SEGMENT_BITS); item++) {
      for (let posting = forward.starts[item]!; posting < forward.starts[item + 1]!; posting++) {
        const term = forward.terms[posting]!;
        if (kept[term] === 0) continue;
        const at = cursors[term]!++;
        const frequency = forward.frequencies[posting]!;
        items[at] = item;
        frequencies[at] = Math.min(frequency, OVERFLOW);
        if (frequency >= OVERFLOW) overflow.push([at, frequency]);
      }
    }
  }
  overflow.sort((a, b) => a[0] - b[0]);
  const overflowAt = Uint32Array.from(overflow, entry => entry[0]);
  const overflowFrequency = Uint32Array.from(overflow, entry => entry[1]);
  return { size, terms, segments, dictionary, offsets, items, frequencies, overflowAt, overflowFrequency, lengths: forward.lengths };
}

/** Where the postings of each term begin in each segment. */
function countPostings(forward: Forward, terms: number, segments: number, kept: Uint8Array): Uint32Array {
  const size = forward.lengths.length;
  const offsets = new Uint32Array(segments * (terms + 1));
  for (let segment = 0; segment < segments; segment++) {
    const row = segment * (terms + 1);
    const from = forward.starts[segment << SEGMENT_BITS]!;
    const to = forward.starts[Math.min(size, (segment + 1) << SEGMENT_BITS)]!;
    for (let posting = from; posting < to; posting++) offsets[row + 1 + forward.terms[posting]!]!++;
  }
  let total = 0;
  for (let segment = 0; segment < segments; segment++) {
    const row = segment * (terms + 1);
    offsets[row] = total;
    for (let term = 0; term < terms; term++) {
      if (kept[term] === 1) total += offsets[row + term + 1]!;
      offsets[row + term + 1] = total;
    }
  }
  return offsets;
}
