/** Writes the parts of an ONNX file field by field, for models that tests make. */

/**
 * A field of a protocol buffer: its number and kind, then a varint, or a length and its bytes.
 */
export type Field = Buffer;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    left >>= 7n;
  } while (left > 0n);
  return Buffer.from(bytes);
}
export const int = (field: number, value: number): Field =>
  Buffer.concat([varint(field << 3), varint(value)]);
export const bytes = (field: number, value: Buffer | string): Field =>
  Buffer.concat([varint((field << 3) | 2), varint(Buffer.byteLength(value)), Buffer.from(value)]);
export const message = (field: number, ...fields: Field[]): Field =>
  bytes(field, Buffer.concat(fields));

// Field numbers are those of onnx.proto.
export const FLOAT = 1;
export const INT64 = 7;

export function node(
  type: string,
  inputs: readonly string[],
  outputs: readonly string[],
  ...attributes: Field[]
): Field {
  return message(
    1,
    ...inputs.map(name => bytes(1, name)),
    ...outputs.map(name => bytes(2, name)),
    bytes(4, type),
    ...attributes,
  );
}

export function constant(
  name: string,
  type: number,
  dims: readonly number[],
  values: Float32Array | BigInt64Array,
): Field {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return message(
    5,
    ...dims.map(value => int(1, value)),
    int(2, type),
    bytes(8, name),
    bytes(9, raw),
  );
}

/** Named dimensions are variable. */
export function slot(
  field: 11 | 12,
  name: string,
  type: number,
  dims: readonly (string | number)[],
): Field {
  const shape = dims.map(dim => message(1, typeof dim === 'string' ? bytes(2, dim) : int(1, dim)));
  return message(field, bytes(1, name), message(2, message(1, int(1, type), message(2, ...shape))));
}
