/**
 * Packs a vector index as a small JSON header and named typed arrays, which are used in place when
 * loaded.
 */
import { describeValue, InputError } from '../../../core/errors.ts';
import { type Codes, codesLength } from './quantise.ts';
import { checkDimensions, type Rows, strideOf } from './rows.ts';

export type StoredVectorArray = Uint8Array | Float32Array;

const FORMAT = 'multihop-vector-1';

export interface PackedVectorHeader {
  readonly format: string;
  readonly size: number;
  readonly dimensions: number;
  /** True if there are 8-bit codes beside the rows. */
  readonly quantised: boolean;
  /** Element type of each array, so that a store can restore the views from bytes. */
  readonly types: Readonly<Record<string, 'u8' | 'f32'>>;
}

export interface PackedVectors {
  readonly header: PackedVectorHeader;
  /**
   * `rows` and `norms`; if quantised also `codes` (two's complement, rows in fours as in
   * kernel.wat), `scales` and `residuals`.
   */
  readonly arrays: Readonly<Record<string, StoredVectorArray>>;
}

export function packVectors(
  { size, dimensions, values, norms }: Rows,
  codes: Codes | undefined,
): PackedVectors {
  const arrays: Record<string, StoredVectorArray> = { rows: values, norms };
  if (codes !== undefined) {
    const { scales, residuals } = codes;
    arrays['codes'] = new Uint8Array(
      codes.codes.buffer,
      codes.codes.byteOffset,
      codes.codes.length,
    );
    Object.assign(arrays, { scales, residuals });
  }
  const types = Object.fromEntries(
    Object.entries(arrays).map(([name, array]) => [name, typeOf(array)]),
  );
  return {
    header: { format: FORMAT, size, dimensions, quantised: codes !== undefined, types },
    arrays,
  };
}

export function packedVectorBytes({ arrays }: PackedVectors): number {
  return Object.values(arrays).reduce((sum, array) => sum + array.byteLength, 0);
}

/**
 * Returns the parts of a packed index. Throws `InputError('bad-index')` if the arrays do not match
 * the header; the store's checksums cover their contents.
 */
export function unpackVectors({ header, arrays }: PackedVectors): {
  rows: Rows;
  codes: Codes | undefined;
} {
  const { format, size, dimensions, quantised } = header;
  if (format !== FORMAT) throw broken(`the format ${FORMAT}`, describeValue(format));
  checkDimensions(dimensions);
  const stride = strideOf(dimensions);
  const take = <A extends StoredVectorArray>(
    name: string,
    Type: new (length: number) => A,
    length: number,
  ): A => {
    const array = arrays[name];
    if (!(array instanceof Type) || array.length !== length)
      throw broken(
        `an array "${name}" of ${length} ${Type.name} elements`,
        array === undefined ? 'nothing' : `${array.length}`,
      );
    return array;
  };
  const rows = {
    size,
    dimensions,
    stride,
    values: take('rows', Float32Array, size * stride),
    norms: take('norms', Float32Array, size),
  };
  if (!quantised) return { rows, codes: undefined };
  const bytes = take('codes', Uint8Array, codesLength(size, stride));
  const codes = {
    codes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length),
    scales: take('scales', Float32Array, size),
    residuals: take('residuals', Float32Array, size),
  };
  return { rows, codes };
}

const typeOf = (array: StoredVectorArray): 'u8' | 'f32' =>
  array instanceof Uint8Array ? 'u8' : 'f32';

function broken(expected: string, received: string): InputError {
  return new InputError('bad-index', 'Not a stored vector index', {
    expected,
    received,
    hint: 'Ingest the documents again.',
  });
}
