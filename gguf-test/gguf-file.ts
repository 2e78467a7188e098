/** Writes GGUF files (version 3): metadata and tensors of 32-bit floats. */
import { renameSync, writeFileSync } from 'node:fs';

export type GgufValue = string | boolean | number | { readonly float: number } | readonly string[];

export interface GgufTensor {
  readonly name: string;
  /** Sizes of its axes, the innermost first. */
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Types of values. */
const [UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9];
const ALIGNMENT = 32;

const u32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
};
const u64 = (value: number): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
};
const text = (value: string): Buffer =>
  Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
const padding = (length: number): Buffer =>
  Buffer.alloc((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT);

function entry(key: string, value: GgufValue | Int32Array | Float32Array): Buffer {
  return Buffer.concat([text(key), ...typed(value)]);
}

function typed(value: GgufValue | Int32Array | Float32Array): Buffer[] {
  if (typeof value === 'string') return [u32(STRING!), text(value)];
  if (typeof value === 'boolean') return [u32(BOOL!), Buffer.from([value ? 1 : 0])];
  if (typeof value === 'number') return [u32(UINT32!), u32(value)];
  if (value instanceof Int32Array || value instanceof Float32Array) {
    const type = value instanceof Int32Array ? INT32! : FLOAT32!;
    return [u32(ARRAY!), u32(type), u64(value.length), Buffer.from(value.buffer)];
  }
  if ('float' in value) return [u32(FLOAT32!), Buffer.from(Float32Array.of(value.float).buffer)];
  return [u32(ARRAY!), u32(STRING!), u64(value.length), ...value.map(text)];
}

export function writeGguf(
  path: string,
  metadata: Readonly<Record<string, GgufValue | Int32Array | Float32Array>>,
  tensors: readonly GgufTensor[],
): void {
  let offset = 0;
  const data: Buffer[] = [];
  const infos = tensors.map(({ name, shape, values }) => {
    const at = offset;
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    data.push(bytes, padding(bytes.length));
    offset += bytes.length + padding(bytes.length).length;
    return Buffer.concat([text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(at)]);
  });
  const entries = Object.entries(metadata);
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries.map(([key, value]) => entry(key, value)),
    ...infos,
  ]);
  // A model that has the file in its memory keeps its bytes.
  writeFileSync(`${path}.part`, Buffer.concat([head, padding(head.length), ...data]));
  renameSync(`${path}.part`, path);
}
