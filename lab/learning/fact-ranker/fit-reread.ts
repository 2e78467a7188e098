/**
 * Fits the third stage of the ranker: the scores of a reranker for each question's best sentences,
 * beside the score that selected them.
 */

import type { Call } from '../../../src/core/trace/call.ts';
import { scoresOf, type Weights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import type { Features } from '../../../src/models/fact-ranker/features.ts';
import type { Reranker } from '../../../src/models/reranker.ts';
import { answersOf, DEFAULT_WEIGHTS } from '../../../src/strategies/fact-lanes/reread.ts';
import { candidateKey, type Stages } from './fit-ranker.ts';
import { fitListwise } from './listwise.ts';
import { scored } from './packed.ts';
import type { RankedQuestion } from './ranked-question.ts';

export interface RereadLearning {
  readonly reranker: Reranker;
  /** Number of pairs per lane. */
  readonly pairs: number;
  /** Returns true if the question at this index is read: rerankers are slow. */
  reads(at: number): boolean;
  readonly call: Call;
}

export interface ThirdStage {
  readonly weights: Weights;
  /** Features of the questions that were read, by index. */
  readonly features: ReadonlyMap<number, Features>;
  /** Mean number of pairs per question. */
  readonly pairs: number;
}

/** Selects the questions and candidates of a fit. */
export interface LearntFrom {
  from(at: number): boolean;
  /** Keys by `candidateKey`. */
  readonly unseen: ReadonlySet<string>;
}

const NAMES = Object.keys(DEFAULT_WEIGHTS);

export class Rereadings {
  private readonly all: readonly RankedQuestion[];
  private readonly learning: RereadLearning;
  /** Indexes of the questions that are read. */
  private readonly places: readonly number[];
  /**
   * Scores by pair: the stages of different folds select nearly the same sentences, and each pair
   * is scored once.
   */
  private readonly answers: readonly Map<string, number>[];

  constructor(all: readonly RankedQuestion[], learning: RereadLearning) {
    this.all = all;
    this.learning = learning;
    this.places = Array.from(all.keys()).filter(at => learning.reads(at));
    this.answers = all.map(() => new Map());
  }

  get questions(): number {
    return this.places.length;
  }

  /**
   * Scores the best candidates of these stages for every question, and fits on some of the
   * questions.
   */
  async fit(
    stages: Stages,
    { from, unseen }: LearntFrom,
    step: () => Promise<void>,
  ): Promise<ThirdStage> {
    const features = new Map<number, Features>();
    const { call, pairs, reranker } = this.learning;
    for (const at of this.places) {
      const { view, lanes } = this.all[at]!;
      const options = { reranker, pairs, answers: this.answers[at]! };
      const read = await answersOf(
        view,
        { scores: scored(this.all[at]!, stages), lanes },
        options,
        call,
      );
      features.set(at, read.features);
      await step();
    }
    const listed = this.places.filter(from).map(at => {
      const { right, view } = this.all[at]!;
      const seen = right.flatMap((_, index) =>
        unseen.has(candidateKey(view, index)) ? [] : [index],
      );
      return { features: features.get(at)!, right, seen };
    });
    const weights = fitListwise(listed, NAMES);
    // If no question that was read is useful, all weights are zero, which would discard the scores
    // of the earlier stages.
    const learnt = Object.values(weights).some(weight => weight !== 0);
    return {
      weights: learnt ? weights : DEFAULT_WEIGHTS,
      features,
      pairs: meanPairs([...features.values()]),
    };
  }
}

/** Returns the scores of a question, or undefined if it was not read. */
export function rereadScores(
  { weights, features }: ThirdStage,
  at: number,
): Float64Array | undefined {
  const own = features.get(at);
  return own && scoresOf(own, weights, own['score']!.length);
}

function meanPairs(features: readonly Features[]): number {
  const pairs = features.reduce(
    (sum, { read }) => sum + read!.reduce((count, one) => count + one, 0),
    0,
  );
  return pairs / Math.max(1, features.length);
}
