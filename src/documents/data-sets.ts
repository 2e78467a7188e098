/** Lists the benchmark data sets, each with the files that it needs and its reader. */

import { InputError } from '../core/errors.ts';
import type { DataSet } from '../evaluation/example.ts';
import { readBeir } from './data-sets/beir.ts';
import { readCorpusQueries } from './data-sets/corpus-queries.ts';
import { readDistractorQuestions } from './data-sets/distractor-questions.ts';
import { readMultihopRag } from './data-sets/multihop-rag.ts';
import { readMusique } from './data-sets/musique.ts';
import { recordNamed } from './format.ts';

export interface DataSetFiles {
  readonly corpus?: string | undefined;
  readonly questions: string;
  readonly qrels?: string | undefined;
}

export interface DataSetFormat {
  readonly name: string;
  readonly files: readonly (keyof DataSetFiles)[];
  readonly summary: string;
  /** Receives the path of each of `files`; the others are empty. */
  read(files: Readonly<Record<keyof DataSetFiles, string>>): Promise<DataSet>;
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
    summary:
      'MuSiQue: the paragraphs of all questions are the corpus; gold are paragraphs in hop order',
    read: ({ questions }) => readMusique(questions),
  },
  {
    name: '2wikimultihopqa-open',
    files: ['corpus', 'questions'],
    summary: '2WikiMultiHopQA over one corpus of passages: every question searches all of it',
    read: async ({ corpus, questions }) => ({
      ...(await readCorpusQueries(corpus, questions)),
      name: '2wikimultihopqa-open',
    }),
  },
  {
    name: 'hotpotqa-pooled',
    files: ['corpus', 'questions'],
    summary:
      'HotpotQA over the pooled paragraphs of many questions: every question searches all of them',
    read: async ({ corpus, questions }) => ({
      ...(await readCorpusQueries(corpus, questions)),
      name: 'hotpotqa-pooled',
    }),
  },
  {
    name: 'musique-pooled',
    files: ['questions'],
    summary: 'MuSiQue as musique, but every question searches the paragraphs of all',
    read: async ({ questions }) => pooled('musique-pooled', await readMusique(questions)),
  },
  {
    name: 'jsonl',
    files: ['corpus', 'questions'],
    summary:
      "questions of one's own, one JSON object a line, with evidence as text, gold_ids, gold_titles or gold; the corpus is a file, a folder or a store",
    read: ({ corpus, questions }) => readCorpusQueries(corpus, questions, { checkFields: true }),
  },
  {
    name: 'beir',
    files: ['corpus', 'questions', 'qrels'],
    summary:
      'a BEIR folder: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv; relevant documents, no answers',
    read: readBeir,
  },
];

/**
 * Returns the same questions over all paragraphs, as TreeHop builds its passage database (arXiv
 * 2504.20114): none is limited to the paragraphs it brings.
 */
function pooled(name: string, { examples, ...rest }: DataSet): DataSet {
  return { ...rest, name, examples: examples.map(({ within: _, ...example }) => example) };
}

/** Throws `InputError('unknown-data-set')` that names the nearest. */
export const dataSetNamed = (name: string): DataSetFormat =>
  recordNamed(dataSets, name, ['unknown-data-set', 'data set']);

/**
 * Reads a data set. Consistency problems stand in `problems`, each naming its question; loading
 * goes on where it can. Throws `InputError`: `unknown-data-set`, `missing-option`, `missing-file`,
 * `bad-json`, `duplicate-id`, `bad-data-set` (nothing of this kind in the file).
 */
export async function readDataSet(name: string, files: DataSetFiles): Promise<DataSet> {
  const format = dataSetNamed(name);
  const missing = format.files.filter(kind => files[kind] === undefined);
  if (missing.length > 0)
    throw new InputError('missing-option', `The data set "${name}" needs more files`, {
      expected: `the files ${format.files.join(', ')}`,
      received: `no ${missing.join(', no ')}`,
    });
  const { corpus = '', questions, qrels = '' } = files;
  return format.read({ corpus, questions, qrels });
}
