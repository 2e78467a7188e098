/**
 * Ranks the candidates of `fact-lanes`: a first stage, then passes of a second stage that use the
 * best candidates of the first.
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

/** The ranking of one view, pass by pass, each computed once. */
export class LaneRanking {
  private readonly view: LanesView;
  private readonly ranker: RankerWeights;
  private readonly first: ReturnType<typeof firstFeatures>;
  /** Scores by the number of passes of the second stage. */
  private readonly scores: Float64Array[];

  constructor(view: LanesView, ranker: RankerWeights) {
    this.view = view;
    this.ranker = ranker;
    this.first = firstFeatures(view);
    this.scores = [scoresOf(this.first.features, ranker.first, view.candidates.length)];
  }

  /**
   * Ranks after `passes` of the second stage, each of which uses the best sentences of the pass
   * before; 0: the first stage alone.
   */
  after(passes: number): Ranked {
    const { view, ranker, scores } = this;
    const { features, lanes } = this.first;
    const size = view.candidates.length;
    while (size > 0 && scores.length <= passes)
      scores.push(
        scoresOf(secondFeatures(view, features, lanes, scores.at(-1)!), ranker.second, size),
      );
    return { scores: scores[size > 0 ? passes : 0]!, lanes };
  }
}

/** Ranks a view after `passes` of the second stage. */
export const rank = (view: LanesView, ranker: RankerWeights, passes: number): Ranked =>
  new LaneRanking(view, ranker).after(passes);

/** Returns the features of the second stage; `scores` are those of the stage before. */
export function secondFeatures(
  view: LanesView,
  first: Features,
  lanes: Int32Array,
  scores: Float64Array,
): Features {
  const features = { ...first, ...bridgesOf(view, scores, lanes).features };
  return view.kind === 'linked' ? { ...features, ...linksOf(view, scores) } : features;
}

/**
 * Ranks without learnt weights: by the sum of words, vectors, document and source in the lane that
 * fits best.
 */
export function plainSum(view: LanesView): Ranked {
  const { lanes } = firstFeatures(view);
  const fit = laneFit(view);
  return { scores: Float64Array.from(lanes, (lane, at) => fit[lane]![at]!), lanes };
}
