/**
 * The third stage of the ranker, fitted: what a reranker said of each question's best sentences,
 * beside the score that chose them.
 */
import { scoresOf, type Weights } from '../../models/fact-ranker/fact-ranker.ts';
import type { Features } from '../../models/fact-ranker/features.ts';
import type { Reranker } from '../../models/reranker.ts';
import { answersOf, PLAIN_WEIGHTS } from '../../strategies/fact-lanes/reread.ts';
import type { Call } from '../../trace/call.ts';
import { candidateKey, type Stages } from './fit-ranker.ts';
import { fitListwise } from './listwise.ts';
import { scored } from './packed.ts';
import type { RankedQuestion } from './ranked-question.ts';

export interface RereadLearning {
  readonly reranker: Reranker;
  /** Of each lane. */
  readonly pairs: number;
  /** Whether the question at this place is read: a reranker is slow. */
  reads(at: number): boolean;
  readonly call: Call;
}

export interface ThirdStage {
  readonly weights: Weights;
  /** Of the questions that were read, by their place. */
  readonly features: ReadonlyMap<number, Features>;
  /** Pairs a question. */
  readonly pairs: number;
}

/** What is learnt from. */
export interface LearntFrom {
  from(at: number): boolean;
  /** By `candidateKey`. */
  readonly unseen: ReadonlySet<string>;
}

const NAMES = Object.keys(PLAIN_WEIGHTS);

export class Rereadings {
  private readonly all: readonly RankedQuestion[];
  private readonly learning: RereadLearning;
  /** Those that are read. */
  private readonly places: readonly number[];
  /**
   * The stages of one fold find nearly the same sentences best as those of another: a pair is read
   * once.
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

  /** Reads what these stages rank best, of every question, and fits on some of them. */
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
    // Zeros, where no question that was read says anything, would forget what the stages before
    // knew.
    const learnt = Object.values(weights).some(weight => weight !== 0);
    return {
      weights: learnt ? weights : PLAIN_WEIGHTS,
      features,
      pairs: meanPairs([...features.values()]),
    };
  }
}

/** undefined for a question that was not read. */
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
