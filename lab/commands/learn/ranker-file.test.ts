/**
 * The file of fact-ranker weights: kinds that were learnt, kinds that stay, and plain ones that
 * stand in for open ones.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  RANKER_FORMAT,
  RANKER_KINDS,
  type RankerKind,
  type RankerWeights,
} from '../../../src/models/fact-ranker/fact-ranker.ts';
import { type LearntKind, merged, rankerAt, writeRanker } from './ranker-file.ts';

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ranker-file-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const weighing = (weight: number): RankerWeights => ({
  first: { w: weight },
  second: { w: weight },
  packing: { lane: 0, source: 0, price: 0 },
});
const learnt = (kind: RankerKind, weight: number): LearntKind => ({
  kind,
  weights: weighing(weight),
  provenance: { weight },
});

/** The weight of each kind, in the order of the kinds. */
const weightsIn = (path: string): number[] =>
  RANKER_KINDS.map(kind => rankerAt(path)!.rankers[kind].first['w']!);

test('replaces the learnt kind and its copies, and keeps a learnt open kind', () => {
  const path = join(folder, 'later.json');
  writeRanker(path, [learnt('words', 1), learnt('vectors', 3)]);
  writeRanker(path, [learnt('open-vectors', 4)]);
  assert.deepEqual(weightsIn(path), [1, 3, 1, 4]);
  writeRanker(path, [learnt('vectors', 5), learnt('words', 6)]);
  assert.deepEqual(weightsIn(path), [6, 5, 6, 4]);
  assert.deepEqual(Object.keys(rankerAt(path)!.provenance).sort(), [
    'open-vectors',
    'vectors',
    'words',
  ]);
  // Kinds that are filled in at reading are not written.
  assert.deepEqual(merged(path, [learnt('vectors', 9)]).rankers.vectors, weighing(9));
  assert.deepEqual(weightsIn(path), [6, 5, 6, 4]);
});

test('reads a file without open kinds with the plain kinds in their place', () => {
  const path = join(folder, 'old.json');
  const rankers = { words: weighing(1), vectors: weighing(3) };
  writeFileSync(
    path,
    JSON.stringify({ format: RANKER_FORMAT, rankers, provenance: { words: {} } }),
  );
  assert.deepEqual(weightsIn(path), [1, 3, 1, 3]);
  writeRanker(path, [learnt('open-words', 4)]);
  assert.deepEqual(weightsIn(path), [1, 3, 4, 3]);
});
