/**
 * Reads items with the WebAssembly reader (reader.wat): tokenises, looks up and counts in one loop
 * over bytes.
 */

import { bareTerms } from '../../../core/text/accents.ts';
import { isPlain } from '../../../core/text/folded.ts';
import { hasUnusual } from '../../../core/text/identifier-runs.ts';
import { searchForm, termsBeside } from '../../../core/text/search-form.ts';
import {
  compileModule,
  createMemory,
  type GrowableMemory,
  instantiate,
} from '../../../core/web-assembly.ts';
import type { Dictionary } from './dictionary.ts';
import type { Forward, ForwardReader, PostingRun } from './forward.ts';
import type { Analysis, Field } from './item.ts';
import { READER_BASE64 } from './reader.wasm.ts';
import { isOfTerm } from './term-reader.ts';

/** Addresses that reader.wat fixes. */
const FOLDED = 65536;
const SIGNS = 65664 + 4096 + 64;
/** Places of signs that are kept; a text with more is looked through in JavaScript. */
const MOST_SIGNS = 1024;
const FIRST_REGION = SIGNS + 4 * MOST_SIGNS;
const PAGE = 65536;
/** Bytes after a text or the terms that may be read but are ignored. */
const PADDING = 16;
/** Addresses are signed in JavaScript. */
const MOST_PAGES = 32767;
/** Postings that are copied out of the memory at once, at most half of them. */
const RUN = 1 << 17;
/** Bytes of a record. */
const RECORD = 24;
const SLOTS = 0;
const RECORDS = 1;
const BYTES = 2;

interface Cell {
  value: number;
}
type Cells =
  | 'shortest'
  | 'slots'
  | 'slotCount'
  | 'records'
  | 'recordLimit'
  | 'bytes'
  | 'byteLimit'
  | 'postings'
  | 'postingLimit'
  | 'terms'
  | 'byteCount'
  | 'postingCount';
interface Exports extends Readonly<Record<Cells, Cell>> {
  readonly start: () => void;
  readonly read: (at: number, limit: number, times: number) => number;
  readonly scan: (at: number, limit: number, beyond: number) => number;
}

/** Returns true for a text in ASCII and the usual dashes and quotes, without other hyphens. */
const isSimpleText = (text: string): boolean => !NOT_SIMPLE.test(text);
const NOT_SIMPLE = /[^\0-\x7f\u2012-\u2027]/;

let module: object | undefined | null = null;
const encoder = new TextEncoder();

/** Creates a reader for so many items and characters; undefined if WebAssembly is unavailable. */
export function createFastForward(
  size: number,
  characters: number,
  analysis: Analysis,
): ForwardReader | undefined {
  if (module === null) module = compileModule(READER_BASE64);
  const memory = module === undefined ? undefined : createMemory(4, MOST_PAGES);
  return module === undefined || memory === undefined
    ? undefined
    : new FastForward(module, memory, size, characters, analysis);
}

class FastForward implements ForwardReader {
  private readonly wasm: Exports;
  private readonly readsBeside: boolean;
  private readonly knownRuns = new Map<string, string>();
  private readonly memory: GrowableMemory;
  private readonly lengths: Uint32Array;
  private readonly starts: Uint32Array;
  private item = 0;
  private readonly runs: PostingRun[] = [];
  /** Postings that are in runs already. */
  private drained = 0;
  /** Postings for which the memory has room. */
  private room: number;
  /** Address of the next region. */
  private free = FIRST_REGION;
  private text = 0;
  private textLimit = 0;
  private textView: Uint8Array = new Uint8Array(0);
  /** A view of all memory; recreated when the memory grows. */
  private octets: Uint8Array;

  constructor(
    compiled: object,
    memory: GrowableMemory,
    size: number,
    characters: number,
    analysis: Analysis,
  ) {
    this.memory = memory;
    this.octets = new Uint8Array(memory.buffer);
    const letter = (code: number): number => (isOfTerm(code) ? 1 : 0);
    this.wasm = instantiate(compiled, {
      memory,
      letter,
      grow: (region: number) => this.grow(region),
    }) as Exports;
    this.lengths = new Uint32Array(size);
    this.starts = new Uint32Array(size + 1);
    const { wasm } = this;
    this.readsBeside = analysis === 'plain';
    wasm.shortest.value = analysis === 's1' ? 2 : 1;
    for (let code = 0; code < 128; code++) {
      const belongs = isOfTerm(code) || (analysis === 's1' && code === 0x5f);
      this.octets[FOLDED + code] = belongs
        ? String.fromCharCode(code).toLowerCase().charCodeAt(0)
        : 0;
    }
    wasm.slotCount.value = 1 << 11;
    wasm.recordLimit.value = 1 << 10;
    wasm.byteLimit.value = 1 << 13;
    // About one posting in ten characters is typical.
    this.room = Math.min(RUN, Math.max(1 << 10, characters >>> 3));
    wasm.postingLimit.value = this.room;
    wasm.slots.value = this.allocate(4 * wasm.slotCount.value);
    wasm.records.value = this.allocate(RECORD * wasm.recordLimit.value);
    wasm.bytes.value = this.allocate(wasm.byteLimit.value + PADDING);
    wasm.postings.value = this.allocate(8 * this.room);
  }

  read(fields: readonly Field[]): void {
    const { wasm } = this;
    if (wasm.postingCount.value - this.drained >= this.room >>> 1) this.drain();
    let length = 0;
    wasm.start();
    for (const [text, times, beside = ''] of fields) {
      if (text.length === 0) continue;
      length += times * this.readField(text, times);
      this.readBeside(beside, times);
    }
    this.lengths[this.item++] = length;
    this.starts[this.item] = wasm.postingCount.value;
  }

  finish(): Forward {
    const { wasm, memory } = this;
    const terms = wasm.terms.value;
    const records = new Uint32Array(memory.buffer, wasm.records.value, (RECORD / 4) * terms);
    const ends = new Uint32Array(terms);
    for (let term = 0; term < terms; term++)
      ends[term] = records[(RECORD / 4) * term + 1]! + records[(RECORD / 4) * term + 2]!;
    const dictionary: Dictionary = {
      ends,
      bytes: this.octets.slice(wasm.bytes.value, wasm.bytes.value + wasm.byteCount.value),
      slots: new Uint32Array(memory.buffer, wasm.slots.value, wasm.slotCount.value).slice(),
    };
    this.drain();
    return { dictionary, runs: this.runs, starts: this.starts, lengths: this.lengths };
  }

  /**
   * Copies the postings of the items before out of the memory, which cannot shrink: it stays as
   * large as terms and a run. The reader numbers postings on, so their region seems to begin before
   * its place, in addresses of 32 bits.
   */
  private drain(): void {
    const { wasm, drained, memory, item } = this;
    const count = wasm.postingCount.value - drained;
    if (count === 0) return;
    const at = (wasm.postings.value + 8 * drained) >>> 0;
    const postings = new Uint32Array(memory.buffer, at, 2 * count).slice();
    this.runs.push({ from: this.runs.at(-1)?.to ?? 0, to: item, postings });
    this.drained = wasm.postingCount.value;
    this.place(at);
  }

  /** Lets the postings that are not drained begin at an address. */
  private place(at: number): void {
    this.wasm.postings.value = (at - 8 * this.drained) | 0;
    this.wasm.postingLimit.value = this.drained + this.room;
  }

  /** Returns the number of terms. Plain texts are read unchanged: the reader lower-cases ASCII. */
  private readField(text: string, times: number): number {
    const { wasm } = this;
    if (text.length + PADDING > this.textLimit) this.makeRoom(text.length + PADDING);
    const { read, written } = encoder.encodeInto(text, this.textView);
    const isWhole = read === text.length;
    const isSimple = isWhole && (written === read || isSimpleText(text));
    const isAsWritten = isSimple || (isWhole && isPlain(text));
    // The text is looked through before it is read, which puts it in lower case.
    const isSeen = isSimple || (isWhole && !hasUnusual(text));
    const signs = !this.readsBeside
      ? 0
      : isSeen
        ? wasm.scan(this.text, this.text + written, isAsWritten ? 0 : 1)
        : MOST_SIGNS;
    const beside = signs > 0 ? this.besideOf(text, signs) : '';
    if (isAsWritten) {
      const count = wasm.read(this.text, this.text + written, times);
      this.readBeside(beside, times);
      return count;
    }
    const { form, characters } = searchForm(text);
    const count = this.readForm(form, times);
    this.readBeside(characters, times);
    this.readBeside(beside, times);
    if (this.readsBeside) this.readBeside(bareTerms(form), times);
    return count;
  }

  private besideOf(text: string, signs: number): string {
    if (signs === MOST_SIGNS) return termsBeside(text);
    const places = new Uint32Array(this.memory.buffer, SIGNS, signs);
    return termsBeside(text, { places, known: this.knownRuns });
  }

  private readBeside(terms: string, times: number): void {
    if (terms !== '') this.readForm(terms, times);
  }

  private readForm(form: string, times: number): number {
    if (3 * form.length + PADDING > this.textLimit) this.makeRoom(3 * form.length + PADDING);
    const { written } = encoder.encodeInto(form, this.textView);
    return this.wasm.read(this.text, this.text + written, times);
  }

  private makeRoom(bytes: number): void {
    this.textLimit = Math.max(1 << 13, 2 * this.textLimit, bytes);
    this.text = this.allocate(this.textLimit + PADDING);
    this.textView = this.octets.subarray(this.text, this.text + this.textLimit);
  }

  /** Allocates a zeroed region at the end of memory. */
  private allocate(bytes: number): number {
    const address = Math.ceil(this.free / 16) * 16;
    this.free = address + bytes;
    const missing = Math.ceil((this.free - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) {
      this.memory.grow(missing);
      this.octets = new Uint8Array(this.memory.buffer);
      this.textView = this.octets.subarray(this.text, this.text + this.textLimit);
    }
    return address;
  }

  /** Moves a full region to one of twice the size. Called by the reader. */
  private grow(region: number): void {
    const { wasm } = this;
    if (region === SLOTS) this.growSlots();
    else if (region === RECORDS) this.move(wasm.records, wasm.recordLimit, RECORD);
    else if (region === BYTES) this.move(wasm.bytes, wasm.byteLimit, 1);
    else this.growPostings();
  }

  private growPostings(): void {
    const from = (this.wasm.postings.value + 8 * this.drained) >>> 0;
    const at = this.allocate(2 * 8 * this.room);
    this.octets.copyWithin(at, from, from + 8 * this.room);
    this.room *= 2;
    this.place(at);
  }

  private move(base: Cell, limit: Cell, width: number): void {
    const from = base.value;
    const bytes = limit.value * width;
    base.value = this.allocate(2 * bytes + PADDING);
    this.octets.copyWithin(base.value, from, from + bytes);
    limit.value *= 2;
  }

  private growSlots(): void {
    const { wasm } = this;
    const count = 2 * wasm.slotCount.value;
    wasm.slots.value = this.allocate(4 * count);
    wasm.slotCount.value = count;
    const slots = new Uint32Array(this.memory.buffer, wasm.slots.value, count);
    const records = new Uint32Array(
      this.memory.buffer,
      wasm.records.value,
      (RECORD / 4) * wasm.terms.value,
    );
    for (let term = 0; term < wasm.terms.value; term++) {
      const hash = records[(RECORD / 4) * term]!;
      let slot = (hash ^ (hash >>> 15)) & (count - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (count - 1);
      slots[slot] = term + 1;
    }
  }
}
