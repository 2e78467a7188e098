/**
 * Safetensors, read and written: u64 header length, JSON header `{name: {dtype, shape,
 * data_offsets}}` with `__metadata__`, raw data.
 *
 * Of the element types F32, I8 and U8, little-endian. As the reference reader demands, the data of
 * the tensors must follow each other without a gap or an overlap and fill the file; a header holds
 * no name twice and is at most 100 MB long. Whatever else comes is an `InputError`.
 */
import { InputError } from '../../core/errors.ts';
import { parseJson } from '../../core/text/bounded-json.ts';
import { repeatedKey } from './json-keys.ts';
import { type ElementType, elementsOf, type Tensor, type TensorData } from './tensor.ts';

export interface Safetensors<T extends ElementType = 'F32'> {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, Tensor<T>>;
}

const METADATA = '__metadata__';
const MOST_HEADER_BYTES = 100_000_000;
/** The header is padded with spaces so that the data begins here, and views of it can be taken. */
const ALIGNMENT = 8;

/** The bytes of a file. Tensors stand in the order given, names and metadata as they are. */
export function writeSafetensors({ metadata, tensors }: Safetensors<ElementType>): Uint8Array {
  let end = 0;
  const entries = [...tensors].map(([name, { shape, data }]): [string, Entry] => {
    if (name === METADATA) throw bad(`A tensor may not be named "${METADATA}"`);
    if (elementsOf(shape) !== data.length)
      throw bad(
        `The tensor "${name}"`,
        `${elementsOf(shape)} numbers for the shape [${shape.join(', ')}]`,
        String(data.length),
      );
    const start = end;
    end += data.byteLength;
    return [name, { dtype: elementTypeOf(data), shape, data_offsets: [start, end] }];
  });
  // Not an object literal with these keys: one may be named like a property of all objects.
  const members = [
    ...(Object.keys(metadata).length > 0 ? [[METADATA, metadata] as const] : []),
    ...entries,
  ];
  const header = new TextEncoder().encode(
    `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`,
  );
  const length = Math.ceil(header.length / ALIGNMENT) * ALIGNMENT;
  if (length > MOST_HEADER_BYTES)
    throw bad('The header is too large', `at most ${MOST_HEADER_BYTES} bytes`, String(length));
  const bytes = new Uint8Array(8 + length + end);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.fill(0x20, 8, 8 + length);
  bytes.set(header, 8);
  let at = 8 + length;
  for (const { data } of tensors.values()) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

/**
 * The tensors of a file, all of the element types given: views of the bytes where they are aligned.
 * Throws `InputError('bad-safetensors')` naming what is wrong.
 */
export function readSafetensors<T extends ElementType = 'F32'>(
  bytes: Uint8Array,
  types: readonly T[] = ['F32' as T],
): Safetensors<T> {
  const { header, data } = splitFile(bytes);
  const { [METADATA]: metadata = {}, ...rest } = header;
  if (!isObject(metadata) || Object.values(metadata).some(value => typeof value !== 'string'))
    throw bad(`"${METADATA}" of the header`, 'texts by name', JSON.stringify(metadata));
  const entries = Object.entries(rest).map(
    ([name, entry]) => [name, checkedEntry(name, entry, types)] as const,
  );
  checkLayout(entries, data.length);
  const tensors = new Map(entries.map(([name, entry]) => [name, tensorOf(entry, data)]));
  return { metadata: metadata as Record<string, string>, tensors };
}

interface Entry<T extends ElementType = ElementType> {
  readonly dtype: T;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function splitFile(bytes: Uint8Array): { header: Record<string, unknown>; data: Uint8Array } {
  if (bytes.length < 8)
    throw bad('The file is cut short', 'the 8 bytes of the header length', `${bytes.length} bytes`);
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (length > MOST_HEADER_BYTES)
    throw bad('The header is too large', `at most ${MOST_HEADER_BYTES} bytes`, String(length));
  if (length > bytes.length - 8)
    throw bad('The file is cut short', `a header of ${length} bytes`, `${bytes.length - 8} bytes`);
  return { header: parseHeader(bytes.subarray(8, 8 + length)), data: bytes.subarray(8 + length) };
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  let text: string;
  let header: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    header = parseJson(text);
  } catch (cause) {
    throw new InputError('bad-safetensors', 'The header is not JSON in UTF-8', { cause });
  }
  if (!isObject(header)) throw bad('The header', 'an object', JSON.stringify(header).slice(0, 40));
  const twice = repeatedKey(text);
  if (twice !== undefined) throw bad(`The header holds the name "${twice}" twice`);
  return header;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(isCount);

function checkedEntry<T extends ElementType>(
  name: string,
  entry: unknown,
  types: readonly T[],
): Entry<T> {
  const wrong = (what: string, expected: string, received: unknown): InputError =>
    bad(`The ${what} of the tensor "${name}"`, expected, JSON.stringify(received) ?? 'nothing');
  if (!isObject(entry)) throw wrong('entry', 'an object', entry);
  const { dtype, shape, data_offsets: offsets } = entry;
  if (!types.includes(dtype as T))
    throw wrong('dtype', types.map(type => `"${type}"`).join(' or '), dtype);
  if (!Array.isArray(shape) || !shape.every(isCount)) throw wrong('shape', 'whole numbers', shape);
  if (!isPair(offsets) || offsets[0] > offsets[1])
    throw wrong('data_offsets', 'where it begins and where it ends', offsets);
  const length = elementsOf(shape) * BYTES[dtype as T];
  if (length !== offsets[1] - offsets[0])
    throw wrong('data_offsets', `${length} bytes for the shape [${shape.join(', ')}]`, offsets);
  return { dtype: dtype as T, shape, data_offsets: offsets };
}

function checkLayout(entries: readonly (readonly [string, Entry])[], length: number): void {
  const sorted = [...entries].sort(
    ([, { data_offsets: a }], [, { data_offsets: b }]) => a[0] - b[0] || a[1] - b[1],
  );
  let end = 0;
  for (const [name, { data_offsets: offsets }] of sorted) {
    if (offsets[0] < end)
      throw bad(`The tensor "${name}" overlaps another`, `data from ${end} on`, String(offsets[0]));
    if (offsets[0] > end)
      throw bad(`Before the tensor "${name}" is a gap`, `data from ${end} on`, String(offsets[0]));
    end = offsets[1];
  }
  if (length < end) throw bad('The file is cut short', `${end} bytes of data`, String(length));
  if (length > end)
    throw bad('After the last tensor is more', `${end} bytes of data`, String(length));
}

function tensorOf<T extends ElementType>(
  { dtype, shape, data_offsets: [start, end] }: Entry<T>,
  data: Uint8Array,
): Tensor<T> {
  return { shape, data: VIEWS[dtype](data.subarray(start, end)) };
}

const BYTES: Readonly<Record<ElementType, number>> = { F32: 4, I8: 1, U8: 1 };
const VIEWS: { readonly [T in ElementType]: (bytes: Uint8Array) => TensorData[T] } = {
  F32: bytes => floatsOf(bytes),
  I8: bytes => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  U8: bytes => bytes,
};
const elementTypeOf = (data: TensorData[ElementType]): ElementType =>
  data instanceof Float32Array ? 'F32' : data instanceof Int8Array ? 'I8' : 'U8';

/** The floats of little-endian bytes: a view where they are aligned, else a copy. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(
    aligned.buffer as ArrayBuffer,
    aligned.byteOffset,
    aligned.byteLength / 4,
  );
}

function bad(message: string, expected?: string, received?: string): InputError {
  return new InputError('bad-safetensors', message, { expected, received });
}
