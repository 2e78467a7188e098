/** Postings with a scorer's contributions compiled into them as whole numbers, rounded up, in the memory of a kernel. */
import { documentFrequency, frequencyAt, type Inverted, SEGMENT_BITS, SEGMENT_SIZE } from './inverted.ts';
import { createKernel, KERNEL_LIMITS, type Kernel, LAYOUT } from './kernel.ts';
import type { Weighing } from './scorer.ts';

/** A term that one item in this many holds gets a column: a number for every item, added eight at a time. */
const COLUMN_SHARE = 8;

export interface CompiledPostings {
  readonly kernel: Kernel;
  /** Addresses of postings, laid out as `Inverted.offsets`; terms with a column have none. */
  readonly addresses: Uint32Array;
  /** Of each term the largest contribution. */
  readonly largest: Uint16Array;
  /** Address of a term's column, for terms that have one. */
  readonly columns: ReadonlyMap<number, number>;
  readonly bytes: number;
}

/** undefined where no kernel can be had. */
export function compilePostings(inverted: Inverted, weighing: Weighing): CompiledPostings | undefined {
  const frequencies = Uint32Array.from({ length: inverted.terms }, (_, term) => documentFrequency(inverted, term));
  const columns = chooseColumns(inverted, frequencies);
  const addresses = new Uint32Array(inverted.segments * (inverted.terms + 1));
  let address: number = LAYOUT.data;
  for (const term of columns.keys()) {
    columns.set(term, address);
    address += paddedBytes(inverted.size);
  }
  for (let segment = 0; segment < inverted.segments; segment++) {
    const row = segment * (inverted.terms + 1);
    for (let term = 0; term < inverted.terms; term++) {
      addresses[row + term] = address;
      if (!columns.has(term)) address += 4 * (inverted.offsets[row + term + 1]! - inverted.offsets[row + term]!);
    }
    addresses[row + inverted.terms] = address;
  }
  const kernel = createKernel(address - LAYOUT.data);
  if (kernel === undefined) return undefined;
  const largest = new Uint16Array(inverted.terms);
  const compiled = {
    kernel,
    addresses,
    largest,
    columns,
    bytes: kernel.buffer.byteLength + addresses.byteLength + largest.byteLength,
  };
  fill(inverted, weighing, compiled);
  return compiled;
}

/** Bytes of so many sums, whole blocks of the scan. */
export const paddedBytes = (items: number): number => Math.ceil(items / 32) * 64;

function chooseColumns(inverted: Inverted, frequencies: Uint32Array): Map<number, number> {
  const frequent: number[] = [];
  for (let term = 0; term < inverted.terms; term++) if (frequencies[term]! * COLUMN_SHARE >= inverted.size) frequent.push(term);
  frequent.sort((a, b) => frequencies[b]! - frequencies[a]!);
  return new Map(frequent.slice(0, KERNEL_LIMITS.columns).map(term => [term, 0]));
}

/** Calls back with each posting of a term: its position and its item. */
function eachPosting(inverted: Inverted, term: number, visit: (position: number, item: number) => void): void {
  for (let segment = 0; segment < inverted.segments; segment++) {
    const row = segment * (inverted.terms + 1) + term;
    for (let at = inverted.offsets[row]!; at < inverted.offsets[row + 1]!; at++) visit(at, (segment << SEGMENT_BITS) + inverted.items[at]!);
  }
}

function fill(inverted: Inverted, weighing: Weighing, { kernel, addresses, largest, columns }: CompiledPostings): void {
  const idfs = new Float64Array(inverted.terms);
  for (let term = 0; term < inverted.terms; term++) idfs[term] = weighing.weigh([{ term, count: 1 }])[0]?.idf ?? 0;
  let most = 0;
  for (let term = 0; term < inverted.terms; term++) {
    const idf = idfs[term]!;
    eachPosting(inverted, term, (at, item) => {
      const value = weighing.contribution(1, idf, frequencyAt(inverted, at), item);
      if (value > most) most = value;
    });
  }
  const scale = most === 0 ? 1 : KERNEL_LIMITS.contribution / most;
  const words = new Uint32Array(kernel.buffer);
  const halves = new Uint16Array(kernel.buffer);
  for (let term = 0; term < inverted.terms; term++) {
    const idf = idfs[term]!;
    const column = columns.get(term);
    let top = 0;
    eachPosting(inverted, term, (at, item) => {
      const frequency = frequencyAt(inverted, at);
      const value = Math.min(KERNEL_LIMITS.contribution, Math.ceil(weighing.contribution(1, idf, frequency, item) * scale));
      if (value > top) top = value;
      if (column !== undefined) halves[(column >>> 1) + item] = value | (Math.min(frequency, KERNEL_LIMITS.columnFrequency) << 10);
      else {
        const row = (item >>> SEGMENT_BITS) * (inverted.terms + 1) + term;
        const tag = Math.min(frequency, KERNEL_LIMITS.frequency);
        words[(addresses[row]! >>> 2) + at - inverted.offsets[row]!] = ((item & (SEGMENT_SIZE - 1)) << 1) | (tag << 17) | (value << 22);
      }
    });
    largest[term] = top;
  }
}
