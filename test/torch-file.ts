/**
 * Builds files in the format of torch.save byte by byte: a ZIP archive of a pickle and its
 * storages.
 */
import { deflateRawSync, crc32 as nodeCrc32 } from 'node:zlib';
import type { TreeHopParameters } from '../src/models/tree-hop/parameters.ts';
import { tensorShapes } from '../src/models/tree-hop/shape.ts';

export const u16 = (value: number): Buffer => Buffer.from([value & 255, value >> 8]);
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

export interface Written {
  readonly name: string;
  readonly data: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
}

/**
 * Builds a ZIP archive in the layout of torch.save: an extra field of the local header aligns data
 * to 64 bytes.
 */
export function zip(files: readonly Written[], comment = ''): Uint8Array {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, data, method = 0, flags = 0 } of files) {
    const packed = method === 8 ? deflateRawSync(data) : Buffer.from(data);
    const sizes = [
      u32(nodeCrc32(data)),
      u32(packed.length),
      u32(data.length),
      u16(Buffer.byteLength(name)),
    ];
    const fields = [u16(0), u16(flags), u16(method), u32(0), ...sizes];
    const padding = 64 - ((at + 30 + Buffer.byteLength(name) + 4) % 64);
    const extra = Buffer.concat([Buffer.from('FB'), u16(padding), Buffer.alloc(padding, 'Z')]);
    const local = Buffer.concat([
      u32(0x04034b50),
      ...fields,
      u16(extra.length),
      Buffer.from(name),
      extra,
      packed,
    ]);
    directory.push(
      Buffer.concat([
        u32(0x02014b50),
        u16(0),
        ...fields,
        u16(0),
        u16(0),
        u16(0),
        u16(0),
        u32(0),
        u32(at),
        Buffer.from(name),
      ]),
    );
    parts.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = u16(files.length);
  const end = [
    u32(0x06054b50),
    u16(0),
    u16(0),
    count,
    count,
    u32(size),
    u32(at),
    u16(comment.length),
    Buffer.from(comment),
  ];
  return Uint8Array.from(Buffer.concat([...parts, ...directory, ...end]));
}

/** Opcodes of Python's pickle, protocol 2, that torch.save writes. */
export const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from('X'), u32(Buffer.byteLength(value)), Buffer.from(value)]);
export const whole = (value: number): Buffer =>
  value < 256 ? Buffer.from([0x4b, value]) : Buffer.concat([Buffer.from('J'), u32(value)]);
export const named = (module: string, name: string): Buffer => Buffer.from(`c${module}\n${name}\n`);
export const tuple = (...values: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('('), ...values, Buffer.from('t')]);
export const called = (callee: Buffer, given: Buffer): Buffer =>
  Buffer.concat([callee, given, Buffer.from('R')]);
export const EMPTY: Buffer = called(named('collections', 'OrderedDict'), Buffer.from(')'));
export const storage = (
  key: string,
  length: number,
  type: Buffer = named('torch', 'FloatStorage'),
): Buffer =>
  Buffer.concat([
    tuple(text('storage'), type, text(key), text('cpu'), whole(length)),
    Buffer.from('Q'),
  ]);
export const tensor = (
  from: Buffer,
  offset: number,
  size: readonly number[],
  stride: readonly number[],
): Buffer => {
  const given = [
    from,
    whole(offset),
    tuple(...size.map(whole)),
    tuple(...stride.map(whole)),
    Buffer.from([0x89]),
    EMPTY,
  ];
  return called(named('torch._utils', '_rebuild_tensor_v2'), tuple(...given));
};
export const pickle = (...body: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0x80, 2]), ...body, Buffer.from('.')]);
/** Adds the attribute `_metadata` of a state dict. */
export const dictionary = (entries: readonly (readonly [string, Buffer])[]): Buffer => {
  const items = entries.map(([name, value]) => Buffer.concat([text(name), value]));
  const attributes = Buffer.concat([Buffer.from('}'), text('_metadata'), EMPTY, Buffer.from('sb')]);
  return Buffer.concat([EMPTY, Buffer.from('('), ...items, Buffer.from('u'), attributes]);
};
export const floats = (...values: readonly number[]): Uint8Array =>
  new Uint8Array(Float32Array.from(values).buffer);

export const file = (
  data: Buffer,
  storages: Readonly<Record<string, Uint8Array>> = {},
  more: readonly Written[] = [],
): Uint8Array =>
  zip([
    { name: 'tiny/data.pkl', data },
    { name: 'tiny/byteorder', data: Buffer.from('little') },
    ...Object.entries(storages).map(([key, bytes]) => ({ name: `tiny/data/${key}`, data: bytes })),
    { name: 'tiny/version', data: Buffer.from('3\n') },
    ...more,
  ]);

/** Builds a TreeHop model's state dict. */
export function torchModel(parameters: TreeHopParameters): Uint8Array {
  const shapes = tensorShapes(parameters);
  const entries = shapes.map(({ name, shape: size }, key): [string, Buffer] => {
    const stride = size.map((_, i) => size.slice(i + 1).reduce((a, b) => a * b, 1));
    return [
      name,
      tensor(storage(String(key), parameters.tensors.get(name)!.length), 0, size, stride),
    ];
  });
  return file(
    pickle(dictionary(entries)),
    Object.fromEntries(
      shapes.map(({ name }, key) => [key, floats(...parameters.tensors.get(name)!)]),
    ),
  );
}
