/**
 * Groups linked documents into long retrieval units (Jiang, Ma and Chen, LongRAG, arXiv 2406.15319,
 * section 2.1), and links similar documents.
 */

import { finish, inSteps, type Steps } from '../../core/steps.ts';
import { wordsIn } from '../../core/text/matched-words.ts';
import { isContentWord } from '../../language/english/words/content-words.ts';
import { stemOf } from '../../language/english/words/stems.ts';

/** A document to be grouped. */
export interface Groupable {
  readonly id: string;
  /** Its size, in tokens. */
  readonly tokens: number;
  /** Ids of the documents it is linked with; ids of others are ignored. */
  readonly links: ReadonlySet<string>;
}

interface Unit {
  readonly members: readonly string[];
  readonly tokens: number;
}

/**
 * Returns the units, each a list of ids: documents with fewer links are placed first (then by id);
 * each opens a unit and takes in the units of linked documents, the smallest first (then the
 * oldest), until one does not fit into `size`. A document longer than `size` is a unit by itself.
 */
export function groupDocuments(documents: readonly Groupable[], size: number): string[][] {
  const placed = documents.toSorted(
    (a, b) => a.links.size - b.links.size || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
  const unitOf = new Map<string, Unit>();
  for (const { id, tokens, links } of placed) {
    const linked = [...new Set([...links].map(link => unitOf.get(link)))];
    const known = new Set(linked);
    // Units in the order in which they were made.
    const related = [...new Set(unitOf.values())]
      .filter(unit => known.has(unit))
      .sort((a, b) => a.tokens - b.tokens);
    let unit: Unit = { members: [id], tokens };
    for (const other of related) {
      if (unit.tokens + other.tokens > size) break;
      unit = { members: [...unit.members, ...other.members], tokens: unit.tokens + other.tokens };
    }
    for (const member of unit.members) {
      // Set anew, so that the order of the map is that of the units.
      unitOf.delete(member);
      unitOf.set(member, unit);
    }
  }
  return [...new Set(unitOf.values())].map(({ members }) => [...members]);
}

/** A document as links compare it. */
export interface Comparable {
  readonly id: string;
  readonly text: string;
  /** ISO day; empty if unknown. */
  readonly day: string;
}

export interface LinkRules {
  /** Most documents that one document is linked with by itself. */
  readonly neighbours: number;
  /** Least cosine of two linked documents. */
  readonly cosine: number;
  /** Most days between two linked documents; those without a day are linked with any. */
  readonly days: number;
}

const DAY_MS = 86_400_000;

/**
 * Links each document with those most alike, by the cosine of TF-IDF vectors over the stems of
 * their content words: (1 + ln tf) ln(n / df) over the n given documents. Links are symmetric.
 */
export const linksOfAlike = (
  documents: readonly Comparable[],
  rules: LinkRules,
): ReadonlyMap<string, ReadonlySet<string>> => finish(linksOfAlikeInSteps(documents, rules));

/** Computes `linksOfAlike` in steps. */
export function* linksOfAlikeInSteps(
  documents: readonly Comparable[],
  rules: LinkRules,
): Steps<ReadonlyMap<string, ReadonlySet<string>>> {
  const counts: ReadonlyMap<string, number>[] = [];
  yield* inSteps(documents, 1, ({ text }) => counts.push(stemCounts(text)));
  const vectors = vectorsOf(counts);
  const holders = holdersOf(vectors);
  const days = documents.map(({ day }) => (day === '' ? undefined : Date.parse(day) / DAY_MS));
  const links = new Map(documents.map(({ id }) => [id, new Set<string>()]));
  for (const [place, { id }] of documents.entries()) {
    const near = Array.from(cosinesWith(vectors[place]!, holders, documents.length))
      .map((cosine, at) => ({ at, id: documents[at]!.id, cosine }))
      .filter(({ at, cosine }) => at !== place && cosine >= rules.cosine && cosine > 0)
      .filter(({ at }) => areNear(days[place], days[at], rules.days))
      .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
    for (const other of near.slice(0, rules.neighbours)) {
      links.get(id)!.add(other.id);
      links.get(other.id)!.add(id);
    }
    yield documents.length;
  }
  return links;
}

const areNear = (a: number | undefined, b: number | undefined, days: number): boolean =>
  a === undefined || b === undefined || Math.abs(a - b) <= days;

type Holders = ReadonlyMap<string, readonly (readonly [place: number, weight: number])[]>;

/** Returns, for each word, the places of the vectors that hold it, with its weights there. */
function holdersOf(vectors: readonly ReadonlyMap<string, number>[]): Holders {
  const holders = new Map<string, [number, number][]>();
  for (const [place, vector] of vectors.entries())
    for (const [word, weight] of vector) {
      const list = holders.get(word);
      if (list) list.push([place, weight]);
      else holders.set(word, [[place, weight]]);
    }
  return holders;
}

/** Returns the cosines with all vectors; only words that are shared cost time. */
function cosinesWith(
  vector: ReadonlyMap<string, number>,
  holders: Holders,
  count: number,
): Float64Array {
  const sums = new Float64Array(count);
  for (const [word, weight] of vector)
    for (const [place, other] of holders.get(word)!) sums[place]! += weight * other;
  return sums;
}

/** Returns vectors of length 1, or empty ones; words in all documents weigh nothing. */
function vectorsOf(counts: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number>[] {
  const frequency = new Map<string, number>();
  for (const words of counts)
    for (const word of words.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return counts.map(words => {
    const weights = [...words]
      .map(([word, count]): [string, number] => [
        word,
        (1 + Math.log(count)) * Math.log(counts.length / frequency.get(word)!),
      ])
      .filter(([, weight]) => weight > 0);
    const norm = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0));
    return new Map(weights.map(([word, weight]) => [word, weight / norm]));
  });
}

function stemCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsIn(text.toLowerCase()))
    if (isContentWord(word)) {
      const stem = stemOf(word);
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
  return counts;
}
