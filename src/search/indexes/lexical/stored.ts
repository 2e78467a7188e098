/**
 * Packs a lexical index as a small JSON header and named typed arrays, which are used in place when
 * loaded.
 */
import { InputError } from '../../../core/errors.ts';
import { ANALYSIS_VERSION } from '../../../core/text/search-form.ts';
import type { FactColumn } from './facts.ts';
import {
  allPostings,
  heldPostings,
  type Inverted,
  type Postings,
  postingCount,
} from './inverted.ts';
import { type Analysis, BOOSTED_FACTS } from './item.ts';

export type StoredArray = Uint8Array | Uint16Array | Uint32Array;
/** Element type of each stored array, by name. */
const STORED_ARRAYS = {
  ends: Uint32Array,
  bytes: Uint8Array,
  slots: Uint32Array,
  offsets: Uint32Array,
  items: Uint16Array,
  frequencies: Uint8Array,
  overflowAt: Uint32Array,
  overflowFrequency: Uint32Array,
  lengths: Uint32Array,
} as const;

/** Names the layout of the arrays and the analysis of the terms: indexes travel without a store. */
const FORMAT = `multihop-lexical-2.${ANALYSIS_VERSION}`;

export interface PackedHeader {
  readonly format: string;
  readonly analysis: Analysis;
  readonly size: number;
  readonly terms: number;
  readonly blocks: number;
  /**
   * The distinct values of the facts that S1 boosts by; their codes are the arrays `codes-FACT`.
   */
  readonly facts: readonly { readonly fact: string; readonly values: readonly string[] }[];
  /** Element type of each array, so that a store can restore the views from bytes. */
  readonly types: Readonly<Record<string, 'u8' | 'u16' | 'u32'>>;
}

export interface Packed {
  readonly header: PackedHeader;
  readonly arrays: Readonly<Record<string, StoredArray>>;
  /** Reads postings of a file whose arrays are each read when they are asked for. */
  readonly postings?: Inverted['postings'];
}

const typeOf = (array: StoredArray): 'u8' | 'u16' | 'u32' =>
  array instanceof Uint8Array ? 'u8' : array instanceof Uint16Array ? 'u16' : 'u32';

export function packIndex(
  analysis: Analysis,
  inverted: Inverted,
  facts: readonly FactColumn[],
  { items, frequencies }: Postings = allPostings(inverted),
): Packed {
  const { size, terms, blocks, dictionary, offsets, overflowAt, overflowFrequency, lengths } =
    inverted;
  const arrays: Record<string, StoredArray> = {
    ...dictionary,
    offsets,
    items,
    frequencies,
    overflowAt,
    overflowFrequency,
    lengths,
  };
  for (const { fact, codes } of facts) arrays[`codes-${fact}`] = codes;
  const types = Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, typeOf(array)]),
  );
  const header = {
    format: FORMAT,
    analysis,
    size,
    terms,
    blocks,
    facts: facts.map(({ fact, values }) => ({ fact, values })),
    types,
  };
  return { header, arrays };
}

export function packedBytes(packed: Packed): number {
  return Object.values(packed.arrays).reduce((sum, array) => sum + array.byteLength, 0);
}

/**
 * Returns the parts of a packed index. Throws `InputError('bad-index')` if the arrays do not match
 * the header.
 */
export function unpackIndex({ header, arrays, postings }: Packed): {
  analysis: Analysis;
  inverted: Inverted;
  facts: FactColumn[];
} {
  if (header.format !== FORMAT) throw broken(`the format ${FORMAT}`, String(header.format));
  const { analysis, size, terms, blocks } = header;
  const take = (name: keyof typeof STORED_ARRAYS): StoredArray => {
    const array = arrays[name];
    if (!(array instanceof STORED_ARRAYS[name]))
      throw broken(`an array "${name}"`, array === undefined ? 'nothing' : typeOf(array));
    return array;
  };
  const dictionary = {
    ends: take('ends') as Uint32Array,
    bytes: take('bytes') as Uint8Array,
    slots: take('slots') as Uint32Array,
  };
  const inverted = {
    size,
    terms,
    blocks,
    dictionary,
    offsets: take('offsets') as Uint32Array,
    postings:
      postings ?? heldPostings(take('items') as Uint16Array, take('frequencies') as Uint8Array),
    overflowAt: take('overflowAt') as Uint32Array,
    overflowFrequency: take('overflowFrequency') as Uint32Array,
    lengths: take('lengths') as Uint32Array,
  };
  checkLengths(inverted);
  if (!postings) checkPostings(inverted);
  return { analysis, inverted, facts: unpackFacts(header, arrays) };
}

function unpackFacts(header: PackedHeader, arrays: Packed['arrays']): FactColumn[] {
  return header.facts.map(({ fact: name, values }) => {
    const fact = BOOSTED_FACTS.find(known => known === name);
    const codes = arrays[`codes-${name}`];
    if (fact === undefined || !(codes instanceof Uint32Array) || codes.length !== header.size)
      throw broken('the columns of its facts', String(name));
    return { fact, values, codes };
  });
}

/** Checks sizes that must agree; the store's checksums cover contents. */
function checkLengths({ size, terms, blocks, dictionary, offsets, lengths }: Inverted): void {
  const { ends, bytes, slots } = dictionary;
  const fits =
    lengths.length === size &&
    ends.length === terms &&
    offsets.length === blocks * (terms + 1) &&
    bytes.length === (ends.at(-1) ?? 0) &&
    slots.length > terms &&
    Number.isInteger(Math.log2(slots.length));
  if (!fits) throw unfit(`${size} items, ${terms} terms`);
}

function checkPostings(inverted: Inverted): void {
  const { items, frequencies } = allPostings(inverted);
  if (items.length !== postingCount(inverted) || frequencies.length !== items.length)
    throw unfit(`${items.length} postings`);
}

const unfit = (received: string): InputError =>
  broken('arrays whose sizes fit each other', received);

function broken(expected: string, received: string): InputError {
  return new InputError('bad-index', 'Not a stored lexical index', {
    expected,
    received,
    hint: 'Ingest the documents again.',
  });
}
