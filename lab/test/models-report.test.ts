/** Tests that the report `models` is printed from recorded replies alone, over the demo. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshFolder } from '../../test/fresh-folder.ts';
import { replay } from '../models/print-report.ts';
import { report } from '../results/reports/models.ts';
import { ROOT } from '../results/steps.ts';
import { resultsOf } from './measured-rows.ts';

test('the demo is answered from recorded replies as the report says', async () => {
  const work = freshFolder();
  await replay(['demo'], { data: '', cache: '' }, { env: {}, work });
  const again = (await report({ data: '', work, options: {} }).figures!(resultsOf())) as Figures;
  const printed = JSON.parse(readFileSync(join(ROOT, 'results/models/result.json'), 'utf8'));
  assert.deepEqual(again.demo, (printed.figures as Figures).demo);
});

interface Figures {
  readonly demo: Readonly<Record<string, readonly number[]>>;
}
