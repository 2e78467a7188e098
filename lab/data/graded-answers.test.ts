import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gradedAnswers } from './graded-answers.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-graded-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('names a folder that is missing, malformed, or of another measure', async () => {
  const refused = (path: string) =>
    assert.rejects(gradedAnswers(path, 'news'), { name: 'InputError', code: 'bad-results' });
  await refused(join(folder, 'missing'));
  const scores = join(folder, 'scores.json');
  for (const text of ['{', '[]', 'null', '{"questions":[]}', '{"questions":[],"scores":{}}']) {
    writeFileSync(scores, text);
    await refused(folder);
  }
});
