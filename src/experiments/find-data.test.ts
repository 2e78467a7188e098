import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { InputError } from '../core/errors.ts';
import { findData } from './find-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'multihop-find-data-'));
after(() => rmSync(folder, { recursive: true, force: true }));
for (const file of [
  'hotpotqa/hotpot_distractor.dev.json',
  'hotpotqa/pooled_corpus.jsonl',
  'hotpotqa/pooled_queries.dev.jsonl',
  '2wikimultihopqa/2wiki.dev.json',
  '2wikimultihopqa/open_corpus.jsonl',
  '2wikimultihopqa/open_queries.dev.jsonl',
  'musique/musique_ans.dev.jsonl',
  'musique/open_corpus.jsonl',
  'musique/open_queries.dev.jsonl',
  'multihop-rag/corpus.json',
  'multihop-rag/MultiHopRAG.dev.json',
]) {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), '');
}

const found = (name: string): (string | undefined)[] => {
  const { corpus, questions } = findData(name, {}, folder);
  return [corpus, questions].map(path => path && relative(folder, path).replaceAll('\\', '/'));
};

test('finds the files of each setting in the folder of the data set', () => {
  assert.deepEqual(found('multihop-rag'), [
    'multihop-rag/corpus.json',
    'multihop-rag/MultiHopRAG.dev.json',
  ]);
  assert.deepEqual(found('hotpotqa'), [undefined, 'hotpotqa/hotpot_distractor.dev.json']);
  assert.deepEqual(found('hotpotqa-pooled'), [
    'hotpotqa/pooled_corpus.jsonl',
    'hotpotqa/pooled_queries.dev.jsonl',
  ]);
  assert.deepEqual(found('2wikimultihopqa'), [undefined, '2wikimultihopqa/2wiki.dev.json']);
  assert.deepEqual(found('2wikimultihopqa-open'), [
    '2wikimultihopqa/open_corpus.jsonl',
    '2wikimultihopqa/open_queries.dev.jsonl',
  ]);
  assert.deepEqual(found('musique'), [undefined, 'musique/musique_ans.dev.jsonl']);
  assert.deepEqual(found('musique-pooled'), [undefined, 'musique/musique_ans.dev.jsonl']);
});

test('prefers given files to found ones', () => {
  assert.deepEqual(findData('hotpotqa-pooled', { questions: 'mine.jsonl' }, folder), {
    corpus: join(folder, 'hotpotqa/pooled_corpus.jsonl'),
    questions: 'mine.jsonl',
  });
});

test('names missing files and the searched folder', () => {
  const refused = (name: string, at: string | undefined): InputError => {
    try {
      findData(name, {}, at);
    } catch (error) {
      assert.ok(InputError.is(error));
      return error;
    }
    throw new Error('nothing was refused');
  };
  const error = refused('2wikimultihopqa-open', join(folder, 'musique'));
  assert.equal(error.code, 'missing-data');
  assert.match(error.message, /--corpus FILE and --questions FILE/);
  assert.match(error.message, /no folder "2wikimultihopqa"/);
  assert.match(refused('musique-pooled', undefined).message, /set MULTIHOP_DATA/);
});
