/** Fits both stages of the ranker: the second sees the bridges of what the first ranks best. */
import { bridgesOf } from '../../models/fact-ranker/bridge-features.ts';
import { type RankerWeights, scoresOf } from '../../models/fact-ranker/fact-ranker.ts';
import type { Features } from '../../models/fact-ranker/features.ts';
import { fitListwise } from './listwise.ts';
import type { RankedQuestion } from './ranked-question.ts';

export type Stages = Pick<RankerWeights, 'first' | 'second'>;

/** `unseen`: candidates that are not learnt from, by the key of `candidateKey`. */
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

export const candidateKey = ({ found }: RankedQuestion['view'], at: number): string =>
  found[at]!.hit.id;
