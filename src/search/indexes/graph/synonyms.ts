/**
 * Finds pairs of names that may mean one entity by their letters, for runs without an embedder
 * (HippoRAG, arXiv 2405.14831, section 2.2, uses cosines of embeddings): names whose character
 * trigrams have a TF-IDF cosine of at least 0.8, and names that contain the other as words ("Vell"
 * in "Tamsin Vell").
 */
import { finish, STEP, type Steps } from '../../../core/steps.ts';
import { cosines, type TrigramVectors, trigramVectors } from './synonyms-trigrams.ts';

/** Two names by number, `from` below `to`. */
export interface SynonymPair {
  readonly from: number;
  readonly to: number;
  /** Cosine of trigrams, above 0 and at most 1. */
  readonly cosine: number;
}

export interface SynonymOptions {
  /** Least cosine; 0.8 if missing, as HippoRAG ran it. */
  readonly threshold?: number;
  /** Most pairs that a name chooses; others may choose it besides. 100 if missing. */
  readonly most?: number;
}

/** Shorter names are joined to none. */
const LEAST_CHARACTERS = 3;
/** Sums of squares in another order differ by less. */
const SLACK = 1e-9;
/** Looking a text up takes as long as so many sums. */
const LOOK_UP = 16;

/**
 * Returns the pairs of distinct names that are joined, ascending. `names`: as `entityName` writes
 * them.
 */
export const synonymPairs = (
  names: readonly string[],
  options: SynonymOptions = {},
): SynonymPair[] => finish(synonymPairSteps(names, options));

/** Computes `synonymPairs` in steps. */
export function* synonymPairSteps(
  names: readonly string[],
  { threshold = 0.8, most = 100 }: SynonymOptions = {},
): Steps<SynonymPair[]> {
  const vectors = yield* trigramVectors(names);
  const cosine = cosines(vectors);
  const isLong = Uint8Array.from(names, name =>
    Number([...name.replaceAll(' ', '')].length >= LEAST_CHARACTERS),
  );
  yield LOOK_UP * names.length;
  const pairs = new Map<number, SynonymPair>();
  const join = (first: number, second: number, least: number): void => {
    const [from, to] = first < second ? [first, second] : [second, first];
    const key = from * names.length + to;
    if (from === to || isLong[from] === 0 || isLong[to] === 0 || pairs.has(key)) return;
    const value = cosine(from, to);
    if (value > 0 && value >= least - SLACK) pairs.set(key, { from, to, cosine: value });
  };
  yield* joinContained(names, join);
  yield* joinSimilar(vectors, isLong, threshold, join);
  return yield* chosen([...pairs.values()], names.length, most);
}

type Join = (first: number, second: number, least: number) => void;

/** The rarest trigrams of each name, without which the rest is shorter than the threshold. */
interface Prefixes {
  readonly starts: Uint32Array;
  readonly grams: Uint32Array;
  readonly weights: Float64Array;
  /** Length of what follows each. */
  readonly rests: Float64Array;
}

function* prefixesOf(
  { starts, grams, weights }: TrigramVectors,
  isTaken: Uint8Array,
  threshold: number,
): Steps<Prefixes> {
  const prefixes = { starts: new Uint32Array(starts.length), grams: new Uint32Array(grams.length) };
  const weightOf = new Float64Array(grams.length);
  const rests = new Float64Array(grams.length);
  let next = 0;
  for (let name = 0, work = 0; name < isTaken.length; name++) {
    const order = Uint32Array.from(
      { length: isTaken[name] === 0 ? 0 : starts[name + 1]! - starts[name]! },
      (_, at) => starts[name]! + at,
    ).sort((a, b) => grams[a]! - grams[b]!);
    let rest = 1;
    for (const at of order) {
      if (rest < (threshold - SLACK) ** 2) break;
      rest -= weights[at]! ** 2;
      [prefixes.grams[next], weightOf[next]] = [grams[at]!, weights[at]!];
      rests[next++] = Math.sqrt(Math.max(0, rest));
    }
    prefixes.starts[name + 1] = next;
    if ((work += LOOK_UP * (1 + order.length)) < STEP) continue;
    yield work;
    work = 0;
  }
  return { ...prefixes, weights: weightOf, rests };
}

/**
 * Compares the names that share one of the rarest trigrams of both, as pairs of the least cosine do
 * (Bayardo et al., Scaling Up All Pairs Similarity Search, WWW 2007, doi 10.1145/1242572.1242591),
 * if the rests from the rarest shared trigram on are long enough.
 */
function* joinSimilar(
  vectors: TrigramVectors,
  isLong: Uint8Array,
  threshold: number,
  join: Join,
): Steps<void> {
  const { starts, grams, weights, rests } = yield* prefixesOf(vectors, isLong, threshold);
  const places = new Uint32Array(vectors.size + 1);
  for (let at = 0; at < starts.at(-1)!; at++) places[grams[at]! + 1]! += 1;
  for (let gram = 0; gram < vectors.size; gram++) places[gram + 1]! += places[gram]!;
  // The names so far of each trigram, and where in their prefix it stands.
  const ends = places.slice();
  const holders = new Uint32Array(starts.at(-1)!);
  const standing = new Uint32Array(holders.length);
  const metBy = new Int32Array(isLong.length).fill(-1);
  yield holders.length;
  for (let name = 0, work = 0; name < isLong.length; name++) {
    for (let at = starts[name]!; at < starts[name + 1]!; at++) {
      const [gram, weight, rest] = [grams[at]!, weights[at]!, rests[at]!];
      const end = ends[gram]!++;
      for (let place = places[gram]!; place < end; place++) {
        const other = holders[place]!;
        // Two names meet first at their rarest shared trigram: later ones add no more.
        if (metBy[other] === name) continue;
        metBy[other] = name;
        const there = standing[place]!;
        if (weight * weights[there]! + rest * rests[there]! >= threshold - 2 * SLACK)
          join(other, name, threshold);
      }
      work += 1 + end - places[gram]!;
      [holders[end], standing[end]] = [name, at];
    }
    if (work < STEP) continue;
    yield work;
    work = 0;
  }
}

/** Joins each name to those that stand in it as words. */
function* joinContained(names: readonly string[], join: Join): Steps<void> {
  const numbers = new Map(names.map((name, number) => [name, number]));
  yield LOOK_UP * names.length;
  for (let number = 0, work = 0; number < names.length; number++) {
    const words = names[number]!.split(' ');
    for (let from = 0; from < words.length; from++) {
      let part = '';
      for (let end = from; end < words.length; end++) {
        part = end === from ? words[end]! : `${part} ${words[end]!}`;
        const other = numbers.get(part);
        if (other !== undefined && other !== number) join(number, other, 0);
      }
    }
    if ((work += LOOK_UP * words.length ** 2) < STEP) continue;
    yield work;
    work = 0;
  }
}

/** Keeps pairs that are among the best of either name, the first of equals by number. */
function* chosen(pairs: readonly SynonymPair[], names: number, most: number): Steps<SynonymPair[]> {
  const left = new Uint32Array(names).fill(most);
  const best = yield* sorted(
    pairs,
    BUCKETS,
    ({ cosine }) => Math.floor((1 - cosine) * (BUCKETS - 1)),
    (a, b) => b.cosine - a.cosine || a.from - b.from || a.to - b.to,
  );
  const kept = best.filter(({ from, to }) => {
    const isKept = left[from]! > 0 || left[to]! > 0;
    for (const name of [from, to]) if (left[name]! > 0) left[name]! -= 1;
    return isKept;
  });
  yield best.length;
  return yield* sorted(
    kept,
    names,
    ({ from }) => from,
    (a, b) => a.to - b.to,
  );
}

const BUCKETS = 1024;

/** Sorts within buckets, which are in order. */
function* sorted(
  pairs: readonly SynonymPair[],
  buckets: number,
  bucketOf: (pair: SynonymPair) => number,
  order: (a: SynonymPair, b: SynonymPair) => number,
): Steps<SynonymPair[]> {
  const filled = Array.from({ length: buckets }, (): SynonymPair[] => []);
  for (const pair of pairs) filled[bucketOf(pair)]!.push(pair);
  yield pairs.length;
  const all: SynonymPair[] = [];
  let work = 0;
  for (const bucket of filled) {
    for (const pair of bucket.sort(order)) all.push(pair);
    if ((work += 1 + LOOK_UP * bucket.length) < STEP) continue;
    yield work;
    work = 0;
  }
  return all;
}
