/**
 * Tests `eval --filters` and `--sub-questions`: recorded outputs of an earlier run, replayed by
 * strategies from the command line.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkReplayed, readFilterFile } from '../src/experiments/recorded-filters.ts';
import { readSubQuestionFile } from '../src/experiments/recorded-sub-questions.ts';
import { openReplayedFiles, unrecorded } from '../src/experiments/replayed-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-filters-'));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const REPLAYING = ['multi-meta-rag(first=20, keep=10, extractor=replayed)'];

test('a file of filters provides the strategies that replay it, and is identified by its hash', () => {
  const filters = readFilterFile(
    file('good.json', JSON.stringify([{ query: 'q', filter: { source: { $in: ['Alpha'] } } }])),
  );
  assert.equal(filters.questions, 1);
  assert.match(filters.sha256, /^[0-9a-f]{64}$/);
  assert.equal(filters.strategies.create('multi-meta-rag(extractor=replayed)').name, REPLAYING[0]);
  checkReplayed(REPLAYING, filters);
});

test('refuses missing and invalid files before any work', () => {
  assert.throws(() => readFilterFile(join(folder, 'nowhere.json')), { code: 'missing-file' });
  assert.throws(() => readFilterFile(file('bad.json', '[{')), {
    code: 'bad-json',
    message: /bad\.json/,
  });
  assert.throws(() => readFilterFile(file('other.json', '{"query": 1}')), { code: 'bad-filters' });
  assert.throws(() => checkReplayed(['fixed-top-k(k=2)', ...REPLAYING], undefined), {
    code: 'no-filters',
    message: /--filters FILE/,
  });
  checkReplayed(['multi-meta-rag(first=20, keep=10)'], undefined);
});

test('reads sub-questions from a list or from lines, in the own form or that of MuSiQue', async () => {
  const list = await readSubQuestionFile(
    file('list.json', JSON.stringify([{ question: 'q', subQuestions: ['a?'] }])),
  );
  assert.deepEqual([list.has('q'), list.has('other')], [true, false]);
  const lines = [
    '{"question": "p", "question_decomposition": [{"question": "a?", "answer": "b"}]}',
    '{"question": "q", "subQuestions": []}',
  ];
  const musique = await readSubQuestionFile(file('lines.jsonl', lines.join('\n')));
  assert.deepEqual(
    [musique.recorded.get('p'), musique.has('q')],
    [[{ question: 'a?', answer: 'b' }], true],
  );
  assert.match(musique.sha256, /^[0-9a-f]{64}$/);
  await assert.rejects(readSubQuestionFile(file('none.json', '[{"question": "q"}]')), {
    code: 'bad-sub-questions',
  });
  await assert.rejects(readSubQuestionFile(file('mixed.jsonl', `${lines[0]}\n[1]`)), {
    code: 'bad-sub-questions',
  });
  await assert.rejects(readSubQuestionFile(join(folder, 'nowhere.json')), { name: 'InputError' });
});

test('refuses a replaying strategy without its file; with both files, one family has both', async () => {
  const splitting = 'query-decomposition(parts=3, integration=sub-answers, k=5, split=replayed)';
  const rows = REPLAYING.map(strategy => ({ strategy }));
  const paths = { filters: join(folder, 'good.json'), subQuestions: join(folder, 'list.json') };
  await assert.rejects(
    openReplayedFiles({ ...paths, subQuestions: undefined }, [{ strategy: splitting }]),
    { code: 'no-sub-questions' },
  );
  await assert.rejects(openReplayedFiles({ ...paths, filters: undefined }, rows), {
    code: 'no-filters',
  });
  const both = await openReplayedFiles(paths, [{ strategy: splitting }, ...rows]);
  assert.equal(both.strategies.create(splitting).name, splitting);
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
  assert.deepEqual(
    unrecorded(
      await openReplayedFiles({ filters: undefined, subQuestions: undefined }, []),
      examples,
    ),
    [],
  );
});
