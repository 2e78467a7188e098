/** Shows the progress of an evaluation, and measures the cost of retrievers. */

import { InputError } from '../core/errors.ts';
import { drain } from '../core/steps.ts';
import type { RetrieverCost } from '../evaluation/evaluation-result.ts';
import type { DataSet } from '../evaluation/example.ts';
import type { Progress as EvaluationProgress, Failure } from '../evaluation/run.ts';
import { type CostModels, retrieverCosts } from '../experiments/retriever-cost.ts';
import { takeTurns } from '../platform/clock.ts';
import { Models } from '../session/models.ts';
import { resourcesByPort } from '../session/opened-resources.ts';
import { retrieverNeeds } from '../session/retriever-needs.ts';
import { spaceEmbedder } from '../stores/disk/store-embedders.ts';
import type { CommandContext } from './command.ts';
import { inCommandWords } from './command-hints.ts';
import { modelSources } from './model-options.ts';
import type { Output } from './output.ts';
import { Progress } from './progress.ts';
import { printable } from './wrap.ts';

/**
 * Returns the result; calls `onStep` after each question, and says at once why the first run that
 * fails did. Counts time from the first question on,
 * since opening indexes and models does not predict the rest.
 */
export async function watchRun<T>(
  run: AsyncGenerator<EvaluationProgress, T, void>,
  output: Output,
  onStep: () => void = () => {},
): Promise<T> {
  let progress: Progress | undefined;
  try {
    // Seals the trace files however the command ends.
    let isSaid = false;
    return await drain(run, async ({ done, total, failure }) => {
      onStep();
      if (failure && !isSaid) output.warn(firstFailure(failure));
      isSaid ||= failure !== undefined;
      progress ??= new Progress(output, 'questions');
      progress.update({ count: done, done, total });
      // Lets the process handle Ctrl-C between two questions.
      await takeTurns();
    });
  } finally {
    progress?.end();
  }
}

const firstFailure = ({ question, message, ...advice }: Failure): string =>
  `The run of question ${printable(question)} failed, the first to do so: ${printable(inCommandWords(message, advice))}`;

export interface CostRequest {
  readonly dataSet: DataSet;
  readonly chunker: string;
  readonly template: string;
  readonly retrievers: readonly string[];
  /** Folder of the cache. */
  readonly cache: string | undefined;
}

/** Runs the measurement of `--cost N`; returns undefined without it. */
export async function costsOf(
  context: CommandContext,
  request: CostRequest,
): Promise<readonly RetrieverCost[] | undefined> {
  const { options, output, signal } = context;
  if (options.text('cost') === undefined) return undefined;
  if (options.texts('embedder').length > 0 && request.cache === undefined)
    throw new InputError(
      'cost-without-cache',
      '--cost embeds the documents once more for each retriever',
      { expected: '--cache DIR or --out DIR, to cache their vectors', received: 'neither' },
    );
  let progress: Progress | undefined;
  const questions = Math.min(options.integer('cost', 0), request.dataSet.examples.length);
  const pass = retrieverCosts({
    ...request,
    questions,
    signal,
    models: name => costModels(context, name, request.cache),
  });
  try {
    return await drain(pass, step => {
      progress ??= new Progress(output, 'searches');
      progress.update({ count: step.done, ...step });
    });
  } finally {
    progress?.end();
  }
}

async function costModels(
  context: CommandContext,
  retriever: string,
  cache: string | undefined,
): Promise<CostModels> {
  const [embedding, scoring] = [
    new Models({ ...modelSources(context), cache }),
    new Models(modelSources(context)),
  ];
  const embedders = (await embedding.forSearch([retriever])).map(spaceEmbedder);
  const provided = await scoring.forNeeds(retrieverNeeds([retriever]));
  return {
    embedders,
    resources: resourcesByPort(provided),
    releaseCache: () => embedding.releaseCache(),
    async close() {
      await embedding.close();
      await scoring.close();
    },
  };
}
