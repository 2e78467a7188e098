/** TreeHop as a port: its variants are made once, and are the model's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mulberry32 } from '../../core/mulberry32.ts';
import { freeCall } from '../../core/trace/call.ts';
import { initialParameters } from './parameters.ts';
import { publishedShape, TREE_HOP_VARIANTS } from './shape.ts';
import { prepareTreeHop } from './tree-hop.ts';
import { treeHopUpdater } from './tree-hop-updater.ts';

const D = 8;

test('packs each variant once for all questions', async () => {
  const random = mulberry32(7);
  const parameters = initialParameters(publishedShape(D), random);
  const updater = treeHopUpdater({ parameters, provenance: { encoder: 'table' } });
  const [query, passage] = [0, 1].map(() =>
    Float32Array.from({ length: D }, () => 2 * random() - 1),
  ) as [Float32Array, Float32Array];
  const seen = new Set<string>();
  for (const variant of TREE_HOP_VARIANTS) {
    const ablated = updater.ablated!(variant)!;
    assert.equal(updater.ablated!(variant), ablated);
    const [next] = await ablated.update([query], [passage], freeCall());
    assert.deepEqual(next, prepareTreeHop(parameters, { variant }).update(query, passage));
    seen.add(next!.join());
  }
  assert.equal(seen.size, TREE_HOP_VARIANTS.length);
  assert.equal(updater.ablated!('no such variant'), undefined);
});
