/**
 * Trains the three lite networks: once without each fold, to choose and measure the thresholds,
 * then on all questions.
 */

import { groupedFolds } from '../../../src/evaluation/fitting/folds.ts';
import { CHUNK_INPUTS } from '../../../src/models/efficient-rag/chunk-features.ts';
import { FILTER_INPUTS } from '../../../src/models/efficient-rag/filter-features.ts';
import {
  LITE_PARTS,
  type LiteModel,
  type LitePart,
} from '../../../src/models/efficient-rag/lite-classifiers.ts';
import { type Network, probabilityOf } from '../../../src/models/efficient-rag/network.ts';
import type { TermWeights } from '../../../src/models/efficient-rag/term-weights.ts';
import { WORD_INPUTS } from '../../../src/models/efficient-rag/word-features.ts';
import type { LiteQuestion } from './lite-data.ts';
import type { LiteSamples } from './lite-samples.ts';
import { type NetworkSettings, trainNetwork } from './network-training.ts';
import { type OperatingPoint, operatingPoint, type Scored } from './operating-point.ts';

export type LiteSettings = Readonly<
  Record<LitePart, Omit<NetworkSettings, 'seed'> & { readonly beta: number }>
>;

const INPUTS: Readonly<Record<LitePart, number>> = {
  chunks: CHUNK_INPUTS,
  words: WORD_INPUTS,
  filter: FILTER_INPUTS,
};

/**
 * Recall of chunks weighs twice (beta = 2): a missed chunk ends a chain, a superfluous one costs a
 * place.
 */
export const LITE_SETTINGS: LiteSettings = {
  chunks: { hidden: 16, buckets: 0, epochs: 10, rate: 0.1, beta: 2 },
  words: { hidden: 16, buckets: 65_536, epochs: 3, rate: 0.1, beta: 2 },
  filter: { hidden: 16, buckets: 8192, epochs: 5, rate: 0.1, beta: 1 },
};

/** Assigns questions to folds such that those with a common gold paragraph are in one fold. */
export const liteFolds = (
  questions: readonly LiteQuestion[],
  folds: number,
  seed: number,
): Int32Array =>
  groupedFolds(
    questions.map(({ gold }) => [...gold]),
    folds,
    seed,
  );

export function trainNetworks(
  samples: readonly LiteSamples[],
  settings: LiteSettings,
  seed: number,
): Record<LitePart, Network> {
  const networkOf = (part: LitePart): Network =>
    trainNetwork(
      samples.flatMap(each => each[part]),
      INPUTS[part],
      { ...settings[part], seed },
    );
  return { chunks: networkOf('chunks'), words: networkOf('words'), filter: networkOf('filter') };
}

export interface CrossValidation {
  /** For each fold, the networks that were trained without it. */
  readonly networks: readonly Record<LitePart, Network>[];
  /**
   * Operating points over all questions, each scored by the networks that were trained without it.
   */
  readonly points: Readonly<Record<LitePart, OperatingPoint>>;
}

/** Cross-validates the networks. `onFold` is called after each fold. */
export function crossValidate(
  samples: readonly LiteSamples[],
  fold: Int32Array,
  settings: LiteSettings,
  { seed, onFold }: { readonly seed: number; readonly onFold?: (done: number) => void },
): CrossValidation {
  const scored: Record<LitePart, Scored[]> = { chunks: [], words: [], filter: [] };
  const networks: Record<LitePart, Network>[] = [];
  for (let held = 0; held <= Math.max(...fold); held++) {
    const trained = trainNetworks(
      samples.filter((_, index) => fold[index] !== held),
      settings,
      seed,
    );
    networks.push(trained);
    for (const [index, sample] of samples.entries())
      if (fold[index] === held)
        for (const part of LITE_PARTS)
          for (const { features, label } of sample[part])
            scored[part].push({ probability: probabilityOf(trained[part], features), label });
    onFold?.(held + 1);
  }
  const point = (part: LitePart): OperatingPoint =>
    operatingPoint(scored[part], settings[part].beta);
  return {
    networks,
    points: { chunks: point('chunks'), words: point('words'), filter: point('filter') },
  };
}

/**
 * Returns the networks that were trained on all questions, with the thresholds of the
 * cross-validation.
 */
export function liteModel(
  networks: Readonly<Record<LitePart, Network>>,
  points: Readonly<Record<LitePart, Pick<OperatingPoint, 'threshold'>>>,
  weights: TermWeights,
): LiteModel {
  const decision = (part: LitePart): LiteModel[LitePart] => ({
    network: networks[part],
    threshold: points[part].threshold,
  });
  return {
    chunks: decision('chunks'),
    words: decision('words'),
    filter: decision('filter'),
    weights,
  };
}
