/** The ranker's weights and packing, fitted on all questions; and what they do on questions and facts that they were not fitted on. */
import { foldsOf } from '../../evaluation/controls.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import type { FactLanesSettings } from '../../strategies/fact-lanes/settings.ts';
import { candidateKey, fitRanker } from './fit-ranker.ts';
import { PACKED_FIGURES, type PackedFigures, packedFigures, scored } from './packed.ts';
import type { RankedQuestion } from './ranked-question.ts';

export interface FoldFigures extends PackedFigures {
  readonly questions: number;
  /** Chosen on the other folds. */
  readonly packing: RankerWeights['packing'];
}

export interface LearntRanker {
  readonly weights: RankerWeights;
  readonly heldOut: PackedFigures;
  readonly folds: readonly FoldFigures[];
}

const PRICES = [0, 0.25, 0.5];
const REPEATS = [0.1, 0.2, 0.4];

/** Packings between which is chosen: few, since only the order of magnitude is known; a lane and a source count alike. */
export const PACKINGS: readonly RankerWeights['packing'][] = PRICES.flatMap(price =>
  REPEATS.map(repeat => ({ lane: repeat, source: repeat, price })),
);

export interface LearnOptions {
  readonly folds: number;
  readonly settings: FactLanesSettings;
  readonly engine: SearchEngine;
  /** Told after each step. */
  onStep?(done: number, total: number): Promise<void>;
}

/**
 * Each fold's questions are ranked by weights from the other folds, and nothing that is gold in the fold is learnt from, not even as gold of another
 * question: of MultiHop-RAG's facts 88 % serve several questions, and a ranker must not know them. The packing of a fold is the best of the others.
 */
export async function learnRanker(questions: readonly RankedQuestion[], options: LearnOptions): Promise<LearntRanker> {
  const { folds, onStep } = options;
  const fold = foldsOf(questions.length, folds);
  const steps = folds + PACKINGS.length + 1;
  let done = 0;
  const step = async (): Promise<void> => onStep?.(++done, steps);
  const scores: Float64Array[] = [];
  for (let held = 0; held < folds; held++) {
    const [inside, outside] = [questions.filter((_, at) => fold[at] === held), questions.filter((_, at) => fold[at] !== held)];
    const stages = fitRanker(outside, goldKeys(inside));
    for (const [at, question] of questions.entries()) if (fold[at] === held) scores[at] = scored(question, stages);
    await step();
  }
  const byPacking: PackedFigures[][] = [];
  for (const packing of PACKINGS) {
    const figures: PackedFigures[] = [];
    for (const [at, question] of questions.entries())
      figures.push(await packedFigures(question, scores[at]!, packing, options.settings, options.engine));
    byPacking.push(figures);
    await step();
  }
  const outcomes = Array.from({ length: folds }, (_, held) => foldOutcome(byPacking, fold, held));
  const chosen = PACKINGS[bestPacking(byPacking, () => true)]!;
  const weights = { ...fitRanker(questions), packing: chosen };
  await step();
  return { weights, heldOut: meanOf(questions.map((_, at) => outcomes[fold[at]!]!.figures[at]!)), folds: outcomes.map(({ told }) => told) };
}

function foldOutcome(
  byPacking: readonly (readonly PackedFigures[])[],
  fold: readonly number[],
  held: number,
): { readonly told: FoldFigures; readonly figures: readonly PackedFigures[] } {
  const packing = bestPacking(byPacking, at => fold[at] !== held);
  const figures = byPacking[packing]!;
  const own = figures.filter((_, at) => fold[at] === held);
  return { told: { ...meanOf(own), questions: own.length, packing: PACKINGS[packing]! }, figures };
}

/** By the sum of the four figures: no single one is tuned for. */
function bestPacking(byPacking: readonly (readonly PackedFigures[])[], counts: (at: number) => boolean): number {
  const sums = byPacking.map(figures => {
    const mean = meanOf(figures.filter((_, at) => counts(at)));
    return PACKED_FIGURES.reduce((sum, name) => sum + mean[name], 0);
  });
  return sums.indexOf(Math.max(...sums));
}

function meanOf(figures: readonly PackedFigures[]): PackedFigures {
  const mean = (name: keyof PackedFigures): number => figures.reduce((sum, one) => sum + one[name], 0) / Math.max(1, figures.length);
  return {
    FactRecall: mean('FactRecall'),
    AllFacts: mean('AllFacts'),
    GroundedRecall: mean('GroundedRecall'),
    GroundedEM: mean('GroundedEM'),
  };
}

const goldKeys = (questions: readonly RankedQuestion[]): Set<string> =>
  new Set(questions.flatMap(({ right, view }) => right.flatMap((gold, at) => (gold ? [candidateKey(view, at)] : []))));
