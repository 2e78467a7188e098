/**
 * Latent semantic analysis: items and queries as directions in the span of the strongest singular
 * vectors of the corpus's own TF-IDF matrix.
 */
import type { Dictionary } from '../lexical/dictionary.ts';
import { readQuery } from '../lexical/query.ts';
import { stopTerms } from '../lexical/stop-terms.ts';
import { type Packed, unpackIndex } from '../lexical/stored.ts';
import { type LsaParts, type PackedLsa, packLsa, unpackLsa } from './stored.ts';
import { sublinear, termWeights } from './term-weights.ts';
import { truncatedSvd } from './truncated-svd.ts';

/**
 * Fitted on an inverted index of the analysis `plain`, without the English stop words.
 *
 * Queries are folded in as qᵀ V. The standard fold-in qᵀ V S⁻¹ (Deerwester et al., Indexing by
 * Latent Semantic Analysis, 1990, "pseudo-documents") gives a row of U, which is compared with
 * items after both are scaled by S: qᵀ V in one step. Items are rows of A V = U S, the same map, so
 * that a query in the words of an item, fields and all, gets the item's own vector.
 */
export class Lsa {
  /**
   * What was asked for, or the rank of the corpus where that is less: it cannot exceed the number
   * of items, nor that of terms.
   */
  readonly dimensions: number;
  /** Descending. */
  readonly singularValues: Float64Array;
  /** One row an item, of length 1; zero for an item that has no term but stop words. */
  readonly vectors: Float32Array;
  /** What a query is folded in by. */
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

  /**
   * Deterministic: the same index gives the same bytes. O(postings · dimensions + items ·
   * dimensions²).
   */
  static fit(index: Packed, dimensions: number): Lsa {
    const { inverted } = unpackIndex(index);
    const { dictionary } = inverted;
    const matrix = termWeights(inverted, stopTerms(dictionary, 'plain'));
    const { values, items, terms, dimensions: found } = truncatedSvd(matrix, dimensions);
    const vectors = new Float32Array(items.length);
    for (let at = 0; at < items.length; at += found)
      vectors.set(unit(items.subarray(at, at + found)) ?? [], at);
    return new Lsa({
      dimensions: found,
      singularValues: values,
      vectors,
      dictionary,
      idf: matrix.idf,
      terms,
    });
  }

  /**
   * From what `pack` returned; the arrays are used as they are. Throws `InputError('bad-index')`.
   */
  static unpack(packed: PackedLsa): Lsa {
    return new Lsa(unpackLsa(packed));
  }

  /** All that searches need, for storage; the arrays are views, not copies. */
  pack(): PackedLsa {
    return packLsa(this.parts());
  }

  private parts(): LsaParts {
    const { dimensions, singularValues, vectors, dictionary, idf, terms } = this;
    return { dimensions, singularValues, vectors, dictionary, idf, terms };
  }

  /**
   * The unit vector of a query, or undefined when it has no term that the corpus has (stop words
   * aside).
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
 * Lengths are at most 1 for items and queries of single terms alike; less than this is rounding.
 */
const NO_LENGTH = 1e-9;

function unit(vector: Float64Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length > NO_LENGTH ? Float32Array.from(vector, value => value / length) : undefined;
}
