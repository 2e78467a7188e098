/**
 * `learn fact-ranker`: fits the weights of `fact-lanes`, and prints their figures on
 * questions and facts that they were not fitted on.
 */
import { readFileSync } from 'node:fs';
import type { CommandContext } from '../../../src/cli/command.ts';
import { type LearnRows, openLearnRows, percent } from '../../../src/cli/learn-rows.ts';
import { modelSources } from '../../../src/cli/model-options.ts';
import { Progress } from '../../../src/cli/progress.ts';
import { InputError } from '../../../src/core/errors.ts';
import type { RankerKind } from '../../../src/models/fact-ranker/fact-ranker.ts';
import { monotonicClock, takeTurns } from '../../../src/platform/clock.ts';
import { thisPackage } from '../../../src/platform/package-root.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { DEFAULT_CHUNKER, EmbeddedEngine } from '../../../src/search/embedded-engine.ts';
import { DEFAULT_TEMPLATE } from '../../../src/search/text-templates.ts';
import { Models } from '../../../src/session/models.ts';
import { named } from '../../../src/stores/disk/store-embedders.ts';
import { type LearntRanker, learnRanker } from '../../learning/fact-ranker/cross-validation.ts';
import { PACKED_FIGURES, type PackedFigures } from '../../learning/fact-ranker/packed.ts';
import {
  defaultLanes,
  type RankedQuestion,
  rankedQuestions,
} from '../../learning/fact-ranker/ranked-question.ts';
import { type LearntKind, rankerAt, writeRanker } from './ranker-file.ts';
import { rankerKinds } from './ranker-kinds.ts';
import type { LearnTask } from './task.ts';

export const factRankerTask: LearnTask = {
  name: 'fact-ranker',
  summary: 'the weights by which fact-lanes ranks sentences, one retriever after another',
  run: learnFactRanker,
};

const FOLDS = 5;

async function learnFactRanker(context: CommandContext): Promise<number> {
  const { options, output } = context;
  const opened = await openLearnRows(context, 'evidence-only');
  const out = options.text('out');
  // Refuses an unusable file before an hour of work. Reads it again afterwards, since another
  // process may have written it.
  if (out !== undefined) rankerAt(out);
  const learnt = await learnAll(context, opened);
  if (out !== undefined)
    writeRanker(
      out,
      learnt.map(each => learntKind(each, opened)),
    );
  if (output.json) output.object({ rankers: learnt, ...(out === undefined ? {} : { out }) });
  else {
    for (const { retriever, kind, questions, ranker } of learnt) {
      output.line(
        `${retriever} (weights "${kind}"), ${questions} questions, each ranked by weights fitted without it and its facts:`,
      );
      output.line(`  all     ${figuresLine(ranker.heldOut)}`);
      for (const [fold, { packing, ...figures }] of ranker.folds.entries())
        output.line(
          `  fold ${fold + 1}  ${figuresLine(figures)}  packing ${JSON.stringify(packing)}`,
        );
      output.line(`  fitted on all: packing ${JSON.stringify(ranker.weights.packing)}`);
    }
    if (out !== undefined) output.line(`Weights are in ${out}`);
  }
  return 0;
}

interface Learnt {
  readonly retriever: string;
  readonly kind: RankerKind;
  readonly questions: number;
  readonly ranker: LearntRanker;
}

async function learnAll(context: CommandContext, { rows, dataSet }: LearnRows): Promise<Learnt[]> {
  const { options, output, signal } = context;
  const names = rows.map(({ retriever }) => retriever);
  const models = new Models({
    ...modelSources(context),
    cache: options.text('cache'),
    queries: true,
  });
  const progress = new Progress(output, 'steps');
  try {
    const embedders = (await models.forSearch(names)).map(named);
    const engine = new EmbeddedEngine({
      documents: dataSet.documents,
      chunker: DEFAULT_CHUNKER,
      template: DEFAULT_TEMPLATE,
      embedders,
    }).current;
    const step = async (done: number, total: number): Promise<void> => {
      progress.update({ count: done, done, total });
      await takeTurns();
    };
    const learnt: Learnt[] = [];
    for (const [retriever, kind] of rankerKinds(names, engine, false)) {
      const questions = await questionsOf(dataSet, { engine, retriever, signal });
      const ranker = await learnRanker(questions, {
        ...{ folds: FOLDS, settings: defaultLanes(), engine },
        onStep: step,
      });
      learnt.push({ retriever, kind, questions: questions.length, ranker });
    }
    return learnt;
  } finally {
    progress.end();
    await models.close();
  }
}

/** Ranks the candidates of every question. Throws `InputError('too-few-questions')`. */
async function questionsOf(
  dataSet: LearnRows['dataSet'],
  options: Omit<Parameters<typeof rankedQuestions>[1], 'clock'>,
): Promise<RankedQuestion[]> {
  const questions: RankedQuestion[] = [];
  for await (const question of rankedQuestions(dataSet, { ...options, clock: monotonicClock })) {
    questions.push(question);
    await takeTurns();
  }
  if (questions.length < FOLDS)
    throw new InputError(
      'too-few-questions',
      `The data set "${dataSet.name}" has ${questions.length} questions whose facts stand in its documents`,
      { expected: `at least ${FOLDS}` },
    );
  return questions;
}

function learntKind(
  { retriever, kind, questions, ranker }: Learnt,
  { dataSet, files }: LearnRows,
): LearntKind {
  const provenance = {
    trainedBy: `multihop ${thisPackage().version} learn fact-ranker`,
    ...{ dataset: dataSet.name, retriever, questions, folds: FOLDS, heldOut: ranker.heldOut },
    files: Object.fromEntries(
      Object.entries(files).map(([what, path]) => [what, sha256(readFileSync(path as string))]),
    ),
  };
  return { kind, weights: ranker.weights, provenance };
}

const figuresLine = (figures: PackedFigures): string =>
  PACKED_FIGURES.map(name => `${name} ${percent(figures[name])}`).join('  ');
