/**
 * Opens the records of an earlier run that this one replays - filters, sub-questions - and the
 * strategies over them.
 */

import type { Family } from '../core/naming/family.ts';
import type { Example } from '../evaluation/example.ts';
import { extractorsWith } from '../planning/metadata/extractors.ts';
import { strategiesWith } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { checkReplayed, type RecordedFilterFile, readFilterFile } from './recorded-filters.ts';
import {
  checkReplayedSubQuestions,
  readSubQuestionFile,
  type SubQuestionFile,
} from './recorded-sub-questions.ts';

export interface ReplayedFiles {
  readonly strategies: Family<Strategy>;
  readonly filters?: RecordedFilterFile;
  readonly subQuestions?: SubQuestionFile;
}

/**
 * The strategies of `rows` have canonical names. Throws `InputError` for a file that is none of its
 * kind, and for a strategy whose file was not given.
 */
export async function openReplayedFiles(
  paths: { readonly filters: string | undefined; readonly subQuestions: string | undefined },
  rows: readonly { readonly strategy: string }[],
): Promise<ReplayedFiles> {
  const filters = paths.filters === undefined ? undefined : readFilterFile(paths.filters);
  const subQuestions =
    paths.subQuestions === undefined ? undefined : await readSubQuestionFile(paths.subQuestions);
  const names = rows.map(({ strategy }) => strategy);
  checkReplayed(names, filters);
  checkReplayedSubQuestions(names, subQuestions);
  return {
    strategies: strategiesWith(extractorsWith(filters?.recorded), subQuestions?.recorded),
    ...(filters ? { filters } : {}),
    ...(subQuestions ? { subQuestions } : {}),
  };
}

/** One sentence for each file that does not know all questions. */
export function unrecorded(
  { filters, subQuestions }: ReplayedFiles,
  examples: readonly Example[],
): string[] {
  const files = [
    { file: filters, what: 'have no recorded filter: they are searched without' },
    { file: subQuestions, what: 'have no recorded sub-questions: their clauses are asked' },
  ];
  return files.flatMap(({ file, what }) => {
    const without = file ? examples.filter(({ question }) => !file.has(question.text)).length : 0;
    return without > 0 ? [`${without} of ${examples.length} questions ${what}`] : [];
  });
}
