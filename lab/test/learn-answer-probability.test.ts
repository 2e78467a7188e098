/** Tests `learn answer-probability`: the file names the runs that it was learnt from. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { demoDataSet, freshFolder, run } from '../../test/running-command.ts';
import { runLab } from './running-lab.ts';

let folder = '';
before(() => {
  folder = freshFolder();
});

test('provenance names data set, questions and row of each run', async () => {
  const evaluated = join(folder, 'demo');
  const asked = await run([
    ...['eval', 'multihop-rag', ...demoDataSet(folder), '--measure', 'QaAccuracy(strict)'],
    ...['--strategy', 'fact-lanes(tokens=510)', '--reader', 'combined-reader'],
    ...['--out', evaluated],
  ]);
  assert.equal(asked.code, 0, asked.err);
  const again = join(folder, 'again');
  cpSync(evaluated, again, { recursive: true });
  const out = join(folder, 'probability.json');
  const words = ['--runs', evaluated, '--runs', again, '--out', out];
  const learnt = await runLab(['learn', 'answer-probability', ...words]);
  assert.equal(learnt.code, 0, learnt.err);
  const { provenance } = JSON.parse(readFileSync(out, 'utf8'));
  assert.deepEqual(provenance.runs['again'], provenance.runs['demo']);
  const { row, ...rest } = provenance.runs['demo']!;
  assert.deepEqual(rest, { dataset: 'multihop-rag', questions: 42 });
  assert.match(row!, /^fact-lanes\(tokens=510\); lexical; \S+; combined-reader$/);
});
