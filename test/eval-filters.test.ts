/** `eval --filters`: recorded filters behind `multi-meta-rag(extractor=replayed)`, from the command line. */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkReplayed, readFilterFile } from '../src/edges/runs/recorded-filters.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-filters-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const REPLAYING = ['multi-meta-rag(first=20, keep=10, extractor=replayed)'];

test('a file of filters makes the strategies that replay it, and its content is known by hash', () => {
  const filters = readFilterFile(file('good.json', JSON.stringify([{ query: 'q', filter: { source: { $in: ['Alpha'] } } }])));
  assert.equal(filters.questions, 1);
  assert.match(filters.sha256, /^[0-9a-f]{64}$/);
  assert.equal(filters.strategies.create('multi-meta-rag(extractor=replayed)').name, REPLAYING[0]);
  checkReplayed(REPLAYING, filters);
});

test('what is missing or no filters is refused before any work', () => {
  assert.throws(() => readFilterFile(join(folder, 'nowhere.json')), { code: 'missing-file' });
  assert.throws(() => readFilterFile(file('bad.json', '[{')), { code: 'bad-json', message: /bad\.json/ });
  assert.throws(() => readFilterFile(file('other.json', '{"query": 1}')), { code: 'bad-filters' });
  assert.throws(() => checkReplayed(['fixed-top-k(k=2)', ...REPLAYING], undefined), { code: 'no-filters', message: /--filters FILE/ });
  checkReplayed(['multi-meta-rag(first=20, keep=10)'], undefined);
});
