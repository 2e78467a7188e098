/** Prints a row of the report `seeds` again from the recorded replies (needs MULTIHOP_DATA). */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Compacted, compactJson, compactResults, readCompact } from '../results/compact.ts';
import { runs } from '../results/reports/seeds-runs.ts';
import { measuredOf, stepOf } from '../results/runner.ts';
import { evaluate, ROOT } from '../results/steps.ts';
import { resultsOf } from './measured-rows.ts';

const data = process.env['MULTIHOP_DATA'];
const STEP = 'multihop-rag.decomposition-3-model';

/** Returns the names, values and manifest of the step, without the positions of the lists. */
function contentOf({ evaluations, names, measures, manifests }: Compacted): object {
  const { rows, ...rest } = evaluations[STEP]!;
  return {
    rows: rows.map(([parts, ...values]) => [parts.map(at => names[at]), ...values]),
    measures: measures[rest.measures],
    manifest: manifests[rest.manifest],
  };
}

test('recorded replies give the printed row again, without a model', {
  skip: data ? false : 'MULTIHOP_DATA is not set',
}, t => {
  const work = mkdtempSync(join(tmpdir(), 'multihop-seeds-'));
  t.after(() => rmSync(work, { recursive: true }));
  const given = { data: data!, work, options: {} };
  const run = runs(given).find(({ name }) => name === STEP)!;
  const step = stepOf(run, { given });
  evaluate(step, work, join(work, 'cache'));
  const again = compactJson(compactResults(resultsOf(...measuredOf(run, step, work))));
  const printed = readFileSync(join(ROOT, 'results/seeds/result.json'), 'utf8');
  assert.deepEqual(contentOf(readCompact(again)), contentOf(readCompact(printed)));
});
