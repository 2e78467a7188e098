/** Opens the rows of which `multihop learn` learns. */
import type { DataSet } from '../evaluation/example.ts';
import type { Row } from '../evaluation/run.ts';
import type { DataFiles } from '../experiments/find-data.ts';
import { type RowOptions, rowsOf } from '../experiments/rows.ts';
import { type OpenedResource, resourcesByPort } from '../session/opened-resources.ts';
import { openResourceFiles } from '../session/resource-files.ts';
import { strategyNeeds } from '../session/retriever-needs.ts';
import { parseBudget } from './budget.ts';
import type { CommandContext } from './command.ts';
import { DATA_OPTIONS, openDataSet } from './data-options.ts';
import {
  BASE_URL_OPTION,
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  QUERY_UPDATER_OPTION,
  RERANKER_URL_OPTION,
  resourceFiles,
} from './model-options.ts';
import type { Option } from './option.ts';

/** Options of every task. */
export const LEARN_OPTIONS: readonly Option[] = [
  ...DATA_OPTIONS,
  {
    name: 'strategy',
    value: 'NAME',
    repeatable: true,
    summary: 'strategy that finds the evidence to learn from',
  },
  { name: 'retriever', value: 'NAME', repeatable: true, summary: 'retriever of the strategy' },
  { name: 'context', value: 'NAME', repeatable: true, summary: 'context of the reader' },
  {
    name: 'row',
    value: 'ROW',
    repeatable: true,
    summary: 'one more source of evidence: "strategy=NAME; context=NAME; ..."',
  },
  EMBEDDER_OPTION,
  BASE_URL_OPTION,
  RERANKER_URL_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  QUERY_UPDATER_OPTION,
  {
    name: 'cache',
    value: 'DIR',
    access: 'keeps',
    summary: 'cache of vectors, scores and completions',
  },
];

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
  const textsOf = (name: string): string[] => [...options.texts(name)];
  const resources = await openResourceFiles(
    resourceFiles(options),
    strategyNeeds(options.texts('strategy')),
  );
  const rows = rowsOf({
    resources: resourcesByPort(resources),
    strategy: textsOf('strategy'),
    retriever: textsOf('retriever'),
    context: textsOf('context'),
    reader: [reader],
    budget: [],
    rows: textsOf('row'),
    parseBudget,
    defaults,
  });
  return {
    rows,
    resources,
    ...(await openDataSet({ ...context, positionals: [positionals[1] ?? 'multihop-rag'] })),
  };
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
