/** Compares measures over an invented run and qrels with the values of trec_eval. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { measure } from '../src/evaluation/measures.ts';
import { scoreRuns } from '../src/experiments/scored-runs.ts';
import { PACKAGE } from './running-command.ts';

const folder = join(PACKAGE, 'test', 'golden', 'trec');

/**
 * Holds ties, scores that are equal only as 32-bit floats, negative and missing grades, unjudged
 * documents, ids beyond ASCII, and a judged question that the run lacks.
 */
test('every measure agrees with trec_eval question by question to 1e-12', async () => {
  const { values } = JSON.parse(readFileSync(join(folder, 'ranking.expected.json'), 'utf8')) as {
    values: Record<string, Record<string, number>>;
  };
  const { perQuestion, result } = await scoreRuns(
    { qrels: join(folder, 'ranking.qrels'), runs: [join(folder, 'ranking.run')] },
    Object.keys(values).map(measure),
    new AbortController().signal,
  );
  for (const [name, byQuestion] of Object.entries(values)) {
    const ours = perQuestion['golden']![name]!;
    assert.deepEqual(Object.keys(ours).sort(), [...Object.keys(byQuestion), 'q3'].sort());
    assert.equal(ours['q3'], 0);
    for (const [question, value] of Object.entries(byQuestion))
      assert.ok(
        Math.abs(ours[question]! - value) <= 1e-12,
        `${name} of ${question}: ${ours[question]}, trec_eval ${value}`,
      );
    assert.equal(result.rows[0]!.measures[name]!.n, Object.keys(byQuestion).length + 1);
  }
});

test('ids of a TSV are compared as runs print them; two that print equally are an error', async () => {
  const folderOfRun = mkdtempSync(join(tmpdir(), 'multihop-tsv-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folderOfRun, name), text);
    return join(folderOfRun, name);
  };
  const score = (qrels: string): ReturnType<typeof scoreRuns> =>
    scoreRuns(
      { qrels, runs: [file('r.run', 'q%201 Q0 d%201 1 2 t\nq%201 Q0 x 2 1 t\n')] },
      [measure('Recall@1')],
      new AbortController().signal,
    );
  try {
    const { perQuestion } = await score(file('a.tsv', 'q 1\td 1\t1\nq 1\td2\t1\n'));
    assert.deepEqual(perQuestion, { t: { 'Recall@1': { 'q%201': 1 / 2 } } });
    await assert.rejects(score(file('b.tsv', 'q 1\td 1\t1\nq 1\td%201\t1\n')), /print as "d%201"/);
  } finally {
    rmSync(folderOfRun, { recursive: true });
  }
});
