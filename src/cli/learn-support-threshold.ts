/**
 * `multihop learn support-threshold`: fits the support below which the extractive reader abstains,
 * by cross-validation.
 */

import type { Outcome } from '../evaluation/evaluation-result.ts';
import type { DataSet } from '../evaluation/example.ts';
import {
  type FoldOutcome,
  learnThreshold,
  type refusals,
} from '../evaluation/fitting/support-threshold.ts';
import { isNull } from '../evaluation/gold-evidence.ts';
import type { Row } from '../evaluation/run.ts';
import { strategyOf } from '../experiments/asker.ts';
import { runEvaluation } from '../experiments/evaluation-run.ts';
import { thisPackage } from '../platform/package-root.ts';
import { DEFAULT_CHUNKER } from '../search/embedded-engine.ts';
import { DEFAULT_TEMPLATE } from '../search/vectors/text-templates.ts';
import { Models, openedEmbedder } from '../session/models.ts';
import { retrieverNeeds } from '../session/retriever-needs.ts';
import type { CommandContext } from './command.ts';
import { openLearnRows, percent } from './learn-rows.ts';
import { modelSources } from './model-options.ts';
import { Progress } from './progress.ts';
import { watchRun } from './watch-evaluation.ts';

/**
 * Strategy and context that the shipped threshold was fitted under; `ask` has other defaults since.
 */
const FITTED_UNDER = { strategy: 'budgeted-agent', context: 'lead' };

export async function learnSupportThreshold(context: CommandContext): Promise<number> {
  const { options, output, signal } = context;
  const { rows, resources, dataSet, files } = await openLearnRows(
    context,
    'extractive(support=0)',
    FITTED_UNDER,
  );
  const retrievers = rows.map(({ retriever }) => retriever);
  let worked = 0;
  const models = new Models({
    ...modelSources(context),
    cache: options.text('cache'),
    queries: true,
    onEmbedded: texts => (worked += texts),
  });
  const progress = new Progress(output, 'texts');
  try {
    const embedders = (await models.forSearch(retrievers)).map(openedEmbedder);
    const needs = rows.flatMap(row => strategyOf(row).needs ?? []);
    const provided = await models.forNeeds([...retrieverNeeds(retrievers), ...needs]);
    const run = runEvaluation({
      resources: [...embedders, ...provided, ...resources],
      dataSet,
      files,
      rows,
      measures: [],
      signal,
      chunker: DEFAULT_CHUNKER,
      template: DEFAULT_TEMPLATE,
      version: thisPackage().version,
      onEmbedded: (done, total) => progress.update({ count: done, done, total, worked }),
    });
    const { outcomes } = await watchRun(run, output);
    report(context, dataSet, rows[0]!, outcomes[rows[0]!.id]!);
    return 0;
  } finally {
    progress.end();
    await models.close();
  }
}

function report(
  { positionals, output }: CommandContext,
  dataSet: DataSet,
  row: Row,
  outcomes: readonly Outcome[],
): void {
  const [task] = positionals;
  const items = dataSet.examples.map((example, index) => ({
    isNull: isNull(example),
    support: outcomes[index]!.answer.support ?? 0,
  }));
  const learned = learnThreshold(items);
  const { strategy, retriever, context: read } = row;
  if (output.json)
    output.object({ task, dataset: dataSet.name, strategy, retriever, context: read, ...learned });
  else {
    output.line(
      `support threshold ${learned.threshold.toFixed(2)} (${dataSet.name}, ${strategy}, ${retriever}, ${read}; median of ${learned.folds.length} folds)`,
    );
    for (const line of foldLines(learned.folds)) output.line(line);
  }
}

export const refusesText = ({
  abstainedNull,
  refusedAnswerable,
}: ReturnType<typeof refusals>): string =>
  `refuses ${percent(abstainedNull)} of null questions and ${percent(refusedAnswerable)} of answerable ones`;

export const foldLines = (folds: readonly FoldOutcome[]): string[] =>
  folds.map(
    ({ threshold, ...shares }, index) =>
      `  fold ${index + 1}: ${threshold.toFixed(2)} chosen on the others; here it ${refusesText(shares)}`,
  );
