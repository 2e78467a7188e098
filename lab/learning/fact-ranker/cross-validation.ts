/**
 * Fits the ranker's weights and packing on all questions, and measures them on held-out questions
 * and facts.
 */
import { foldsOf } from '../../../src/evaluation/fitting/folds.ts';
import type { RankerWeights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import type { SearchEngine } from '../../../src/search/engine.ts';
import type { FactLanesSettings } from '../../../src/strategies/fact-lanes/settings.ts';
import { candidateKey, fitRanker } from './fit-ranker.ts';
import { PACKED_FIGURES, type PackedFigures, packedFigures, scored } from './packed.ts';
import type { RankedQuestion } from './ranked-question.ts';

export interface FoldFigures extends PackedFigures {
  readonly questions: number;
  /** Packing, chosen on the other folds. */
  readonly packing: RankerWeights['packing'];
}

export interface LearntRanker {
  readonly weights: RankerWeights;
  readonly heldOut: PackedFigures;
  readonly folds: readonly FoldFigures[];
}

const PRICES = [0, 0.25, 0.5];
const REPEATS = [0.1, 0.2, 0.4];

/**
 * Candidate packings: few, because only the order of magnitude matters; a lane and a source weigh
 * equally.
 */
export const PACKINGS: readonly RankerWeights['packing'][] = PRICES.flatMap(price =>
  REPEATS.map(repeat => ({ lane: repeat, source: repeat, price })),
);

export interface LearnOptions {
  readonly folds: number;
  readonly settings: FactLanesSettings;
  readonly engine: SearchEngine;
  /** Called after each step. */
  onStep?(done: number, total: number): Promise<void>;
}

/**
 * Cross-validates the ranker. Ranks each fold's questions by weights from the other folds, without
 * learning from candidates that are gold in the fold, not even as gold of another question: 88 % of
 * MultiHop-RAG's facts serve several questions, which a ranker must not know. Chooses the packing
 * of a fold on the others.
 */
export async function learnRanker(
  questions: readonly RankedQuestion[],
  options: LearnOptions,
): Promise<LearntRanker> {
  const { folds, onStep } = options;
  const fold = foldsOf(questions.length, folds);
  const steps = folds + PACKINGS.length + 1;
  let done = 0;
  const step = async (): Promise<void> => onStep?.(++done, steps);
  const scores = await heldOutScores(questions, { fold, folds, step });
  const byPacking: PackedFigures[][] = [];
  for (const packing of PACKINGS) {
    byPacking.push(await allPacked(questions, scores, () => packing, options));
    await step();
  }
  const outcomes = Array.from({ length: folds }, (_, held) => foldOutcome(byPacking, fold, held));
  const weights: RankerWeights = {
    ...fitRanker(questions),
    packing: PACKINGS[bestPacking(byPacking, () => true)]!,
  };
  await step();
  return {
    weights,
    heldOut: meanOf(fold.map((held, at) => outcomes[held]!.figures[at]!)),
    folds: outcomes.map(({ fold }) => fold),
  };
}

interface Folding {
  readonly fold: readonly number[];
  readonly folds: number;
  step(): Promise<void>;
}

/** Scores each question by stages that were fitted without it and its facts. */
async function heldOutScores(
  questions: readonly RankedQuestion[],
  { fold, folds, step }: Folding,
): Promise<readonly Float64Array[]> {
  const scores: Float64Array[] = [];
  for (let held = 0; held < folds; held++) {
    const inside = questions.filter((_, at) => fold[at] === held);
    const outside = questions.filter((_, at) => fold[at] !== held);
    const stages = fitRanker(outside, goldKeys(inside));
    for (const [at, question] of questions.entries())
      if (fold[at] === held) scores[at] = scored(question, stages);
    await step();
  }
  return scores;
}

async function allPacked(
  questions: readonly RankedQuestion[],
  scores: readonly Float64Array[],
  packingOf: (at: number) => RankerWeights['packing'],
  { settings, engine }: LearnOptions,
): Promise<PackedFigures[]> {
  const figures: PackedFigures[] = [];
  for (const [at, question] of questions.entries())
    figures.push(await packedFigures(question, scores[at]!, packingOf(at), settings, engine));
  return figures;
}

interface FoldOutcome {
  readonly fold: FoldFigures;
  /** Figures of all questions in the packing of this fold. */
  readonly figures: readonly PackedFigures[];
}

function foldOutcome(
  byPacking: readonly (readonly PackedFigures[])[],
  fold: readonly number[],
  held: number,
): FoldOutcome {
  const packing = bestPacking(byPacking, at => fold[at] !== held);
  const figures = byPacking[packing]!;
  const heldOut = figures.filter((_, at) => fold[at] === held);
  return {
    fold: { ...meanOf(heldOut), questions: heldOut.length, packing: PACKINGS[packing]! },
    figures,
  };
}

/**
 * Returns the index of the packing with the greatest sum of the four figures, so that no single one
 * is tuned for.
 */
export function bestPacking(
  byPacking: readonly (readonly PackedFigures[])[],
  counts: (at: number) => boolean,
): number {
  const sums = byPacking.map(figures => {
    const mean = meanOf(figures.filter((_, at) => counts(at)));
    return PACKED_FIGURES.reduce((sum, name) => sum + mean[name], 0);
  });
  return sums.indexOf(Math.max(...sums));
}

export function meanOf(figures: readonly PackedFigures[]): PackedFigures {
  const mean = (name: keyof PackedFigures): number =>
    figures.reduce((sum, figure) => sum + figure[name], 0) / Math.max(1, figures.length);
  return {
    FactRecall: mean('FactRecall'),
    AllFacts: mean('AllFacts'),
    GroundedRecall: mean('GroundedRecall'),
    GroundedEM: mean('GroundedEM'),
  };
}

const goldKeys = (questions: readonly RankedQuestion[]): Set<string> =>
  new Set(
    questions.flatMap(({ right, view }) =>
      right.flatMap((gold, at) => (gold ? [candidateKey(view, at)] : [])),
    ),
  );
