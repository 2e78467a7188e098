/**
 * The ranking of what `fact-lanes` found: the first stage, and the second by what the best of the
 * stage before say.
 */
import { bridgesOf } from '../../models/fact-ranker/bridge-features.ts';
import { type RankerWeights, scoresOf } from '../../models/fact-ranker/fact-ranker.ts';
import { type Features, firstFeatures } from '../../models/fact-ranker/features.ts';
import { linksOf } from '../../models/fact-ranker/link-features.ts';
import { laneFit } from '../../models/fact-ranker/question-view.ts';
import type { LanesView } from './view.ts';

export interface Ranked {
  readonly scores: Float64Array;
  /** The lane that each candidate fits best. */
  readonly lanes: Int32Array;
}

/**
 * `passes`: how often the second stage is asked, each time by the voices of the last; 0: the first
 * stage alone.
 */
export function rank(view: LanesView, ranker: RankerWeights, passes: number): Ranked {
  const size = view.candidates.length;
  const { features: first, lanes } = firstFeatures(view);
  let scores = scoresOf(first, ranker.first, size);
  for (let pass = 0; pass < passes && size > 0; pass++)
    scores = scoresOf(secondFeatures(view, first, lanes, scores), ranker.second, size);
  return { scores, lanes };
}

/** The features of the second stage where these are the scores of the stage before. */
export function secondFeatures(
  view: LanesView,
  first: Features,
  lanes: Int32Array,
  scores: Float64Array,
): Features {
  return {
    ...first,
    ...bridgesOf(view, scores, lanes).features,
    ...(view.open ? linksOf(view, scores) : {}),
  };
}

/**
 * Without anything learnt: the plain sum of words, vectors, document and source, of the lane that
 * fits best.
 */
export function plainSum(view: LanesView): Ranked {
  const { lanes } = firstFeatures(view);
  const fit = laneFit(view);
  return { scores: Float64Array.from(lanes, (lane, at) => fit[lane]![at]!), lanes };
}
