/** Character trigrams of names as vectors, in arrays. */
import { STEP, type Steps } from '../../../core/steps.ts';

/** One vector of length 1 a name: that of name `at` from `starts[at]` to `starts[at + 1]`. */
export interface TrigramVectors {
  readonly starts: Uint32Array;
  /** Trigrams by rank, the rarest first, in the order in which the name first has them. */
  readonly grams: Uint32Array;
  readonly weights: Float64Array;
  /** Number of distinct trigrams. */
  readonly size: number;
}

/** Computes the trigrams of each name with its ends, weighted by TF-IDF. */
export function* trigramVectors(names: readonly string[]): Steps<TrigramVectors> {
  const numbers = new Map<string, number>();
  const frequencies: number[] = [];
  const starts = new Uint32Array(names.length + 1);
  const [grams, counts]: number[][] = [[], []];
  for (let name = 0, work = 0; name < names.length; name++) {
    const counted = trigramsOf(names[name]!);
    for (const [gram, count] of counted) {
      let number = numbers.get(gram);
      if (number === undefined) numbers.set(gram, (number = frequencies.push(0) - 1));
      frequencies[number]! += 1;
      grams!.push(number);
      counts!.push(count);
    }
    starts[name + 1] = grams!.length;
    if ((work += COST * counted.size) < STEP) continue;
    yield work;
    work = 0;
  }
  const ranks = ranksOf(frequencies);
  yield frequencies.length;
  const weights = Float64Array.from(counts!);
  for (let name = 0, work = 0; name < names.length; name++) {
    const [start, end] = [starts[name]!, starts[name + 1]!];
    let squares = 0;
    for (let at = start; at < end; at++) {
      weights[at]! *= 1 + Math.log(names.length / frequencies[grams![at]!]!);
      squares += weights[at]! * weights[at]!;
    }
    const length = Math.sqrt(squares);
    for (let at = start; at < end; at++) {
      weights[at]! /= length;
      grams![at] = ranks[grams![at]!]!;
    }
    if ((work += end - start) < STEP) continue;
    yield work;
    work = 0;
  }
  return { starts, grams: Uint32Array.from(grams!), weights, size: frequencies.length };
}

/** Cutting a trigram out of a text and counting it takes as long as so many sums. */
const COST = 8;

function trigramsOf(name: string): Map<string, number> {
  const characters = [...` ${name} `];
  const grams = new Map<string, number>();
  for (let at = 0; at + 3 <= characters.length; at++) {
    const gram = characters[at]! + characters[at + 1]! + characters[at + 2]!;
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

/** Returns the place of each trigram from the rarest on, the first seen of equals first. */
function ranksOf(frequencies: readonly number[]): Uint32Array {
  const order = Uint32Array.from(frequencies.keys());
  order.sort((a, b) => frequencies[a]! - frequencies[b]! || a - b);
  const ranks = new Uint32Array(order.length);
  for (const [rank, gram] of order.entries()) ranks[gram] = rank;
  return ranks;
}

/** Returns the cosine of two names; its sums are in the order of the name of fewer trigrams. */
export function cosines({ starts, grams, weights, size }: TrigramVectors) {
  const dense = new Float64Array(size);
  const sizeOf = (name: number): number => starts[name + 1]! - starts[name]!;
  return (first: number, second: number): number => {
    const [few, many] = sizeOf(first) <= sizeOf(second) ? [first, second] : [second, first];
    const [start, end] = [starts[many]!, starts[many + 1]!];
    for (let at = start; at < end; at++) dense[grams[at]!] = weights[at]!;
    let sum = 0;
    for (let at = starts[few]!; at < starts[few + 1]!; at++)
      sum += weights[at]! * dense[grams[at]!]!;
    for (let at = start; at < end; at++) dense[grams[at]!] = 0;
    return Math.min(1, sum);
  };
}
