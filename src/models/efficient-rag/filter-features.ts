/**
 * Computes the word features of the lite Filter over `Query: ... Info: ...; Info: ...`: whether the
 * other part contains the word, and its neighbours.
 */
import { bucketOf, type Features } from './network.ts';
import { stemsOf, type TermWeights, weightOf } from './term-weights.ts';
import { readWords, type Word } from './words.ts';

export const FILTER_INPUTS = 26;

/** The words of the query, then those of each info. */
export interface ReadSentence {
  readonly query: readonly Word[];
  readonly infos: readonly (readonly Word[])[];
}

export const readSentence = (query: string, infos: readonly string[]): ReadSentence => ({
  query: readWords(query),
  infos: infos.map(info => readWords(info)).filter(({ length }) => length > 0),
});

/** Returns the features of each word, those of the query first. */
export function filterFeatures({ query, infos }: ReadSentence, weights: TermWeights): Features[] {
  const queryStems = stemsOf(query);
  const infoStems = stemsOf(infos.flat());
  const shared =
    queryStems.size === 0
      ? 0
      : [...queryStems].filter(stem => infoStems.has(stem)).length / queryStems.size;
  const common = [shared, Math.min(infos.length, 5) / 5, Math.min(query.length, 30) / 30];
  return [
    ...query.map((word, index) =>
      wordOf(word, index, query, { other: infoStems, weights, common, part: 0, item: 0 }),
    ),
    ...infos.flatMap((info, item) =>
      info.map((word, index) =>
        wordOf(word, index, info, { other: queryStems, weights, common, part: 1, item }),
      ),
    ),
  ];
}

interface Around {
  /** Stems of the other part. */
  readonly other: ReadonlySet<string>;
  readonly weights: TermWeights;
  readonly common: readonly number[];
  /** 0: the query; 1: an info. */
  readonly part: 0 | 1;
  readonly item: number;
}

function wordOf(
  word: Word,
  index: number,
  words: readonly Word[],
  { other, weights, common, part, item }: Around,
): Features {
  const run = words.slice(word.first, word.last + 1);
  const content = run.filter(({ stop }) => !stop);
  const share =
    content.length === 0
      ? 0
      : content.filter(({ stem }) => other.has(stem)).length / content.length;
  const matched = (each: Word | undefined): boolean =>
    each !== undefined && !each.stop && other.has(each.stem);
  const distance = (step: -1 | 1): number => {
    for (let at = (step < 0 ? word.first : word.last) + step; words[at]; at += step)
      if (matched(words[at])) return 1 / Math.abs(at - index);
    return 0;
  };
  const inputs = [
    other.has(word.stem) ? 1 : 0,
    share,
    share === 1 ? 1 : 0,
    word.stop ? 1 : 0,
    word.capital ? 1 : 0,
    word.digit ? 1 : 0,
    weightOf(weights, word) / weights.most,
    distance(-1),
    distance(1),
    index / Math.max(1, words.length - 1),
    Math.min(run.length, 5) / 5,
  ];
  // Query and infos have weights of their own: each fills its half of the features and leaves the
  // other half zero.
  const none = inputs.map(() => 0);
  const dense = Float64Array.from([
    ...(part === 0 ? [...inputs, ...none] : [...none, ...inputs]),
    part,
    ...common,
  ]);
  const before = words[word.first - 1]?.stem ?? '^';
  const after = words[word.last + 1]?.stem ?? '$';
  const shape = word.digit ? '0' : word.capital ? 'A' : word.stem;
  const match = other.has(word.stem) ? 'in' : 'out';
  const crossed = [
    `${shape}`,
    `${before} ${shape}`,
    `${shape} ${after}`,
    `${match} ${shape}`,
    `${match} ${before}`,
    `${match} ${after}`,
    `item ${Math.min(item, 3)} ${shape}`,
  ];
  return { dense, crossed: crossed.map(each => bucketOf(`${part} ${each}`)) };
}
