/**
 * Packs a fitted LSA space: the items' vectors, and the dictionary, idf and term vectors that fold
 * queries in.
 */
import { describeValue, InputError } from '../../../core/errors.ts';
import type { Dictionary } from '../lexical/dictionary.ts';

export interface LsaParts {
  readonly dimensions: number;
  readonly singularValues: Float64Array;
  /** Items × dimensions. */
  readonly vectors: Float32Array;
  readonly dictionary: Dictionary;
  /** One number per term. */
  readonly idf: Float64Array;
  /** Terms × dimensions. */
  readonly terms: Float32Array;
}

type StoredLsaArray = Uint8Array | Uint32Array | Float32Array | Float64Array;

export interface PackedLsa {
  readonly header: { readonly format: string; readonly dimensions: number };
  readonly arrays: Readonly<Record<string, StoredLsaArray>>;
}

const FORMAT = 'multihop-lsa-1';

export function packLsa({
  dimensions,
  singularValues,
  vectors,
  dictionary,
  idf,
  terms,
}: LsaParts): PackedLsa {
  return {
    header: { format: FORMAT, dimensions },
    arrays: { singularValues, vectors, ...dictionary, idf, terms },
  };
}

/**
 * Returns the parts of a packed space. Throws `InputError('bad-index')` if the arrays do not match
 * the header; the store's checksums cover their contents.
 */
export function unpackLsa({ header, arrays }: PackedLsa): LsaParts {
  if (header.format !== FORMAT) throw broken(`the format ${FORMAT}`, describeValue(header.format));
  const take = <A extends StoredLsaArray>(name: string, Type: new (length: number) => A): A => {
    const array = arrays[name];
    if (!(array instanceof Type))
      throw broken(`an array "${name}"`, array === undefined ? 'nothing' : array.constructor.name);
    return array;
  };
  const { dimensions } = header;
  const dictionary = {
    ends: take('ends', Uint32Array),
    bytes: take('bytes', Uint8Array),
    slots: take('slots', Uint32Array),
  };
  const parts = {
    dimensions,
    singularValues: take('singularValues', Float64Array),
    vectors: take('vectors', Float32Array),
    dictionary,
    idf: take('idf', Float64Array),
    terms: take('terms', Float32Array),
  };
  checkLengths(parts);
  return parts;
}

function checkLengths({
  dimensions,
  singularValues,
  vectors,
  dictionary: { ends, bytes, slots },
  idf,
  terms,
}: LsaParts): void {
  const fits =
    Number.isInteger(dimensions) &&
    singularValues.length === dimensions &&
    (dimensions === 0 ? vectors.length === 0 : vectors.length % dimensions === 0) &&
    idf.length === ends.length &&
    terms.length === ends.length * dimensions &&
    bytes.length === (ends.at(-1) ?? 0) &&
    slots.length > ends.length &&
    Number.isInteger(Math.log2(slots.length));
  if (!fits)
    throw broken(
      'arrays whose sizes fit each other',
      `${dimensions} dimensions, ${ends.length} terms, ${vectors.length} numbers`,
    );
}

function broken(expected: string, received: string): InputError {
  return new InputError('bad-index', 'Not a stored LSA space', {
    expected,
    received,
    hint: 'Ingest the documents again.',
  });
}
