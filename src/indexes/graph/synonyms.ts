/**
 * Finds pairs of names that may mean one entity, by their letters alone: what HippoRAG (arXiv
 * 2405.14831, section 2.2) finds by the cosine of embeddings, for runs without an embedder.
 *
 * Two names are joined by a cosine of their character trigrams of at least 0.8, weighted by TF-IDF,
 * or if one has the other as words ("Vell" in "Tamsin Vell"). Pairs of a cosine t share a trigram
 * among the rarest of either: those without which the rest is shorter than t (Bayardo et al.,
 * Scaling Up All Pairs Similarity Search, WWW 2007, doi 10.1145/1242572.1242591). Only names that
 * meet there are compared.
 */

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

type Grams = ReadonlyMap<string, number>;

/** Returns the trigrams of a name with its ends, of length 1 as a vector. */
export function trigramVectors(names: readonly string[]): Grams[] {
  const counts = names.map(trigramsOf);
  const frequencies = new Map<string, number>();
  for (const grams of counts)
    for (const gram of grams.keys()) frequencies.set(gram, (frequencies.get(gram) ?? 0) + 1);
  return counts.map(grams => {
    const weighed = [...grams].map(
      ([gram, count]) =>
        [gram, count * (1 + Math.log(names.length / frequencies.get(gram)!))] as const,
    );
    const length = Math.sqrt(weighed.reduce((sum, [, weight]) => sum + weight * weight, 0));
    return new Map(weighed.map(([gram, weight]) => [gram, weight / length]));
  });
}

function trigramsOf(name: string): Map<string, number> {
  const characters = [...` ${name} `];
  const grams = new Map<string, number>();
  for (let at = 0; at + 3 <= characters.length; at++) {
    const gram = characters.slice(at, at + 3).join('');
    grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

/**
 * Returns the pairs of distinct names that are joined, ascending. `names`: as `entityName` writes
 * them.
 */
export function synonymPairs(
  names: readonly string[],
  { threshold = 0.8, most = 100 }: SynonymOptions = {},
): SynonymPair[] {
  const vectors = trigramVectors(names);
  const isLong = names.map(name => [...name.replaceAll(' ', '')].length >= LEAST_CHARACTERS);
  const pairs = new Map<number, SynonymPair>();
  const join = (one: number, other: number, least: number): void => {
    const [from, to] = one < other ? [one, other] : [other, one];
    const key = from * names.length + to;
    if (from === to || !(isLong[from] && isLong[to]) || pairs.has(key)) return;
    const cosine = dot(vectors[from]!, vectors[to]!);
    if (cosine > 0 && cosine >= least - SLACK) pairs.set(key, { from, to, cosine });
  };
  for (const [one, other] of contained(names)) join(one, other, 0);
  joinSimilar(vectors, threshold, join);
  return chosen([...pairs.values()], names.length, most);
}

/** Compares the names that share one of the rarest trigrams of both. */
function joinSimilar(
  vectors: readonly Grams[],
  threshold: number,
  join: (one: number, other: number, least: number) => void,
): void {
  const frequencies = new Map<string, number>();
  for (const grams of vectors)
    for (const gram of grams.keys()) frequencies.set(gram, (frequencies.get(gram) ?? 0) + 1);
  const order = (a: string, b: string): number =>
    frequencies.get(a)! - frequencies.get(b)! || (a < b ? -1 : 1);
  const holders = new Map<string, number[]>();
  for (const [name, grams] of vectors.entries()) {
    const met = new Set<number>();
    let rest = 1;
    for (const gram of [...grams.keys()].sort(order)) {
      // The rest is too short to reach the threshold by itself.
      if (rest < (threshold - SLACK) ** 2) break;
      const earlier = holders.get(gram) ?? [];
      for (const other of earlier) met.add(other);
      if (earlier.length === 0) holders.set(gram, earlier);
      earlier.push(name);
      rest -= grams.get(gram)! ** 2;
    }
    for (const other of met) join(other, name, threshold);
  }
}

/** Returns each name with those that stand in it as words. */
function* contained(names: readonly string[]): Generator<[number, number]> {
  const numbers = new Map(names.map((name, number) => [name, number]));
  for (const [number, name] of names.entries()) {
    const words = name.split(' ');
    for (let from = 0; from < words.length; from++)
      for (let end = from + 1; end <= words.length; end++) {
        const other = numbers.get(words.slice(from, end).join(' '));
        if (other !== undefined && other !== number) yield [number, other];
      }
  }
}

function dot(one: Grams, other: Grams): number {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [gram, weight] of few) sum += weight * (many.get(gram) ?? 0);
  return Math.min(1, sum);
}

/** Keeps pairs that are among the best of either name, the first of equals by number. */
function chosen(pairs: readonly SynonymPair[], names: number, most: number): SynonymPair[] {
  const left = new Uint32Array(names).fill(most);
  return [...pairs]
    .sort((a, b) => b.cosine - a.cosine || a.from - b.from || a.to - b.to)
    .filter(({ from, to }) => {
      const isKept = left[from]! > 0 || left[to]! > 0;
      for (const name of [from, to]) if (left[name]! > 0) left[name]! -= 1;
      return isKept;
    })
    .sort((a, b) => a.from - b.from || a.to - b.to);
}
