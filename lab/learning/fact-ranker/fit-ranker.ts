/**
 * Fits both stages of the ranker: the second has features of the bridges of the first stage's best
 * candidates.
 */
import { bridgesOf } from '../../../src/models/fact-ranker/bridge-features.ts';
import { type RankerWeights, scoresOf } from '../../../src/models/fact-ranker/fact-ranker.ts';
import type { Features } from '../../../src/models/fact-ranker/features.ts';
import { fitListwise } from './listwise.ts';
import type { RankedQuestion } from './ranked-question.ts';

export type Stages = Pick<RankerWeights, 'first' | 'second'>;

/**
 * Fits both stages. `unseen`: candidates that are excluded from learning, by the key of
 * `candidateKey`.
 */
export function fitRanker(
  questions: readonly RankedQuestion[],
  unseen: ReadonlySet<string> = new Set(),
): Stages {
  const names = Object.keys(questions[0]?.first ?? {});
  const listed = questions.map(({ first, right, view }) => ({
    features: first,
    right,
    seen: right.flatMap((_, at) => (unseen.has(candidateKey(view, at)) ? [] : [at])),
  }));
  const first = fitListwise(listed, names);
  const bridged = questions.map((question, index) => ({
    ...listed[index]!,
    features: secondFeatures(question, first),
  }));
  const second = fitListwise(bridged, Object.keys(bridged[0]?.features ?? {}));
  return { first, second };
}

export function secondFeatures(
  { first, view, lanes }: RankedQuestion,
  weights: Stages['first'],
): Features {
  return { ...first, ...bridgesOf(view, scoresOf(first, weights, lanes.length), lanes).features };
}

export const candidateKey = ({ found: candidates }: RankedQuestion['view'], at: number): string =>
  candidates[at]!.hit.id;
