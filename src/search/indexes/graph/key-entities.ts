/**
 * Finds the key entities of a collection (ChainRAG, arXiv 2502.14245, section 3.1): the entities
 * with the greatest mean BM25 over all sentences. Computes them only from counts, in the order of
 * numbers, so that equal collections have equal keys to the bit.
 */
import type { DistinctMentions, Lists } from './mentions.ts';

/** Okapi BM25 as the released code runs it (rank_bm25): a sentence is the list of its entities. */
const [K1, B, FLOOR] = [1.5, 0.75, 0.25];

/** Returns the importance of each entity. `sentences`: where each entity stands. */
export function importances(mentions: DistinctMentions, sentences: Lists): Float64Array {
  const count = mentions.starts.length - 1;
  const lengths = new Float64Array(count);
  let all = 0;
  for (let sentence = 0; sentence < count; sentence++)
    for (let at = mentions.starts[sentence]!; at < mentions.starts[sentence + 1]!; at++) {
      lengths[sentence]! += mentions.counts[at]!;
      all += mentions.counts[at]!;
    }
  const norms = lengths.map(length => K1 * (1 - B + (B * length * count) / all));
  const sums = new Float64Array(sentences.starts.length - 1);
  for (let sentence = 0; sentence < count; sentence++)
    for (let at = mentions.starts[sentence]!; at < mentions.starts[sentence + 1]!; at++) {
      const often = mentions.counts[at]!;
      sums[mentions.items[at]!]! += (often * (K1 + 1)) / (often + norms[sentence]!);
    }
  const weights = inverseFrequencies(count, sentences);
  return sums.map((sum, entity) => (sum * weights[entity]!) / count);
}

/** Entities in more than half of the sentences have a share of the mean. */
function inverseFrequencies(count: number, { starts }: Lists): Float64Array {
  const weights = new Float64Array(starts.length - 1);
  let sum = 0;
  for (let entity = 0; entity < weights.length; entity++) {
    const holding = starts[entity + 1]! - starts[entity]!;
    weights[entity] = Math.log(count - holding + 0.5) - Math.log(holding + 0.5);
    sum += weights[entity]!;
  }
  const least = (FLOOR * sum) / weights.length;
  return weights.map(weight => (weight < 0 ? least : weight));
}

/**
 * Difference of importances that are equal but for rounding, as a share of the greatest: the mean
 * of inverse frequencies is a sum of numbers that may cancel.
 */
const TIE = 1e-12;

/** Returns 1 for the entities of this share of all, the most important; ties all count. */
export function keyEntities(important: Float64Array, share: number): Uint8Array {
  const sorted = important.slice().sort();
  const least =
    sorted[sorted.length - Math.ceil(share * sorted.length)] ?? Number.POSITIVE_INFINITY;
  // Equal importances differ in their last bits, since they are sums of other orders.
  const tied = least - TIE * Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted.at(-1) ?? 0));
  return Uint8Array.from(important, importance => Number(importance >= tied));
}
