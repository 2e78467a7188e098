/**
 * Reads items with the WebAssembly reader (reader.wat): tokenises, looks up and counts bytes.
 */

import { bareTerms } from '../../../core/text/accents.ts';
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
import { writtenClass, writtenClasses, writtenForms } from './written-letters.ts';

/** Addresses that reader.wat fixes. */
const WRITTEN = 65536;
const FORMS = 131072;
const SIGNS = 204992;
/** Places of signs that are kept; a text with more is looked through in JavaScript. */
const MOST_SIGNS = 1024;
const FIRST_REGION = SIGNS + 4 * MOST_SIGNS;
const PAGE = 65536;
/** Bytes around a text, and after terms, that may be read but are ignored. */
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
  | 'underscore'
  | 'beside'
  | 'shortest'
  | 'slots'
  | 'slotBits'
  | 'records'
  | 'recordLimit'
  | 'bytes'
  | 'byteLimit'
  | 'postings'
  | 'postingLimit'
  | 'terms'
  | 'byteCount'
  | 'postingCount'
  | 'bare'
  | 'signs';
interface Exports extends Readonly<Record<Cells, Cell>> {
  readonly start: () => number;
  readonly isSimple: (at: number, limit: number) => number;
  readonly read: (at: number, limit: number, times: number, asWritten: number) => number;
  readonly readBare: (times: number) => void;
  readonly enter: (slots: number, bits: number) => void;
  readonly finish: (slots: number, bits: number, ends: number) => void;
}

let module: object | undefined | null = null;
const encoder = new TextEncoder();

/** Creates a reader for so many items and characters; undefined if WebAssembly is unavailable. */
export function createFastForward(
  size: number,
  characters: number,
  analysis: Analysis,
): ForwardReader | undefined {
  if (module === null) module = compileModule(READER_BASE64);
  const memory = module === undefined ? undefined : createMemory(5, MOST_PAGES);
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
  /** Bytes for words without accents, which stay in place while forms of their text are read. */
  private bareLimit = 0;
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
    this.octets.set(writtenClasses, WRITTEN);
    this.octets.set(writtenForms, FORMS);
    const wasm = instantiate(compiled, {
      memory,
      letter: (code: number) => (isOfTerm(code) ? 1 : 0),
      written: (code: number) => this.written(code),
      grow: (region: number) => this.grow(region),
    }) as Exports;
    this.wasm = wasm;
    this.lengths = new Uint32Array(size);
    this.starts = new Uint32Array(size + 1);
    this.readsBeside = analysis === 'plain';
    wasm.beside.value = analysis === 'plain' ? 1 : 0;
    wasm.shortest.value = analysis === 's1' ? 2 : 1;
    wasm.underscore.value = analysis === 's1' ? 0x5f : 0;
    wasm.slotBits.value = 11;
    wasm.recordLimit.value = 1 << 10;
    wasm.byteLimit.value = 1 << 13;
    // About one posting in ten characters is typical.
    this.room = Math.min(RUN, Math.max(1 << 10, characters >>> 3));
    wasm.postingLimit.value = this.room;
    wasm.slots.value = this.allocate(4 << wasm.slotBits.value);
    wasm.records.value = this.allocate(RECORD * wasm.recordLimit.value);
    wasm.bytes.value = this.allocate(wasm.byteLimit.value + PADDING);
    wasm.postings.value = this.allocate(8 * this.room);
  }

  read(fields: readonly Field[]): void {
    const before = this.wasm.start();
    this.starts[this.item] = before;
    if (before - this.drained >= this.room >>> 1) this.drain(before);
    let length = 0;
    for (const [text, times, beside = ''] of fields) {
      if (text.length === 0) continue;
      length += times * this.readField(text, times);
      if (beside !== '') this.readForm(beside, times);
    }
    this.lengths[this.item++] = length;
  }

  finish(): Forward {
    const { wasm, memory } = this;
    const count = wasm.postingCount.value;
    this.starts[this.item] = count;
    this.drain(count);
    const terms = wasm.terms.value;
    const slots = this.allocate(4 << wasm.slotBits.value);
    const ends = this.allocate(4 * terms);
    wasm.finish(slots, wasm.slotBits.value, ends);
    const dictionary: Dictionary = {
      ends: new Uint32Array(memory.buffer, ends, terms).slice(),
      bytes: this.octets.slice(wasm.bytes.value, wasm.bytes.value + wasm.byteCount.value),
      slots: new Uint32Array(memory.buffer, slots, 1 << wasm.slotBits.value).slice(),
    };
    return { dictionary, runs: this.runs, starts: this.starts, lengths: this.lengths };
  }

  /**
   * Copies the postings of the items before out of the memory, which cannot shrink: it stays as
   * large as terms and a run. The reader numbers postings on, so their region seems to begin before
   * its place, in addresses of 32 bits.
   */
  private drain(until: number): void {
    const { wasm, drained, memory, item } = this;
    const count = until - drained;
    if (count === 0) return;
    const at = (wasm.postings.value + 8 * drained) >>> 0;
    const postings = new Uint32Array(memory.buffer, at, 2 * count).slice();
    this.runs.push({ from: this.runs.at(-1)?.to ?? 0, to: item, postings });
    this.drained = until;
    this.place(at);
  }

  /** Lets the postings that are not drained begin at an address. */
  private place(at: number): void {
    this.wasm.postings.value = (at - 8 * this.drained) | 0;
    this.wasm.postingLimit.value = this.drained + this.room;
  }

  /** Returns the number of terms. The reader puts simple texts in their form itself. */
  private readField(text: string, times: number): number {
    const { wasm } = this;
    if (text.length > this.textLimit) this.makeRoom(text.length);
    let { read, written } = encoder.encodeInto(text, this.textView);
    if (read < text.length) {
      this.makeRoom(written + 3 * (text.length - read));
      ({ read, written } = encoder.encodeInto(text, this.textView));
    }
    this.makeBareRoom();
    const limit = this.text + written;
    if (written > read && wasm.isSimple(this.text, limit) === 0)
      return this.readComplex(text, times);
    const count = wasm.read(this.text, limit, times, 1);
    if (count >= 0) return count;
    this.readBeside(text, times);
    return ~count;
  }

  /** Reads the terms at the signs of the text that was read last, and those without accents. */
  private readBeside(text: string, times: number): void {
    const { wasm } = this;
    const signs = wasm.signs.value;
    const places = new Uint32Array(this.memory.buffer, SIGNS, signs);
    const known = this.knownRuns;
    this.readForm(termsBeside(text, signs < MOST_SIGNS ? { places, known } : undefined), times);
    wasm.readBare(times);
  }

  private readComplex(text: string, times: number): number {
    const { form, characters } = searchForm(text);
    const count = this.readForm(form, times);
    this.readForm(characters, times);
    if (!this.readsBeside) return count;
    this.readForm(termsBeside(text), times);
    this.readForm(bareTerms(form), times);
    return count;
  }

  private readForm(form: string, times: number): number {
    if (form === '') return 0;
    if (3 * form.length > this.textLimit) this.makeRoom(3 * form.length);
    const { written } = encoder.encodeInto(form, this.textView);
    return this.wasm.read(this.text, this.text + written, times, 0);
  }

  private makeRoom(bytes: number): void {
    this.textLimit = Math.max(1 << 13, 2 * this.textLimit, bytes);
    this.text = this.allocate(this.textLimit + 2 * PADDING) + PADDING;
    this.textView = this.octets.subarray(this.text, this.text + this.textLimit);
  }

  /** Words without their accents need up to 5 bytes for 3 of the text. */
  private makeBareRoom(): void {
    if (this.bareLimit >= 2 * this.textLimit) return;
    this.bareLimit = 2 * this.textLimit;
    this.wasm.bare.value = this.allocate(this.bareLimit + PADDING);
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
    const bits = wasm.slotBits.value + 1;
    const slots = this.allocate(4 << bits);
    wasm.enter(slots, bits);
    wasm.slots.value = slots;
    wasm.slotBits.value = bits;
  }

  /** Returns the class of a code point, and writes its form. Called by the reader. */
  private written(code: number): number {
    const known = writtenClass(code);
    const form = 8 * code;
    if (form < writtenForms.length)
      this.octets.set(writtenForms.subarray(form, form + 8), FORMS + form);
    return known;
  }
}
