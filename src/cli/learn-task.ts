/** Declares a task of `multihop learn`, and opens what all tasks need. */
import type { DataSet } from '../evaluation/example.ts';
import type { Row } from '../evaluation/run.ts';
import type { DataFiles } from '../experiments/find-data.ts';
import { type RowOptions, rowsOf } from '../experiments/rows.ts';
import { givenOf, type OpenedResource } from '../session/opened-resources.ts';
import { openResourceFiles } from '../session/resource-files.ts';
import { strategyNeeds } from '../session/retriever-needs.ts';
import { parseBudget } from './budget-option.ts';
import type { CommandContext } from './command.ts';
import { openDataSet } from './data-options.ts';
import { resourceFiles } from './model-options.ts';

export interface LearnTask {
  readonly name: string;
  /** One line for the help. */
  readonly summary: string;
  /** Options that tasks without them do not read. */
  readonly own?: readonly string[];
  /** Returns the exit code. */
  run(context: CommandContext): Promise<number>;
}

export interface LearnRows {
  readonly rows: readonly Row[];
  /** Resources from files. */
  readonly resources: readonly OpenedResource[];
  readonly dataSet: DataSet;
  readonly files: DataFiles;
}

/**
 * Opens the rows whose evidence is learnt from, under one reader, and the data set that the command
 * names.
 */
export async function openLearnRows(
  context: CommandContext,
  reader: string,
  defaults?: RowOptions['defaults'],
): Promise<LearnRows> {
  const { positionals, options } = context;
  const given = (name: string): string[] => [...options.texts(name)];
  const resources = await openResourceFiles(
    resourceFiles(options),
    strategyNeeds(options.texts('strategy')),
  );
  const rows = rowsOf({
    resources: givenOf(resources),
    ...{ strategy: given('strategy'), retriever: given('retriever'), context: given('context') },
    ...{ reader: [reader], budget: [], rows: given('row'), parseBudget },
    ...(defaults ? { defaults } : {}),
  });
  return {
    rows,
    resources,
    ...(await openDataSet({ ...context, positionals: [positionals[1] ?? 'multihop-rag'] })),
  };
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
