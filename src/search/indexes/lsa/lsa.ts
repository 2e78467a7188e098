/**
 * Implements latent semantic analysis: represents items and queries as directions in the span of
 * the strongest singular vectors of the corpus's own TF-IDF matrix.
 */

import type { Steps } from '../../../core/steps.ts';
import type { Dictionary } from '../lexical/dictionary.ts';
import { documentFrequency } from '../lexical/inverted.ts';
import { readQuery } from '../lexical/query.ts';
import { stopTerms } from '../lexical/stop-terms.ts';
import { type Packed, unpackIndex } from '../lexical/stored.ts';
import { type LsaParts, type PackedLsa, packLsa, unpackLsa } from './stored.ts';
import { sublinear, termWeights } from './term-weights.ts';
import { svdWork, truncatedSvd } from './truncated-svd.ts';

/**
 * A space fitted on an inverted index of the analysis `plain`, without English stop words.
 *
 * Queries are folded in as qᵀ V. The standard fold-in qᵀ V S⁻¹ (Deerwester et al., Indexing by
 * Latent Semantic Analysis, 1990, "pseudo-documents") gives a row of U, which is compared with
 * items after both are scaled by S: qᵀ V in one step. Items are rows of A V = U S, the same map, so
 * that a query that repeats an item's words, fields included, gets the item's vector.
 */
/** Estimated bytes of a term in a dictionary. */
const TERM_BYTES = 64;

export class Lsa {
  /**
   * The requested number, or the rank of the corpus if that is less: at most the number of items
   * and of terms.
   */
  readonly dimensions: number;
  /** Descending. */
  readonly singularValues: Float64Array;
  /** One row per item, of length 1; zero for an item without terms other than stop words. */
  readonly vectors: Float32Array;
  /** Dictionary, idf and term vectors fold queries in. */
  private readonly dictionary: Dictionary;
  private readonly idf: Float64Array;
  private readonly terms: Float32Array;

  private constructor({ dimensions, singularValues, vectors, dictionary, idf, terms }: LsaParts) {
    this.dimensions = dimensions;
    this.singularValues = singularValues;
    this.vectors = vectors;
    this.dictionary = dictionary;
    this.idf = idf;
    this.terms = terms;
  }

  /** Bytes in memory, those of the dictionary estimated. */
  get bytes(): number {
    const { vectors, terms, idf } = this;
    return vectors.byteLength + terms.byteLength + idf.byteLength + TERM_BYTES * idf.length;
  }

  /**
   * Fits a space. Deterministic: equal indexes give equal bytes. O(postings · dimensions + items ·
   * dimensions²).
   */
  static *fit(index: Packed, dimensions: number): Steps<Lsa> {
    const { inverted } = unpackIndex(index);
    const { dictionary } = inverted;
    const matrix = yield* termWeights(inverted, stopTerms(dictionary, 'plain'));
    const { values, items, terms, dimensions: rank } = yield* truncatedSvd(matrix, dimensions);
    for (let at = 0; at < items.length; at += rank) {
      const row = items.subarray(at, at + rank);
      row.set(unit(row) ?? new Float32Array(rank));
      yield rank;
    }
    return new Lsa({
      dimensions: rank,
      singularValues: values,
      vectors: items,
      dictionary,
      idf: matrix.idf,
      terms,
    });
  }

  /** Returns about how much work the steps of a fit yield. */
  static work(index: Packed, dimensions: number): number {
    const { inverted } = unpackIndex(index);
    const { size, terms, items, dictionary } = inverted;
    let postings = items.length;
    for (const term of stopTerms(dictionary, 'plain'))
      postings -= documentFrequency(inverted, term);
    return svdWork({ postings, size, terms }, dimensions);
  }

  /**
   * Restores a space from the result of `pack`, using the arrays in place. Throws
   * `InputError('bad-index')`.
   */
  static unpack(packed: PackedLsa): Lsa {
    return new Lsa(unpackLsa(packed));
  }

  /** Returns the space for storage; the arrays are views, not copies. */
  pack(): PackedLsa {
    return packLsa(this.parts());
  }

  private parts(): LsaParts {
    const { dimensions, singularValues, vectors, dictionary, idf, terms } = this;
    return { dimensions, singularValues, vectors, dictionary, idf, terms };
  }

  /**
   * Returns the unit vector of a query, or undefined if the corpus has none of its terms (stop
   * words aside).
   */
  fold(text: string): Float32Array | undefined {
    const { dimensions, terms } = this;
    const sum = new Float64Array(dimensions);
    for (const { term, count } of readQuery(this.dictionary, text, 'plain')) {
      const weight = sublinear(count) * this.idf[term]!;
      if (weight === 0) continue;
      for (let j = 0; j < dimensions; j++) sum[j]! += weight * terms[term * dimensions + j]!;
    }
    return unit(sum);
  }
}

/**
 * Greatest length that counts as zero: lengths of items and of single terms are at most 1, so less
 * than this is rounding.
 */
const NO_LENGTH = 1e-9;

function unit(vector: Float64Array | Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length <= NO_LENGTH) return undefined;
  const scaled = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) scaled[at] = vector[at]! / length;
  return scaled;
}
