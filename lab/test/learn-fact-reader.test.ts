/**
 * Tests `learn fact-reader`: reproducible weights for the fact reader from the demo corpus, which
 * the reader can load.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { readFactCheckpoint } from '../../src/models/fact-reader/fact-checkpoint.ts';
import { argv, demoDataSet, freshFolder } from '../../test/running-command.ts';
import { runLab } from './running-lab.ts';

let folder = '';
let files: string[] = [];

before(() => {
  folder = freshFolder();
  files = demoDataSet(folder);
});

interface Learned {
  readonly rows: readonly {
    readonly row: string;
    readonly all: Record<string, number>;
    readonly byType: Record<string, unknown>;
  }[];
  readonly chosen: { readonly threshold: number; readonly folds: readonly unknown[] };
}

test('fact-reader: prints figures of held-out questions, a row each, and writes the same file every time', async () => {
  const learn = async (name: string): Promise<Learned> => {
    const words = argv`--strategy fixed-top-k --context whole --context lead --out
      ${join(folder, name)} --json`;
    const result = await runLab(['learn', 'fact-reader', 'multihop-rag', ...files, ...words]);
    assert.equal(result.code, 0, result.err);
    return JSON.parse(result.out) as Learned;
  };
  const learned = await learn('a.json');
  assert.equal(learned.rows.length, 2);
  for (const { all, byType } of learned.rows) {
    assert.ok(all['QaAccuracy(strict)']! >= 0 && all['QaAccuracy(strict)']! <= 1);
    assert.deepEqual(Object.keys(byType).sort(), ['comparison', 'inference', 'null', 'temporal']);
  }
  assert.equal(learned.chosen.folds.length, 5);
  const text = readFileSync(join(folder, 'a.json'), 'utf8');
  const { provenance, model } = readFactCheckpoint(JSON.parse(text));
  assert.equal(provenance['questions'], 42);
  assert.ok(model.entity.weights.size > 0);
  await learn('b.json');
  assert.equal(readFileSync(join(folder, 'b.json'), 'utf8'), text);
});
