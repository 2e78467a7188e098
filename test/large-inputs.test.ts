/** Tests inputs of more items than a call has room for arguments (about 125,000). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { finish } from '../src/core/steps.ts';
import { readCorpusQueries } from '../src/documents/data-sets/corpus-queries.ts';
import { SourceSpellings } from '../src/language/english/names/misspelled-sources.ts';
import { freshFolder } from './fresh-folder.ts';

const MANY = 130_000;

test('documents that are given as a list may be many', async () => {
  const questions = join(freshFolder(), 'questions.jsonl');
  writeFileSync(
    questions,
    `${JSON.stringify({ question: 'Who?', answer: 'A', gold_ids: ['d7'] })}\n`,
  );
  const documents = Array.from({ length: MANY }, (_, at) => ({
    id: `d${at}`,
    title: `Title ${at}`,
    text: 'Text.',
    metadata: {},
  }));
  const read = await readCorpusQueries(documents, questions);
  assert.deepEqual([read.documents.length, read.examples.length], [MANY, 1]);
});

test('source names may hold many distinct words', () => {
  // Numbers to the base 36 are short words, of which few misspellings are indexed.
  const aliases = Array.from({ length: MANY }, (_, at) => ({
    text: at.toString(36),
    folds: true,
    names: [],
  }));
  const spellings = finish(SourceSpellings.prepare(aliases));
  assert.equal(spellings.size, MANY);
});
