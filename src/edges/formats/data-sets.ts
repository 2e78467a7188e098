/** The record of benchmark data sets: which files each needs, and how they become a corpus and graded questions. */

import { InputError } from '../../errors.ts';
import type { DataSet } from '../../evaluation/example.ts';
import { didYouMean } from '../../naming/nearest.ts';
import { readCorpusQueries } from './corpus-queries.ts';
import { readDistractorQuestions } from './distractor-questions.ts';
import { readMultihopRag } from './multihop-rag.ts';
import { readMusique } from './musique.ts';

export interface DataSetFiles {
  readonly corpus?: string | undefined;
  readonly questions: string;
}

export interface DataSetFormat {
  readonly name: string;
  readonly files: readonly (keyof DataSetFiles)[];
  readonly summary: string;
  read(files: { readonly corpus: string; readonly questions: string }): Promise<DataSet>;
}

export const dataSets: readonly DataSetFormat[] = [
  {
    name: 'multihop-rag',
    files: ['corpus', 'questions'],
    summary: 'MultiHop-RAG: news articles; gold evidence are sentences of them',
    read: ({ corpus, questions }) => readMultihopRag(corpus, questions),
  },
  {
    name: 'hotpotqa',
    files: ['questions'],
    summary: 'HotpotQA, distractor setting: the paragraphs of all questions are the corpus',
    // The sentences of HotpotQA bring their own leading spaces, those of 2WikiMultiHopQA do not.
    read: ({ questions }) => readDistractorQuestions('hotpotqa', questions, ''),
  },
  {
    name: '2wikimultihopqa',
    files: ['questions'],
    summary: '2WikiMultiHopQA: as hotpotqa, with evidence triples as the chain',
    read: ({ questions }) => readDistractorQuestions('2wikimultihopqa', questions, ' '),
  },
  {
    name: 'musique',
    files: ['questions'],
    summary: 'MuSiQue: the paragraphs of all questions are the corpus; gold are paragraphs in hop order',
    read: ({ questions }) => readMusique(questions),
  },
  {
    name: 'jsonl',
    files: ['corpus', 'questions'],
    summary: "corpus and questions of one's own, one JSON object a line; gold as gold_ids, gold_titles or gold",
    read: ({ corpus, questions }) => readCorpusQueries(corpus, questions),
  },
];

/** Throws `InputError('unknown-data-set')` that names the nearest. */
export function dataSetNamed(name: string): DataSetFormat {
  const format = dataSets.find(candidate => candidate.name === name);
  if (format) return format;
  const names = dataSets.map(candidate => candidate.name);
  const near = didYouMean(name, names);
  throw new InputError('unknown-data-set', `There is no data set "${name}"`, {
    expected: `one of ${names.join(', ')}`,
    ...(near ? { hint: near } : {}),
  });
}

/**
 * Reads a data set. Consistency problems stand in `problems`, each naming its question; loading goes on where it can.
 * Throws `InputError`: `unknown-data-set`, `missing-option`, `missing-file`, `bad-json`, `duplicate-id`, `bad-data-set` (nothing of this kind in the file).
 */
export async function readDataSet(name: string, { corpus, questions }: DataSetFiles): Promise<DataSet> {
  const format = dataSetNamed(name);
  if (format.files.includes('corpus') && corpus === undefined)
    throw new InputError('missing-option', `The data set "${name}" needs a corpus`, {
      expected: `the files ${format.files.join(' and ')}`,
      received: 'questions only',
    });
  return format.read({ corpus: corpus ?? '', questions });
}
