/** Packing: what is packed is unpacked as it was, and what repeats is written once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Json } from './packed-table.ts';
import { Packer } from './packer.ts';
import { UnpackError, Unpacker } from './unpacker.ts';

const words = fc.constantFrom(
  ...['~', '~~', '~1', '~0:3:', '~0<', '=', '~=', 'rows', '', 'short', '__proto__', '12', '😀'],
  'https://example.org/a/long/address/of/a/document',
  'https://example.org/a/long/address/of/another#s0001',
  'https://example.org/a/long/address/of/a/document#s0002',
  'Which of the two houses was built first?',
  'Harrow Which of the two houses was built first?',
  'a long text ends in 😀',
  'a long text ends in 😁',
  ...['3104', '3104#s0001', '3104#', '#', '~3104#s1', '~#', '7#1'],
);
const leaf = fc.oneof(
  words,
  fc.string(),
  fc.constantFrom(0, -1, 21.04755589009041, 6.2136608452346e-7, true, null),
);
const json = fc.letrec<{ value: Json; object: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(tie('object'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.oneof(
    fc.dictionary(fc.oneof(words, fc.string()), tie('value'), { maxKeys: 4 }),
    fc.record({ id: leaf, score: leaf }),
    fc.record({ id: leaf, score: leaf, spans: tie('value') }),
  ),
})).value;

/** As JSON reads it, which keeps the order of keys and no undefined. */
const read = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

function packedAll(values: readonly Json[]): Json[] {
  const packer = new Packer();
  return values.map(value => packer.pack(value));
}

describe('packing', () => {
  test('is undone by unpacking, for any values in any order', () => {
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), drawn => {
        const values = drawn.map(read);
        const packed = packedAll(values).map(read);
        const unpacker = new Unpacker();
        for (const [at, part] of packed.entries())
          assert.equal(JSON.stringify(unpacker.unpack(part)), JSON.stringify(values[at]));
      }),
      { numRuns: 3000 },
    );
  });

  test('writes a text, a long number and a flat value once', () => {
    const item = { id: 'a-document', spans: [[0, 1234]] };
    assert.deepEqual(packedAll([item, item, 'a-document', [[0, 1234]], 21.04755589, 21.04755589]), [
      { id: 'a-document', spans: [[0, 1234]] },
      { id: '~0', spans: '~1' },
      '~0',
      '~1',
      21.04755589,
      '~2',
    ]);
  });

  test('writes common beginnings and ends of texts once', () => {
    const question = 'Who built the lighthouse?';
    assert.deepEqual(packedAll([question, `Harrow ${question}`, `${question} Harrow`]), [
      question,
      '~0<Harrow ',
      `~0:${question.length}: Harrow`,
    ]);
  });

  test('writes the keys of objects of a list once, and for objects of two kinds both', () => {
    assert.deepEqual(
      packedAll([
        [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
        [{ a: 5, b: 6 }, { a: 7 }],
      ]),
      [
        {
          '=': ['a', 'b'],
          rows: [
            [1, 2],
            [3, 4],
          ],
        },
        {
          '=': [0, ['a']],
          rows: [
            [0, 5, 6],
            [1, 7],
          ],
        },
      ],
    );
  });

  test('keeps marks and keys of its own apart from those of a value', () => {
    assert.deepEqual(packedAll(['~0', { '=': 1, rows: [] }]), ['~~0', { '~=': 1, rows: [] }]);
  });
});

describe('unpacking', () => {
  test('refuses what refers to nothing, and never throws anything else', () => {
    for (const packed of [
      '~0',
      '~',
      '~x y',
      '~0:3:a',
      { '=': 0, rows: [] },
      { '=': ['a'], rows: [1] },
    ])
      assert.throws(() => new Unpacker().unpack(packed as Json), UnpackError);
    fc.assert(
      fc.property(fc.array(json, { maxLength: 6 }), values => {
        const unpacker = new Unpacker();
        for (const value of values.map(read))
          try {
            unpacker.unpack(value);
          } catch (error) {
            assert.ok(error instanceof UnpackError, String(error));
          }
      }),
      { numRuns: 2000 },
    );
  });

  test('of references to references stays as small as the text', () => {
    const lists: Json[] = [
      ['a text', 'a text'],
      ...Array.from({ length: 40 }, (_, at) => [
        `~${(at + 1).toString(36)}`,
        `~${(at + 1).toString(36)}`,
      ]),
    ];
    const unpacker = new Unpacker();
    assert.throws(() => lists.map(list => unpacker.unpack(list)), UnpackError);
  });
});
