/**
 * `learn fact-ranker`: fits the weights of `fact-lanes`, and prints their figures on
 * questions and facts that they were not fitted on.
 */
import type { CommandContext } from '../../../src/cli/command.ts';
import { type LearnRows, openLearnRows, percent } from '../../../src/cli/learn-rows.ts';
import { InputError } from '../../../src/core/errors.ts';
import type { RankerKind } from '../../../src/models/fact-ranker/fact-ranker.ts';
import { monotonicClock, takeTurns } from '../../../src/platform/clock.ts';
import { EmbeddedEngine } from '../../../src/search/embedded-engine.ts';
import { spaceEmbedder } from '../../../src/stores/disk/store-embedders.ts';
import { type LearntRanker, learnRanker } from '../../learning/fact-ranker/cross-validation.ts';
import { PACKED_FIGURES, type PackedFigures } from '../../learning/fact-ranker/packed.ts';
import {
  defaultLanes,
  type RankedQuestion,
  rankedQuestions,
} from '../../learning/fact-ranker/ranked-question.ts';
import { checkRanker, type LearntKind, writeRanker } from './ranker-file.ts';
import { rankerKinds } from './ranker-kinds.ts';
import { hashesOf, type LearnTask, learnTask, trainedBy, withModels } from './task.ts';

export const factRankerTask: LearnTask = learnTask<Learnt>({
  name: 'fact-ranker',
  summary: 'the weights by which fact-lanes ranks sentences, one retriever after another',
  learn: learnFactRanker,
  object: ({ rankers }) => ({ rankers }),
  lines: ({ rankers }) => rankers.flatMap(linesOf),
  write: (out, { rankers, opened }) =>
    writeRanker(
      out,
      rankers.map(each => learntKind(each, opened)),
    ),
});

const FOLDS = 5;

interface Ranker {
  readonly retriever: string;
  readonly kind: RankerKind;
  readonly questions: number;
  readonly ranker: LearntRanker;
}

interface Learnt {
  readonly rankers: readonly Ranker[];
  readonly opened: LearnRows;
}

async function learnFactRanker(context: CommandContext): Promise<Learnt> {
  const opened = await openLearnRows(context, 'evidence-only');
  const { rows, dataSet } = opened;
  checkRanker(context.options);
  const names = rows.map(({ retriever }) => retriever);
  return withModels(context, 'steps', async (models, progress) => {
    const embedders = (await models.forSearch(names)).map(spaceEmbedder);
    const engine = new EmbeddedEngine({ documents: dataSet.documents, embedders }).current;
    const onStep = async (done: number, total: number): Promise<void> => {
      progress.update({ count: done, done, total });
      await takeTurns();
    };
    const rankers: Ranker[] = [];
    for (const [retriever, kind] of rankerKinds(names, engine, false)) {
      const { signal } = context;
      const questions = await questionsOf(dataSet, { engine, retriever, signal });
      const settings = defaultLanes();
      const ranker = await learnRanker(questions, { folds: FOLDS, settings, engine, onStep });
      rankers.push({ retriever, kind, questions: questions.length, ranker });
    }
    return { rankers, opened };
  });
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
  { retriever, kind, questions, ranker }: Ranker,
  { dataSet, files }: LearnRows,
): LearntKind {
  const provenance = {
    trainedBy: trainedBy('fact-ranker'),
    dataset: dataSet.name,
    retriever,
    questions,
    folds: FOLDS,
    heldOut: ranker.heldOut,
    files: hashesOf(files),
  };
  return { kind, weights: ranker.weights, provenance };
}

const linesOf = ({ retriever, kind, questions, ranker }: Ranker): string[] => [
  `${retriever} (weights "${kind}"), ${questions} questions, each ranked by weights fitted without it and its facts:`,
  `  all     ${figuresLine(ranker.heldOut)}`,
  ...ranker.folds.map(
    ({ packing, ...figures }, fold) =>
      `  fold ${fold + 1}  ${figuresLine(figures)}  packing ${JSON.stringify(packing)}`,
  ),
  `  fitted on all: packing ${JSON.stringify(ranker.weights.packing)}`,
];

const figuresLine = (figures: PackedFigures): string =>
  PACKED_FIGURES.map(name => `${name} ${percent(figures[name])}`).join('  ');
