/**
 * Defines the ranker of `fact-lanes`: a linear score over features in two stages, and the costs of
 * repeating a lane or a source. Shipped as JSON with its provenance.
 */
import { InputError } from '../../core/errors.ts';
import type { Features } from './features.ts';

export const RANKER_FORMAT = 'multihop fact-ranker 1';

/** Weights by feature name. */
export type Weights = Readonly<Record<string, number>>;

export interface RankerWeights {
  readonly first: Weights;
  /**
   * Weights of the second stage: of the first features, the bridge features and, in open kinds, the
   * link features.
   */
  readonly second: Weights;
  /**
   * Costs that are subtracted from a candidate's score: for each kept sentence of its lane; for
   * each of its source; times the logarithm of its price in words.
   */
  readonly packing: { readonly lane: number; readonly source: number; readonly price: number };
}

export interface FactRanker {
  readonly format: typeof RANKER_FORMAT;
  readonly rankers: Readonly<Record<RankerKind, RankerWeights>>;
  readonly provenance: Readonly<Record<string, unknown>>;
}

/**
 * The signals that a retriever has: `words` without vectors, or `vectors` of any embedder.
 * Open kinds are for documents that titles link; they chain documents.
 */
export type RankerKind = Signal | `open-${Signal}`;
export type Signal = 'words' | 'vectors';
export const SIGNALS: readonly Signal[] = ['words', 'vectors'];
export const RANKER_KINDS: readonly RankerKind[] = [
  ...SIGNALS,
  ...SIGNALS.map(signal => `open-${signal}` as const),
];

/** Returns one score for each candidate. Features without a weight are ignored. */
export function scoresOf(features: Features, weights: Weights, size: number): Float64Array {
  const scores = new Float64Array(size);
  for (const [name, weight] of Object.entries(weights)) {
    const column = features[name];
    if (column) for (let at = 0; at < size; at++) scores[at]! += weight * column[at]!;
  }
  return scores;
}

/** Validates a ranker. Throws `InputError('bad-ranker')` that names the invalid part. */
export function readFactRanker(value: unknown): FactRanker {
  const bad = (expected: string, received: unknown): never => {
    throw new InputError('bad-ranker', 'Not a fact ranker', {
      expected,
      received: String(JSON.stringify(received)).slice(0, 80),
    });
  };
  const { format, rankers, provenance } = record(value) ?? {};
  if (format !== RANKER_FORMAT) bad(`format "${RANKER_FORMAT}"`, format);
  for (const kind of RANKER_KINDS) {
    const { first, second, packing } = record(record(rankers)?.[kind]) ?? {};
    for (const weights of [first, second, packing])
      if (!record(weights) || !Object.values(weights as object).every(Number.isFinite))
        bad(`finite weights of "${kind}"`, weights);
    for (const part of ['lane', 'source', 'price'])
      if (!Object.hasOwn(packing as object, part))
        bad(`a number for packing.${part} of "${kind}"`, packing);
  }
  if (!record(provenance)) bad('an object as provenance', provenance);
  return value as FactRanker;
}

const record = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
