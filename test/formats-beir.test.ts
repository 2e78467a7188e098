/** Tests BEIR folders: a small one written here, and the real ones below MULTIHOP_DATA if set. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { InputError } from '../src/core/errors.ts';
import { readDataSet } from '../src/documents/data-sets.ts';
import type { DataSet } from '../src/evaluation/example.ts';
import { findData } from '../src/experiments/find-data.ts';
import { freshFolder } from './fresh-folder.ts';
import { run } from './running-command.ts';

const folder = freshFolder();
const HEADING = 'query-id\tcorpus-id\tscore\n';

/** Writes a folder `name` with these judgements. */
function beir(name: string, qrels: Readonly<Record<string, string>>): string {
  const at = join(folder, name);
  mkdirSync(join(at, 'qrels'), { recursive: true });
  const corpus = [
    { _id: 'd1', title: 'Ferry', text: 'The ferry opened in May.' },
    { _id: 'd 2', text: 'The bridge closed in June.', metadata: { url: 'x' } },
    { _id: 'd3', title: 'Tower', text: 'The tower has a bell of bronze.' },
  ];
  const queries = [
    { _id: 'q1', text: 'When did the ferry open and the bridge close?' },
    { _id: 2, text: 'Is the bell of bronze?' },
    { _id: 'q3', text: 'Nobody judged this.' },
    { _id: 'q4', text: 'Judged without a relevant document.' },
  ];
  const lines = (all: readonly object[]): string =>
    all.map(line => JSON.stringify(line)).join('\n');
  writeFileSync(join(at, 'corpus.jsonl'), lines(corpus));
  writeFileSync(join(at, 'queries.jsonl'), lines(queries));
  for (const [split, text] of Object.entries(qrels))
    writeFileSync(join(at, 'qrels', `${split}.tsv`), text);
  return at;
}
const read = (at: string, split?: string): Promise<DataSet> =>
  readDataSet('beir', findData('beir', { folder: at, split }, undefined));

const JUDGED = `${HEADING}q1\td1\t2\nq1\td 2\t1\nq1\td9\t1\n2\td3\t1\nq4\td1\t0\nq9\td1\t1\n`;

test('reads grades, missing titles and numeric ids; counts judgements that name nothing', async () => {
  const { name, documents, examples, problems } = await read(beir('small', { test: JUDGED }));
  assert.equal(name, 'beir/small');
  assert.deepEqual(
    documents.map(({ id, title }) => [id, title]),
    [
      ['d1', 'Ferry'],
      ['d 2', ''],
      ['d3', 'Tower'],
    ],
  );
  assert.deepEqual(examples, [
    {
      id: 'q1',
      question: { id: 'q1', text: 'When did the ferry open and the bridge close?' },
      answers: [],
      gold: [
        { documentId: 'd1', title: 'Ferry', grade: 2 },
        { documentId: 'd 2', title: '' },
        { documentId: 'd9', title: '' },
      ],
    },
    {
      id: '2',
      question: { id: '2', text: 'Is the bell of bronze?' },
      answers: [],
      gold: [{ documentId: 'd3', title: 'Tower' }],
    },
  ]);
  assert.deepEqual(problems, [
    '2 of 4 queries are left out: test.tsv names no relevant document for them',
    'test.tsv judges 1 queries that have no text; the first is "q9"',
    '1 of 6 judgements of test.tsv name documents that the corpus does not hold; the first is "d9"',
  ]);
});

describe('splits', () => {
  const at = (): string =>
    beir('splits', { dev: `${HEADING}q1\td1\t1\n`, test: `${HEADING}2\td3\t1\n` });
  const asked = async (split?: string): Promise<string[]> =>
    (await read(at(), split)).examples.map(({ id }) => id);

  test('the split test is read if there are several; an option names another', async () => {
    assert.deepEqual(await asked(), ['2']);
    assert.deepEqual(await asked('dev'), ['q1']);
  });
  test('a single split is read under any name', async () => {
    const only = beir('only', { dev: `${HEADING}q1\td1\t1\n` });
    assert.equal((await read(only)).examples.length, 1);
  });
  test('errors list the available splits', () => {
    const refused = (options: object, code: string): InputError => {
      try {
        findData('beir', options, undefined);
      } catch (error) {
        assert.ok(InputError.is(error) && error.code === code, String(error));
        return error;
      }
      throw new Error('no error');
    };
    assert.match(refused({ folder: at(), split: 'tset' }, 'unknown-split').expected!, /dev, test/);
    assert.match(refused({ folder: join(folder, 'none') }, 'unknown-split').received!, /no such/);
    assert.match(refused({}, 'missing-option').expected!, /--folder DIR/);
    assert.throws(() => findData('musique', { folder: 'x' }, undefined), /takes no --folder/);
  });
});

test('eval prints measures of rankings and none of answers; its run file gives the same scores', async () => {
  const at = beir('eval', { test: JUDGED });
  const out = (file: string): string => join(folder, 'runs', file);
  const words = ['--strategy', 'fixed-top-k(k=1)', '--strategy', 'fact-lanes'];
  const files = ['--run-out', out(''), '--qrels-out', out('q.txt'), '--out', out('results')];
  const result = await run(['eval', 'beir', '--folder', at, ...words, ...files, '--json']);
  assert.equal(result.code, 0, result.err);
  const { rows, dataset } = JSON.parse(result.out) as {
    dataset: string;
    rows: { measures: Record<string, { mean: number; n: number }> }[];
  };
  assert.equal(dataset, 'beir/eval');
  for (const { measures } of rows) {
    for (const name of ['Recall@5', 'AllRecall@10', 'NDCG@10', 'Precision@5'])
      assert.equal(measures[name]?.n, 2, name);
    for (const name of Object.keys(measures))
      assert.doesNotMatch(name, /Answer|Qa|Fact|Grounded|Conditioned|Refused|EMPer/);
  }
  const names = ['01-fixed-top-k-k-1', '02-fact-lanes-tokens-510'];
  const runs = names.flatMap(name => ['--run', out(`${name}.run`)]);
  const report = await run(['report', '--qrels', out('q.txt'), ...runs, '--json']);
  assert.equal(report.code, 0, report.err);
  for (const [index, { measures }] of (
    JSON.parse(report.out) as { rows: typeof rows }
  ).rows.entries())
    for (const [name, { mean }] of Object.entries(measures))
      assert.ok(Math.abs(mean - rows[index]!.measures[name]!.mean) < 1e-12, name);
  // The judgements of the folder hold one question more, which no run holds.
  const tsv = join(at, 'qrels', 'test.tsv');
  const foreign = await run(['report', '--qrels', tsv, ...runs]);
  assert.match(foreign.err, /1 of 4 judged questions have no relevant document: left out/);
  assert.match(foreign.err, /01-fixed-top-k-k-1: 1 of 3 questions have no hits and count 0/);
  assert.match(foreign.out, /01-fixed-top-k-k-1\s+3\s+55\.56/);
});

const data = process.env['MULTIHOP_DATA'];
for (const [name, questions, documents] of [
  ['obliqa', 673, 13012],
  ['lihua-world', 286, 442],
] as const)
  test(`${name}: every judged query and document exists`, {
    skip: data !== undefined && existsSync(join(data, name)) ? false : 'MULTIHOP_DATA is not set',
  }, async () => {
    const read_ = await read(join(data!, name));
    assert.equal(read_.examples.length, questions);
    assert.equal(read_.documents.length, documents);
    assert.ok(read_.problems.every(problem => /queries are left out/.test(problem)));
  });
