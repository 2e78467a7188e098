/**
 * Computes the chunk features of the lite Labeler: the overlap of query, title and text, and how
 * the other chunks compare.
 */
import type { Features } from './network.ts';
import { sharedWeight, stemsOf, type TermWeights, totalWeight, weightOf } from './term-weights.ts';
import type { Chunk } from './token-classifiers.ts';
import { readWords, type Word } from './words.ts';

export const CHUNK_INPUTS = 22;

/** A tokenized query. */
export interface ReadQuery {
  readonly words: readonly Word[];
  readonly stems: ReadonlySet<string>;
}

export interface ReadChunk {
  /** The title without its parenthesis; `aside` is the parenthesis. */
  readonly title: readonly Word[];
  readonly aside: readonly Word[];
  readonly titleStems: ReadonlySet<string>;
  readonly text: readonly Word[];
  readonly source: string;
}

export function readQuery(text: string): ReadQuery {
  const words = readWords(text);
  return { words, stems: stemsOf(words) };
}

export function readChunk({ title, text }: Chunk): ReadChunk {
  const at = title.search(/\s\(/);
  const head = readWords(at < 0 ? title : title.slice(0, at));
  const aside = at < 0 ? [] : readWords(title.slice(at));
  return {
    title: head,
    aside,
    titleStems: stemsOf([...head, ...aside]),
    text: readWords(text),
    source: text,
  };
}

/** Returns the features of each chunk, in order; dense ones only. */
export function chunkFeatures(
  query: ReadQuery,
  chunks: readonly ReadChunk[],
  weights: TermWeights,
): Features[] {
  const alone = chunks.map(chunk => aloneFeatures(query, chunk, weights));
  const titles = alone.map(each => each[0]! * each[2]!);
  const all = alone.map(each => each[4]!);
  return alone.map((inputs, index) => {
    const others = (values: readonly number[]): number =>
      Math.max(0, ...values.filter((_, other) => other !== index));
    const rank = index;
    const dense = Float64Array.from([
      ...inputs,
      1 / (1 + rank),
      Math.log(1 + rank),
      titles[index]! - others(titles),
      all[index]! - others(all),
      titles.filter(value => value > titles[index]!).length / 10,
      titles.filter(value => value > 0.9).length / 10,
    ]);
    return { dense, crossed: [] };
  });
}

function aloneFeatures(
  query: ReadQuery,
  { title, aside, titleStems, text }: ReadChunk,
  weights: TermWeights,
): number[] {
  const inText = stemsOf(text);
  const inAll = new Set([...inText, ...titleStems]);
  const names = query.words.filter(({ capital, digit }) => capital || digit);
  const rest = query.words.filter(({ capital, digit }) => !capital && !digit);
  const phrase = commonPhrase(query.words, title, weights);
  const titleWeight = totalWeight(weights, title);
  const first = stemsOf(text.filter(({ sentence }) => sentence === 0));
  return [
    sharedWeight(weights, title, query.stems),
    sharedWeight(weights, [...title, ...aside], query.stems),
    phrase.all && title.length > 0 ? 1 : 0,
    titleWeight === 0 ? 0 : phrase.weight / titleWeight,
    sharedWeight(weights, query.words, inAll),
    sharedWeight(weights, query.words, titleStems),
    sharedWeight(weights, names, inAll),
    sharedWeight(weights, names, titleStems),
    sharedWeight(weights, rest, inAll),
    sharedWeight(weights, query.words, first),
    commonPhrase(query.words, text, weights).weight / (10 * weights.most),
    wholeNames(query, text),
    totalWeight(weights, query.words) / (10 * weights.most),
    titleWeight / (10 * weights.most),
    aside.length > 0 ? 1 : 0,
    Math.log(1 + text.length) / 5,
  ];
}

/**
 * Returns the weight of the heaviest word sequence that both texts contain. `all`: the longest
 * common sequence is the whole of `b`.
 */
export function commonPhrase(
  a: readonly Word[],
  b: readonly Word[],
  weights: TermWeights,
): { readonly weight: number; readonly all: boolean } {
  let best = 0;
  let longest = 0;
  let before = new Float64Array(b.length + 1);
  let lengths = new Uint32Array(b.length + 1);
  for (const word of a) {
    const now = new Float64Array(b.length + 1);
    const nowLengths = new Uint32Array(b.length + 1);
    for (let j = 0; j < b.length; j++) {
      if (b[j]!.stem !== word.stem) continue;
      now[j + 1] = before[j]! + (word.stop ? 0 : weightOf(weights, word));
      nowLengths[j + 1] = lengths[j]! + 1;
      if (now[j + 1]! > best) best = now[j + 1]!;
      if (nowLengths[j + 1]! > longest) longest = nowLengths[j + 1]!;
    }
    before = now;
    lengths = nowLengths;
  }
  return { weight: best, all: longest === b.length };
}

/** Returns the share of the query's names whose words all occur in the text. */
function wholeNames({ words }: ReadQuery, text: readonly Word[]): number {
  const known = new Set(text.map(({ stem }) => stem));
  const names = words.filter(
    (word, index) => word.first === index && (word.capital || word.digit) && !word.stop,
  );
  if (names.length === 0) return 0;
  return (
    names.filter(name =>
      words.slice(name.first, name.last + 1).every(({ stem }) => known.has(stem)),
    ).length / names.length
  );
}
