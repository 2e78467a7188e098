/**
 * Tests `eval --filters` and `--sub-questions`: recorded outputs of an earlier run, replayed by
 * strategies from the command line.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  openReplayedFiles,
  type ReplayedFiles,
  unrecorded,
} from '../src/experiments/replayed-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-filters-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const REPLAYING = 'multi-meta-rag(first=20, keep=10, extractor=replayed)';

const SPLITTING = 'query-decomposition(parts=3, integration=sub-answers, k=5, split=replayed)';
const GOOD = file(
  'good.json',
  JSON.stringify([{ query: 'q', filter: { source: { $in: ['Alpha'] } } }]),
);
const LIST = file('list.json', JSON.stringify([{ question: 'q', subQuestions: ['a?'] }]));
const open = (
  filters: string | undefined,
  subQuestions: string | undefined,
  ...strategies: string[]
): Promise<ReplayedFiles> =>
  openReplayedFiles(
    { filters, subQuestions },
    strategies.map(strategy => ({ strategy })),
  );

test('files provide the strategies that replay them, and are identified by their hash', async () => {
  const both = await open(GOOD, LIST, SPLITTING, REPLAYING);
  for (const name of [SPLITTING, REPLAYING]) assert.equal(both.strategies.create(name).name, name);
  for (const found of [both.filters, both.subQuestions]) {
    assert.match(found!.sha256, /^[0-9a-f]{64}$/);
    assert.equal(found!.recorded.size, 1);
  }
  const examples = ['q', 'p'].map(text => ({
    id: text,
    question: { id: text, text },
    answers: [],
    gold: [],
  }));
  assert.deepEqual(unrecorded(both, examples), [
    '1 of 2 questions have no recorded filter: they are searched without',
    '1 of 2 questions have no recorded sub-questions: their clauses are asked',
  ]);
  assert.deepEqual(unrecorded(await open(undefined, undefined), examples), []);
});

test('reads sub-questions from lines, in the form of MuSiQue too', async () => {
  const lines = [
    '{"question": "p", "question_decomposition": [{"question": "a?", "answer": "b"}]}',
    '{"question": "q", "subQuestions": []}',
  ];
  const { subQuestions } = await open(undefined, file('lines.jsonl', lines.join('\n')));
  assert.deepEqual(subQuestions!.recorded.get('p'), [{ question: 'a?', answer: 'b' }]);
  assert.ok(subQuestions!.recorded.has('q'));
});

test('refuses missing and invalid files, and a strategy without its file', async () => {
  const nowhere = join(folder, 'nowhere.json');
  for (const [filters, subQuestions, strategy, code] of [
    [nowhere, undefined, '', 'missing-file'],
    [file('bad.json', '[{'), undefined, '', 'bad-json'],
    [file('other.json', '{"query": 1}'), undefined, '', 'bad-filters'],
    [undefined, LIST, REPLAYING, 'no-filters'],
    [undefined, file('none.json', '[{"question": "q"}]'), '', 'bad-sub-questions'],
    [
      undefined,
      file('mixed.jsonl', '{"question": "q", "subQuestions": []}\n[1]'),
      '',
      'bad-sub-questions',
    ],
    [undefined, nowhere, '', 'missing-file'],
    [GOOD, undefined, SPLITTING, 'no-sub-questions'],
  ] as const)
    await assert.rejects(open(filters, subQuestions, 'fixed-top-k(k=2)', strategy), { code });
  await open(undefined, undefined, 'multi-meta-rag(first=20, keep=10)');
});
