/**
 * Finds the files of a benchmark data set: those of the options, or those below the data folder
 * (`MULTIHOP_DATA`).
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../core/errors.ts';
import { dataSetNamed } from '../documents/data-sets.ts';

export interface DataFiles {
  readonly corpus?: string;
  /** Digest of a corpus that is no single file. */
  readonly corpusDigest?: string;
  readonly questions: string;
  readonly qrels?: string;
}

interface Layout {
  /** The name of the data set when missing: settings of one data set lie in one folder. */
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

/** Holds what the command line says of the files. */
export interface FileOptions {
  readonly corpus?: string | undefined;
  readonly questions?: string | undefined;
  /** A BEIR folder. */
  readonly folder?: string | undefined;
  /** Names the judgements of a BEIR folder. */
  readonly split?: string | undefined;
}

/**
 * Returns the files of a data set. Throws `InputError` for an unknown data set, or one whose files
 * are neither stated nor found.
 */
export function findData(name: string, stated: FileOptions, folder: string | undefined): DataFiles {
  const kinds = dataSetNamed(name).files;
  if (kinds.includes('qrels')) return findBeir(name, stated);
  for (const option of ['folder', 'split'] as const)
    if (stated[option] !== undefined)
      throw new InputError('bad-option', `The data set "${name}" takes no --${option}`, {
        expected: kinds.map(kind => `--${kind} FILE`).join(' and '),
        received: `--${option} ${stated[option]}`,
      });
  const subfolder = LAYOUT[name]?.folder ?? name;
  const inFolder = (kind: 'corpus' | 'questions'): string | undefined => {
    const pattern = LAYOUT[name]?.[kind];
    if (folder === undefined || !pattern) return undefined;
    try {
      const file = readdirSync(join(folder, subfolder))
        .sort()
        .find(entry => pattern.test(entry));
      return file === undefined ? undefined : join(folder, subfolder, file);
    } catch {
      return undefined;
    }
  };
  const questions = stated.questions ?? inFolder('questions');
  const corpus = kinds.includes('corpus') ? (stated.corpus ?? inFolder('corpus')) : undefined;
  const missing = [
    ...(kinds.includes('corpus') && corpus === undefined ? ['--corpus FILE'] : []),
    ...(questions === undefined ? ['--questions FILE'] : []),
  ];
  if (missing.length > 0)
    throw new InputError('missing-data', `The files of "${name}" were not found`, {
      expected: missing.join(' and '),
      hint:
        folder === undefined
          ? 'Give the files, or set MULTIHOP_DATA to the folder that holds one folder a data set'
          : `MULTIHOP_DATA holds no folder "${subfolder}" with them`,
    });
  return { corpus, questions: questions! };
}

/** Finds the files of a BEIR folder; among several splits the default is `test`. */
function findBeir(name: string, { corpus, questions, folder, split }: FileOptions): DataFiles {
  if (folder === undefined)
    throw new InputError('missing-option', `The data set "${name}" needs a folder`, {
      expected: '--folder DIR with corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv',
    });
  const splits = splitsIn(join(folder, 'qrels'));
  const chosen = split ?? (splits.length === 1 ? splits[0]! : 'test');
  if (!splits.includes(chosen))
    throw new InputError('unknown-split', `There is no split "${chosen}" in ${folder}`, {
      expected:
        splits.length > 0
          ? `--split with one of ${splits.join(', ')}`
          : 'judgements in qrels/SPLIT.tsv',
      received: existsSync(folder) ? undefined : 'no such folder',
    });
  return {
    corpus: corpus ?? join(folder, 'corpus.jsonl'),
    questions: questions ?? join(folder, 'queries.jsonl'),
    qrels: join(folder, 'qrels', `${chosen}.tsv`),
  };
}

function splitsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(file => file.endsWith('.tsv'))
    .map(file => file.slice(0, -'.tsv'.length))
    .sort();
}
