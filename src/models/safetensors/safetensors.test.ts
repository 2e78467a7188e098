/** Safetensors: round trips, a file made by hand, and whatever may be wrong with one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../../core/errors.ts';
import { mulberry32 } from '../../core/mulberry32.ts';
import { publishedConfig, readCheckpoint, writeCheckpoint } from '../tree-hop/checkpoint.ts';
import { initialParameters } from '../tree-hop/parameters.ts';
import { publishedShape } from '../tree-hop/shape.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';
import type { Tensor } from './tensor.ts';

/** A file from the text of its header and its data. */
function file(header: string, data: number | Uint8Array = 0): Uint8Array {
  const text = Buffer.from(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Uint8Array.from(
    Buffer.concat([length, text, typeof data === 'number' ? Buffer.alloc(data) : data]),
  );
}
const entry = (
  start: number,
  end: number,
  shape: readonly number[] = [(end - start) / 4],
  dtype = 'F32',
): string => JSON.stringify({ dtype, shape, data_offsets: [start, end] });

test('reads a hand-made file, aligned or not, with spaces after the header', () => {
  const data = Buffer.alloc(12);
  [1.5, -2, 0.25].forEach((value, i) => {
    data.writeFloatLE(value, 4 * i);
  });
  for (const spaces of ['', ' ', '   ']) {
    const bytes = file(
      `{"b":${entry(8, 12, [])},"__metadata__":{"k":"v"},"a":${entry(0, 8, [2, 1])}}${spaces}`,
      data,
    );
    for (const shift of [0, 1, 2, 3]) {
      const moved = new Uint8Array(bytes.length + shift);
      moved.set(bytes, shift);
      const { metadata, tensors } = readSafetensors(moved.subarray(shift));
      assert.deepEqual(metadata, { k: 'v' });
      assert.deepEqual(tensors.get('a'), { shape: [2, 1], data: Float32Array.of(1.5, -2) });
      assert.deepEqual(tensors.get('b'), { shape: [], data: Float32Array.of(0.25) });
    }
  }
});

test('writes the expected bytes', () => {
  const bytes = writeSafetensors({
    metadata: {},
    tensors: new Map([['a', { shape: [1], data: Float32Array.of(1) }]]),
  });
  const header = '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}';
  assert.equal(
    Buffer.from(bytes.subarray(8, bytes.length - 4)).toString(),
    header.padEnd(Math.ceil(header.length / 8) * 8),
  );
  assert.deepEqual([...bytes.subarray(0, 8)], [56, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual([...bytes.subarray(-4)], [0, 0, 128, 63]);
});

/**
 * Not a backslash alone: once an object had that key, `JSON.parse` of Node 24.21 takes other
 * escaped keys of one character for it.
 */
const name$ = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', '"', '\\\\', '{"a":', 'é', ''),
  )
  .filter(name => name !== '__metadata__' && name !== '\\' && name.isWellFormed());
const tensor$: fc.Arbitrary<Tensor> = fc.array(fc.nat({ max: 3 }), { maxLength: 3 }).chain(shape =>
  fc
    .array(fc.integer(), {
      minLength: shape.reduce((a, b) => a * b, 1),
      maxLength: shape.reduce((a, b) => a * b, 1),
    })
    .map(bits => ({ shape, data: new Float32Array(Int32Array.from(bits).buffer) })),
);
const bits = ({ data }: Tensor): number[] => [
  ...new Int32Array(data.buffer, data.byteOffset, data.length),
];
const contents$ = fc.tuple(
  fc.array(fc.tuple(name$, tensor$), { maxLength: 5 }),
  fc.array(fc.tuple(name$, fc.string({ unit: 'grapheme' })), { maxLength: 3 }),
);

test('reads its own files back, for any names, shapes, texts and bit patterns', () => {
  fc.assert(
    fc.property(contents$, ([tensors, metadata]) => {
      const given = { tensors: new Map(tensors), metadata: Object.fromEntries(metadata) };
      const bytes = writeSafetensors(given);
      const read = readSafetensors(bytes);
      assert.deepEqual(read.metadata, given.metadata);
      assert.deepEqual([...read.tensors.keys()].sort(), [...given.tensors.keys()].sort());
      for (const [name, tensor] of given.tensors) {
        assert.deepEqual(read.tensors.get(name)!.shape, tensor.shape);
        assert.deepEqual(bits(read.tensors.get(name)!), bits(tensor));
      }
      assert.equal((Number(new DataView(bytes.buffer).getBigUint64(0, true)) + 8) % 8, 0);
    }),
    { numRuns: 200 },
  );
});

describe('refuses invalid files with the fault', () => {
  const wrong: readonly (readonly [what: string, bytes: Uint8Array, message: RegExp])[] = [
    ['nothing', new Uint8Array(0), /cut short.*8 bytes/],
    ['half a length', new Uint8Array(7), /cut short/],
    ['a header that is cut', file('{"a":').subarray(0, 10), /cut short.*header/],
    ['a header too large', Uint8Array.of(0, 0, 0, 0, 1, 0, 0, 0), /too large.*100000000/],
    ['a length beyond all numbers', new Uint8Array(8).fill(255), /too large/],
    ['no JSON', file('{"a":'), /not JSON/],
    ['not UTF-8', Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 255), /UTF-8/],
    ['an empty header', file(''), /not JSON/],
    ['a list', file('[]'), /an object/],
    ['null', file('null'), /an object/],
    ['a name twice', file(`{"a":${entry(0, 4)},"a":${entry(0, 4)}}`, 4), /"a" twice/],
    [
      'a name twice, once escaped',
      file(`{"a":${entry(0, 4)},"\\u0061":${entry(0, 4)}}`, 4),
      /"a" twice/,
    ],
    [
      'a field twice',
      file(`{"a":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}}`, 4),
      /"shape" twice/,
    ],
    [
      'another dtype',
      file(`{"a":${entry(0, 4, [2], 'F16')}}`, 4),
      /dtype of the tensor "a".*"F32".*"F16"/,
    ],
    ['no dtype', file('{"a":{}}'), /dtype of the tensor "a".*nothing/],
    ['no entry', file('{"a":7}'), /entry of the tensor "a"/],
    ['a negative shape', file(`{"a":${entry(0, 4, [-1])}}`, 4), /shape of the tensor "a"/],
    ['a shape of fractions', file(`{"a":${entry(0, 4, [0.5])}}`, 4), /shape of the tensor "a"/],
    [
      'a shape beyond all numbers',
      file(`{"a":${entry(0, 4, [2 ** 52, 2 ** 52])}}`, 4),
      /bytes for the shape/,
    ],
    [
      'offsets the wrong way',
      file(`{"a":${entry(4, 0, [1])}}`, 4),
      /data_offsets of the tensor "a"/,
    ],
    [
      'offsets for another shape',
      file(`{"a":${entry(0, 4, [2])}}`, 4),
      /8 bytes for the shape \[2\]/,
    ],
    [
      'three offsets',
      file('{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}}', 4),
      /data_offsets/,
    ],
    ['an overlap', file(`{"a":${entry(0, 8)},"b":${entry(4, 12)}}`, 12), /"b" overlaps/],
    [
      'a gap',
      file(`{"a":${entry(0, 4)},"b":${entry(8, 12)}}`, 12),
      /Before the tensor "b" is a gap/,
    ],
    ['data cut short', file(`{"a":${entry(0, 8)}}`, 4), /cut short.*8 bytes/],
    ['more data', file(`{"a":${entry(0, 4)}}`, 5), /After the last tensor/],
    ['metadata of numbers', file('{"__metadata__":{"a":1}}'), /__metadata__.*texts/],
  ];
  for (const [what, bytes, message] of wrong)
    test(what, () =>
      assert.throws(() => readSafetensors(bytes), { code: 'bad-safetensors', message }),
    );

  test('refuses to write invalid tensors', () => {
    const tensor = { shape: [2], data: new Float32Array(1) };
    assert.throws(() => writeSafetensors({ metadata: {}, tensors: new Map([['a', tensor]]) }), {
      code: 'bad-safetensors',
      message: /"a"/,
    });
    assert.throws(
      () => writeSafetensors({ metadata: {}, tensors: new Map([['__metadata__', tensor]]) }),
      { code: 'bad-safetensors' },
    );
  });
});

test('reads or refuses truncated, changed and random bytes', () => {
  const model = writeCheckpoint({
    parameters: initialParameters(publishedShape(2), mulberry32(1)),
    provenance: { encoder: 'x' },
  });
  const damaged$ = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat({ max: model.length }).map(length => model.slice(0, length)),
    fc
      .tuple(fc.nat({ max: 3000 }), fc.nat({ max: 255 }))
      .map(([at, value]) => model.with(at % model.length, value)),
    fc.json().map(text => file(text, 8)),
  );
  fc.assert(
    fc.property(damaged$, bytes => {
      try {
        readCheckpoint(bytes);
      } catch (error) {
        assert.ok(InputError.is(error), String(error));
      }
    }),
    { numRuns: 600 },
  );
});

test('keeps parameters and provenance, and refuses other sizes in the metadata', () => {
  const parameters = initialParameters({ d: 3, g: 4, m: 5, nMlp: 2, heads: 2 }, mulberry32(1));
  const provenance = { encoder: 'all-MiniLM-L6-v2', queryPooling: 'mean', step: '120' };
  const bytes = writeCheckpoint({ parameters, provenance });
  assert.deepEqual(readCheckpoint(bytes), { parameters, provenance });
  assert.deepEqual(readSafetensors(bytes).metadata['nHead'], '2');
  const { metadata, tensors } = readSafetensors(bytes);
  assert.throws(
    () => readCheckpoint(writeSafetensors({ metadata: { ...metadata, g: '9' }, tensors })),
    { code: 'bad-checkpoint', message: /"g"/ },
  );
  // The published file has no metadata of ours.
  assert.deepEqual(readCheckpoint(writeSafetensors({ metadata: { format: 'pt' }, tensors })), {
    parameters,
    provenance: { format: 'pt' },
  });
  assert.deepEqual(publishedConfig(publishedShape(1024)), {
    x_size: 1024,
    g_size: 2048,
    mlp_size: 2048,
    n_mlp: 3,
    dropout: 0,
    n_head: 1,
  });
});
