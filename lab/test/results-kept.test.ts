/** Tests that a report keeps what it printed before of steps that are not finished. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { defined } from '../../src/core/defined.ts';
import type { RowResult } from '../../src/evaluation/evaluation-result.ts';
import { readCompact } from '../results/compact.ts';
import { besideControls } from '../results/control-tables.ts';
import { Watched } from '../results/printed-before.ts';
import type { Evaluation, Measured, Report } from '../results/report.ts';
import { output, values } from '../results/tables.ts';
import { writeReport } from '../results/write-report.ts';
import { estimate, measuredOf, resultsOf, rowOf, rowResult } from './measured-rows.ts';

/** A finished step whose one row has the value as FactRecall, asked of so many documents. */
function finished(name: string, mean: number, documents: number): Measured {
  const parts = { strategy: 's', retriever: 'r', context: 'c', reader: name };
  const result = rowResult({ ...parts, measures: { FactRecall: estimate(mean) } });
  const manifest = { documents };
  return measuredOf(name, [rowOf(name, {}, { result })], { manifest });
}

const LEARN = ['learn', 'x', '--folds', '5'];
const evaluation = (name: string): Evaluation => ({ name, dataSet: 'd', rows: [], measures: [] });

/** A report of two steps and a command, the names of the steps ending in the version of sources. */
const reportOf = (version: string): Report => ({
  folder: 'f',
  title: 'T',
  introduction: 'I',
  evaluations: [evaluation(`a-${version}`), evaluation('b')],
  commands: { learn: LEARN },
  sections: [
    { heading: 'A', blocks: [values(`a-${version}`, ['FactRecall'])] },
    { heading: 'B', blocks: [values('b', ['FactRecall'])] },
    { heading: 'Fit', blocks: [output('learn', LEARN)] },
  ],
});

const out = mkdtempSync(join(tmpdir(), 'multihop-results-'));
after(() => rmSync(out, { recursive: true }));
const read = (file: string): string => readFileSync(join(out, file), 'utf8');
const sectionOf = (heading: string): string | undefined =>
  read('report.md')
    .split('\n## ')
    .find(part => part.startsWith(heading));
const print = async (version: string, steps: readonly Measured[], keep: boolean) =>
  writeReport({ report: reportOf(version), out, keep, results: resultsOf(...steps) });

await writeReport({
  report: reportOf('0000aaaa'),
  out,
  keep: false,
  results: {
    measured: new Map([
      ['a-0000aaaa', finished('a-0000aaaa', 0.25, 7)],
      ['b', finished('b', 0.5, 8)],
    ]),
    printed: new Map([['learn', 'fold 1: 12']]),
  },
});
const before = { a: sectionOf('A'), fit: sectionOf('Fit') };

describe('a report that is printed again', () => {
  test('keeps sections and figures of unfinished steps, and names earlier sources', async () => {
    await print('0000bbbb', [finished('b', 0.75, 9)], true);
    assert.equal(sectionOf('A'), before.a);
    assert.match(before.a!, /25\.00/);
    assert.match(before.fit!, /fold 1: 12/);
    assert.equal(sectionOf('Fit'), before.fit);
    assert.match(sectionOf('B')!, /75\.00/);
    assert.match(read('report.md'), /\nPrinted by earlier sources: a-0000aaaa\.\n/);
    const { evaluations, names, manifests } = readCompact(read('result.json'));
    assert.deepEqual(Object.keys(evaluations), ['a-0000aaaa', 'b']);
    const [kept, printed] = ['a-0000aaaa', 'b'].map(name => evaluations[name]!);
    assert.equal(kept!.rows[0]![1], '2500-0+0');
    assert.equal(printed!.rows[0]![1], '7500-0+0');
    assert.deepEqual(
      kept!.rows[0]![0].map(at => names[at]),
      ['s', 'r', 'c', 'a-0000aaaa'],
    );
    assert.deepEqual(manifests[kept!.manifest], { documents: 7 });
  });

  test('renders a finished step anew though the report before has it', async () => {
    await print('0000bbbb', [finished('a-0000bbbb', 1, 7), finished('b', 0.75, 9)], true);
    assert.match(sectionOf('A')!, /100\.00/);
    assert.doesNotMatch(read('report.md'), /earlier sources/);
  });

  test('without keep drops what is not finished and says so', async () => {
    await print('0000bbbb', [finished('b', 0.75, 9)], false);
    assert.equal(sectionOf('A'), undefined);
    assert.match(read('report.md'), /\nNot evaluated: a-0000bbbb, learn\.\n/);
  });
});

test('remembers the names that were read and are not there', () => {
  const watched = new Watched(new Map([['a', 1]]), ['a', 'b', 'c']);
  assert.equal(watched.get('a'), 1);
  assert.deepEqual([...watched.missed], []);
  assert.equal(watched.get('c'), undefined);
  assert.deepEqual([...watched.missed], ['c']);
  assert.deepEqual([...watched.values()], [1]);
  assert.deepEqual([...watched.missed].sort(), ['b', 'c']);
});

test('controls of a row stand beside it: the reader as given, and one that always answers', async () => {
  const strict = (id: string, reader: string, mean: number, control?: string): RowResult =>
    rowResult(
      defined({
        id,
        reader,
        measures: { 'QaAccuracy(strict)': estimate(mean) },
        control: control ? { name: control, of: 'one' } : undefined,
      }),
    );
  const result = rowResult({
    id: 'one',
    reader: 'x',
    measures: { 'QaAccuracy(strict)': estimate(0.5), EvidenceReliance: estimate(0.25) },
  });
  const step: Measured = {
    ...finished('step', 0, 1),
    rows: [rowOf('ours', {}, { result: result })],
    controls: [
      strict('q', 'question-only', 0.125),
      strict('o', 'x(support=0)', 0.75, 'own-evidence'),
      strict('s', 'x', 0.0625, 'swapped-evidence'),
      strict('t', 'x(support=0)', 0.375, 'swapped-evidence'),
      { ...strict('u', 'x', 1), control: { name: 'swapped-evidence', of: 'another' } },
    ],
  };
  const markdown = await besideControls('step')(resultsOf(step));
  assert.deepEqual(markdown!.split('\n').slice(2), [
    '| ours | 12.50 | 50.00 | 6.25 | 75.00 | 37.50 | 25.00 (n=2) |',
  ]);
});
