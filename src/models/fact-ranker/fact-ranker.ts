/**
 * The ranker of `fact-lanes`: a linear score over features in two stages, a third where a reranker
 * reads, and what repeating a lane or a source costs. Shipped as JSON with its provenance.
 */
import { InputError } from '../../errors.ts';
import type { Features } from './features.ts';

export const RANKER_FORMAT = 'multihop fact-ranker 1';

/** By feature name. */
export type Weights = Readonly<Record<string, number>>;

export interface RankerWeights {
  readonly first: Weights;
  /** With the bridge features, and in open kinds with those of titles and of later hops. */
  readonly second: Weights;
  /**
   * Of what a reranker has read, where one is named: of the score until then, of the reranker's
   * answer, and of having been read at all.
   */
  readonly reread?: Weights;
  /**
   * Subtracted from a candidate's score: for each sentence kept of its lane, of its source; times
   * the logarithm of its price in words.
   */
  readonly packing: { readonly lane: number; readonly source: number; readonly price: number };
}

export interface FactRanker {
  readonly format: typeof RANKER_FORMAT;
  readonly rankers: Readonly<Record<RankerKind, RankerWeights>>;
  readonly provenance: Readonly<Record<string, unknown>>;
}

/**
 * `words`: for retrievers without vectors; `lsa`; `vectors`: for any embedder. Open ones are for
 * questions that name no source, and chain what they find.
 */
export type RankerKind = Signal | `open-${Signal}`;
export type Signal = 'words' | 'lsa' | 'vectors';
export const SIGNALS: readonly Signal[] = ['words', 'lsa', 'vectors'];
export const RANKER_KINDS: readonly RankerKind[] = [
  ...SIGNALS,
  ...SIGNALS.map(signal => `open-${signal}` as const),
];

/** One score a candidate. A feature that the weights do not name counts nothing. */
export function scoresOf(features: Features, weights: Weights, size: number): Float64Array {
  const scores = new Float64Array(size);
  for (const [name, weight] of Object.entries(weights)) {
    const column = features[name];
    if (column) for (let at = 0; at < size; at++) scores[at]! += weight * column[at]!;
  }
  return scores;
}

const NOT_READ = { score: 0, answer: 0, read: 0 };

/** Throws `InputError('bad-ranker')`. */
export function readFactRanker(value: unknown): FactRanker {
  const bad = (expected: string, received: unknown): never => {
    throw new InputError('bad-ranker', 'This is no fact ranker', {
      expected,
      received: String(JSON.stringify(received)).slice(0, 80),
    });
  };
  const { format, rankers, provenance } = record(value) ?? {};
  if (format !== RANKER_FORMAT) bad(`format "${RANKER_FORMAT}"`, format);
  for (const kind of RANKER_KINDS) {
    const { first, second, packing, reread = NOT_READ } = record(record(rankers)?.[kind]) ?? {};
    for (const weights of [first, second, packing, reread])
      if (!record(weights) || !Object.values(weights as object).every(Number.isFinite))
        bad(`finite weights of "${kind}"`, weights);
    for (const part of ['lane', 'source', 'price'])
      if (!Object.hasOwn(packing as object, part))
        bad(`a number for packing.${part} of "${kind}"`, packing);
    for (const part of Object.keys(NOT_READ))
      if (!Object.hasOwn(reread as object, part))
        bad(`a number for reread.${part} of "${kind}"`, reread);
  }
  if (!record(provenance)) bad('a provenance', provenance);
  return value as FactRanker;
}

const record = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
