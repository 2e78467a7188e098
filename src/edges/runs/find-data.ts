/**
 * Where the files of a benchmark data set are: given by flags, or found under the data folder
 * (`MULTIHOP_DATA`).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import { dataSetNamed } from '../formats/data-sets.ts';

export interface DataFiles {
  readonly corpus?: string;
  readonly questions: string;
}

interface Layout {
  /** The data set's own name when missing: settings of one data set lie in one folder. */
  readonly folder?: string;
  readonly corpus?: RegExp;
  readonly questions: RegExp;
}

const MUSIQUE = /^musique_ans.*\.jsonl$/;

/** File names in the published layout, one folder a data set. */
const LAYOUT: Readonly<Record<string, Layout>> = {
  'multihop-rag': { corpus: /^corpus\.json$/, questions: /^MultiHopRAG(?:\.\w+)?\.json$/ },
  hotpotqa: { questions: /^hotpot.*distractor.*\.json$/ },
  '2wikimultihopqa': { questions: /^(?:2wiki(?:\.\w+)?|dev|train)\.json$/ },
  musique: { questions: MUSIQUE },
  '2wikimultihopqa-open': {
    folder: '2wikimultihopqa',
    corpus: /^open_corpus\.jsonl$/,
    questions: /^open_queries(?:\.\w+)?\.jsonl$/,
  },
  'hotpotqa-pooled': {
    folder: 'hotpotqa',
    corpus: /^pooled_corpus\.jsonl$/,
    questions: /^pooled_queries(?:\.\w+)?\.jsonl$/,
  },
  'musique-pooled': { folder: 'musique', questions: MUSIQUE },
};

/** Throws `InputError`: there is no such data set, or which flag or variable is missing. */
export function findData(
  name: string,
  given: { readonly corpus?: string | undefined; readonly questions?: string | undefined },
  folder: string | undefined,
): DataFiles {
  const wanted = dataSetNamed(name).files;
  const own = LAYOUT[name]?.folder ?? name;
  const inFolder = (kind: 'corpus' | 'questions'): string | undefined => {
    const pattern = LAYOUT[name]?.[kind];
    if (folder === undefined || !pattern) return undefined;
    try {
      const file = readdirSync(join(folder, own))
        .sort()
        .find(entry => pattern.test(entry));
      return file === undefined ? undefined : join(folder, own, file);
    } catch {
      return undefined;
    }
  };
  const questions = given.questions ?? inFolder('questions');
  const corpus = wanted.includes('corpus') ? (given.corpus ?? inFolder('corpus')) : undefined;
  const missing = [
    ...(wanted.includes('corpus') && corpus === undefined ? ['--corpus FILE'] : []),
    ...(questions === undefined ? ['--questions FILE'] : []),
  ];
  if (missing.length > 0)
    throw new InputError('missing-data', `The files of "${name}" were not found`, {
      expected: missing.join(' and '),
      hint:
        folder === undefined
          ? 'Give the files, or set MULTIHOP_DATA to the folder that holds one folder a data set'
          : `MULTIHOP_DATA holds no folder "${own}" with them`,
    });
  return { ...(corpus === undefined ? {} : { corpus }), questions: questions! };
}
