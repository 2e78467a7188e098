/**
 * Tests the TreeHop checkpoint of the package: its size, its metadata, and that it reads back to
 * the same bytes.
 */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { readCheckpoint, writeCheckpoint } from '../src/models/tree-hop/checkpoint.ts';
import { TREE_HOP_VARIANTS } from '../src/models/tree-hop/shape.ts';
import { shippedTreeHop, shippedTreeHopPath } from '../src/providers/tree-hop/weights.ts';
import { queryUpdaterLaws } from '../src/testing/query-updater-laws.ts';

const path = shippedTreeHopPath();

test('it is smaller than 20 MB, has 384 dimensions, and reads back to its bytes', () => {
  const bytes = new Uint8Array(readFileSync(path));
  assert.ok(statSync(path).size < 20e6);
  const checkpoint = readCheckpoint(bytes);
  assert.equal(checkpoint.parameters.d, 384);
  assert.deepEqual(writeCheckpoint(checkpoint), bytes);
});

test('its metadata hold encoder, template, data with hashes, settings, seed and version', () => {
  const { provenance } = readCheckpoint(new Uint8Array(readFileSync(path)));
  assert.equal(provenance['encoder'], 'bge-small-en-v1.5');
  assert.equal(provenance['template'], 'title-context');
  const { files, questions, mentions } = JSON.parse(provenance['trainedOn']!) as Record<
    string,
    unknown
  >;
  assert.ok((files as { sha256: string }[]).every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256)));
  assert.ok((questions as number) > 2000 && (mentions as number) > 5000);
  for (const name of ['settings', 'seed', 'epoch', 'step', 'heldOut'])
    assert.ok(provenance[name], name);
});

for (const { name, run } of queryUpdaterLaws(await shippedTreeHop(), {
  variants: TREE_HOP_VARIANTS,
}))
  test(name, run);
