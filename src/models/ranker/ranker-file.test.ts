/** Files of rankers: what is read from them, and whatever may be wrong with one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RankerParts, rankerFile, rankerParts } from '../../../test/random-ranker.ts';
import { readRanker } from './ranker-file.ts';

test('sizes are those of the tensors, limits and name those of the metadata', () => {
  const metadata = { name: 'small', maxTokens: '20', questionTokens: '9', trainedOn: 'nothing' };
  const model = readRanker(rankerFile(rankerParts({ layers: 3, hasPooler: true, metadata })));
  const { vocabulary, positions, hidden, intermediate, layers, heads } = model;
  assert.deepEqual(
    { vocabulary, positions, hidden, intermediate, layers, heads },
    { vocabulary: 25, positions: 32, hidden: 16, intermediate: 24, layers: 3, heads: 2 },
  );
  const { name, maxTokens, questionTokens, provenance, blocks, pooler } = model;
  assert.deepEqual(
    [name, maxTokens, questionTokens, provenance],
    ['small', 20, 9, { trainedOn: 'nothing' }],
  );
  assert.equal(blocks.length, 3);
  assert.equal(pooler!.weight.rows, 16);
  assert.equal(model.words.codes.length, 25 * 16);
});

test('without limits in the metadata a pair has 160 tokens, 64 of them the question', () => {
  const { metadata, tensors } = rankerParts({ positions: 256 });
  const { maxTokens: _m, questionTokens: _q, ...rest } = metadata;
  const model = readRanker(rankerFile({ metadata: rest, tensors }));
  assert.deepEqual([model.maxTokens, model.questionTokens, model.name], [160, 64, 'ranker']);
});

const QUERY = 'bert.encoder.layer.1.attention.self.query';
const WRONG: readonly (readonly [
  what: string,
  change: (parts: RankerParts) => void,
  message: RegExp,
])[] = [
  [
    'another format',
    ({ metadata }) => (metadata.format = 'treehop'),
    /"format".*"multihop-ranker"/,
  ],
  ['another version', ({ metadata }) => (metadata.version = '2'), /"version".*"1", received 2/],
  ['no heads', ({ metadata }) => delete metadata.heads, /"heads".*from 1 to 16, received none/],
  ['heads too narrow', ({ metadata }) => (metadata.heads = '4'), /"heads".*multiple of 8/],
  ['a pair beyond the positions', ({ metadata }) => (metadata.maxTokens = '33'), /from 5 to 32/],
  [
    'no room for a passage',
    ({ metadata }) => (metadata.questionTokens = '29'),
    /"questionTokens".*from 1 to 28/,
  ],
  [
    'no words',
    ({ tensors }) => tensors.delete('bert.embeddings.word_embeddings.weight'),
    /missing/,
  ],
  [
    'no scale',
    ({ tensors }) => tensors.delete(`${QUERY}.weight_scale`),
    /weight_scale" is missing/,
  ],
  [
    'a tensor of something else',
    ({ tensors }) => tensors.set('lm_head', { shape: [1], data: Float32Array.of(1) }),
    /"lm_head" is none of a ranker/,
  ],
  [
    'another shape',
    ({ tensors }) => tensors.set(`${QUERY}.bias`, { shape: [8], data: new Float32Array(8) }),
    /expected \[16\], received \[8\]/,
  ],
  [
    'floats for codes',
    ({ tensors }) =>
      tensors.set(`${QUERY}.weight`, { shape: [16, 16], data: new Float32Array(256) }),
    /element type.*I8, received Float32Array/,
  ],
  [
    'no number',
    ({ tensors }) =>
      tensors.set(`${QUERY}.bias`, { shape: [16], data: new Float32Array(16).fill(Number.NaN) }),
    /finite numbers, received NaN at 0/,
  ],
  [
    'a scale below 0',
    ({ tensors }) =>
      tensors.set(`${QUERY}.weight_scale`, { shape: [16], data: new Float32Array(16).fill(-1) }),
    /at least 0, received -1 at 0/,
  ],
  [
    'a weight beyond 7 bits',
    ({ tensors }) => tensors.get(`${QUERY}.weight`)!.data.set([64], 5),
    /codes from -63 to 63, received 64 at 5/,
  ],
  [
    'too few tokens',
    ({ tensors }) => tensors.set('vocabulary', { shape: [5], data: new Uint8Array(5) }),
    /25 lines, received 1 lines/,
  ],
];

describe('refuses a file with', () => {
  for (const [what, change, message] of WRONG)
    test(what, () => {
      const parts = rankerParts();
      change(parts);
      assert.throws(() => readRanker(rankerFile(parts)), { code: 'bad-ranker', message });
    });
  test('sizes that the kernel does not compute', () =>
    assert.throws(() => readRanker(rankerFile(rankerParts({ intermediate: 20 }))), {
      message: /intermediate size.*multiple of 8, at most 131072, received 20/,
    }));
});
