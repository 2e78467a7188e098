/** Checks the package of the ranker: its size, its files, and that it obeys the laws. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readRanker } from '../src/models/ranker/ranker-file.ts';
import { RANKER_WEIGHTS } from '../src/providers/open-ranker-file.ts';
import { resolveModel } from '../src/providers/resolve-model.ts';
import { rerankerLaws } from '../src/testing/reranker-laws.ts';

const FOLDER = fileURLToPath(new URL('../packages/ranker/', import.meta.url));
const WEIGHTS = join(FOLDER, RANKER_WEIGHTS);
const MOST_BYTES = 20e6;

describe('the package of the ranker', {
  skip: !existsSync(WEIGHTS) && 'the weights are not trained yet',
}, () => {
  test('holds what it publishes, within 20 MB', () => {
    const { files } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
      files: string[];
    };
    const there = readdirSync(FOLDER).filter(name => name !== 'package.json');
    assert.deepEqual(there.sort(), files.toSorted());
    const bytes = readFileSync(WEIGHTS);
    assert.ok(bytes.length < MOST_BYTES, `${bytes.length} bytes`);
    assert.equal(readRanker(bytes).name, 'ranker');
  });

  test('obeys the laws of rerankers', async t => {
    const ranker = await resolveModel('reranker', 'ranker', { env: {} });
    for (const { name, run } of rerankerLaws(ranker, { tolerance: 0 })) await t.test(name, run);
  });
});
