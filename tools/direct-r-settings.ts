/** The data sets of TreeHop's tables: every question searches the whole corpus of its setting. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type DataFiles, findData } from '../src/edges/runs/find-data.ts';
import type { Setting } from './direct-r-report.ts';

/** TreeHop's `Title:`, `Source:` and `Context:` lines. */
export const TEMPLATE = 'title-context';

export const SETTINGS: readonly Setting[] = [
  { id: '2wikimultihopqa-open', published: '2wiki' },
  { id: 'hotpotqa-pooled' },
  { id: 'musique-pooled', published: 'musique' },
  {
    id: 'multihop-rag inference',
    dataSet: 'multihop-rag',
    type: 'inference_query',
    published: 'multihop_rag',
    passages: true,
  },
];

export const dataSetOf = ({ id, dataSet = id }: Setting): string => dataSet;

/**
 * Where a setting has questions of one type alone, they are written to `work`. Throws `InputError`
 * for missing data.
 */
export function filesOf(setting: Setting, work: string): DataFiles {
  const folder = process.env['MULTIHOP_DATA'];
  const files = findData(
    dataSetOf(setting),
    {},
    folder === undefined ? undefined : resolve(folder),
  );
  return setting.type === undefined
    ? files
    : { ...files, questions: onlyOf(setting.type, files.questions, work) };
}

/**
 * What `multihop eval` is asked: the files, headers and no reader, for only the search is of
 * interest.
 */
export function settingWords(setting: Setting, work: string): string[] {
  const { corpus, questions } = filesOf(setting, work);
  return [
    ...[
      dataSetOf(setting),
      '--questions',
      questions,
      ...(corpus === undefined ? [] : ['--corpus', corpus]),
    ],
    ...['--context', 'headers', '--reader', 'evidence-only'],
  ];
}

function onlyOf(type: string, path: string, work: string): string {
  const questions = JSON.parse(readFileSync(path, 'utf8')) as { readonly question_type?: string }[];
  const only = join(work, `${type}.json`);
  mkdirSync(work, { recursive: true });
  const text = JSON.stringify(questions.filter(question => question.question_type === type));
  if (!existsSync(only) || readFileSync(only, 'utf8') !== text) writeFileSync(only, text);
  return only;
}
