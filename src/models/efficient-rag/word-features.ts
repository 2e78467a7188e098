/**
 * Computes the word features of the lite Labeler: shape and position of each word of a chunk, the
 * query's words around it, and pairs of query words and neighbours.
 */
import type { ReadChunk, ReadQuery } from './chunk-features.ts';
import { bucketOf, type Features } from './network.ts';
import { type TermWeights, weightOf } from './term-weights.ts';
import type { Word } from './words.ts';

export const WORD_INPUTS = 29;

/** Returns the features of each word of the chunk's text. */
export function wordFeatures(query: ReadQuery, chunk: ReadChunk, weights: TermWeights): Features[] {
  const { text, titleStems } = chunk;
  const place = placesOf(query, chunk);
  const queryStems = lowerCaseStems(query);
  const relation = (word: Word | undefined): boolean =>
    word !== undefined && !word.capital && !word.digit && !word.stop && query.stems.has(word.stem);
  const any = (word: Word | undefined): boolean => word !== undefined && query.stems.has(word.stem);
  const between = (a: Word | undefined, b: Word | undefined): string =>
    a && b ? chunk.source.slice(a.end, b.start) : '.';
  return text.map((word, index) => {
    const run = text.slice(word.first, word.last + 1);
    const content = run.filter(({ stop }) => !stop);
    const share = (stems: ReadonlySet<string>): number =>
      content.length === 0
        ? 0
        : content.filter(({ stem }) => stems.has(stem)).length / content.length;
    const before = text[word.first - 1];
    const after = text[word.last + 1];
    const near = (test: (word: Word | undefined) => boolean, step: -1 | 1): number =>
      nearness(text, step < 0 ? word.first : word.last, step, test);
    const gap = between(before, text[word.first]);
    const dense = Float64Array.from([
      query.stems.has(word.stem) ? 1 : 0,
      word.stop ? 1 : 0,
      word.capital ? 1 : 0,
      word.digit ? 1 : 0,
      titleStems.has(word.stem) ? 1 : 0,
      weightOf(weights, word) / weights.most,
      Math.min(run.length, 5) / 5,
      share(query.stems),
      share(titleStems),
      run.some(({ capital }) => capital) ? 1 : 0,
      run.some(({ digit }) => digit) ? 1 : 0,
      1 / (1 + place[word.first]!),
      1 / (1 + word.sentence),
      Math.log(1 + index) / 5,
      near(relation, -1),
      near(relation, 1),
      near(any, -1),
      near(any, 1),
      relation(before) ? 1 : 0,
      relation(text[word.first - 2]) ? 1 : 0,
      any(text[index - 1]) ? 1 : 0,
      any(text[index + 1]) ? 1 : 0,
      before?.stem === 'by' ? 1 : 0,
      before?.stem === 'of' ? 1 : 0,
      before?.stem === 'in' ? 1 : 0,
      before?.stem === 'and' ? 1 : 0,
      gap.includes(',') ? 1 : 0,
      gap.includes('(') ? 1 : 0,
      between(text[word.last], after).includes(',') ? 1 : 0,
    ]);
    return {
      dense,
      crossed: crossedOf(queryStems, word, { before, earlier: text[word.first - 2], after }),
    };
  });
}

/**
 * Returns for each word the number of earlier names that occur neither in the query nor in the
 * title.
 */
function placesOf({ stems }: ReadQuery, { text, titleStems }: ReadChunk): number[] {
  let place = 0;
  return text.map((word, index) => {
    if (word.first !== index) return place;
    const known = text
      .slice(word.first, word.last + 1)
      .every(({ stem, stop }) => stop || stems.has(stem) || titleStems.has(stem));
    return (word.capital || word.digit) && !known ? place++ : place;
  });
}

/**
 * Returns 1 / distance to the nearest word of the sentence in the direction `step` that passes
 * `test`; 0 if there is none.
 */
function nearness(
  text: readonly Word[],
  from: number,
  step: -1 | 1,
  test: (word: Word | undefined) => boolean,
): number {
  const { sentence } = text[from]!;
  for (let at = from + step; text[at]?.sentence === sentence; at += step)
    if (test(text[at])) return 1 / Math.abs(at - from);
  return 0;
}

/** Returns the distinct stems of the query's words that are neither capitalised nor numbers. */
const lowerCaseStems = ({ words }: ReadQuery): string[] => [
  ...new Set(words.filter(({ capital, digit }) => !capital && !digit).map(({ stem }) => stem)),
];

interface Neighbours {
  readonly before: Word | undefined;
  readonly earlier: Word | undefined;
  readonly after: Word | undefined;
}

/**
 * Returns crossed features: each lower-case word of the query with the word's shape and each
 * neighbour of its run, such as "mother" with "daughter" and "of" before.
 */
function crossedOf(
  queryStems: readonly string[],
  word: Word,
  { before, earlier, after }: Neighbours,
): number[] {
  const shape = word.digit ? '0' : word.capital ? 'A' : 'a';
  const contexts = [
    `= ${shape}`,
    `-1 ${before?.stem ?? '^'} ${shape}`,
    `-2 ${earlier?.stem ?? '^'} ${shape}`,
    `-12 ${earlier?.stem ?? '^'} ${before?.stem ?? '^'} ${shape}`,
    `+1 ${after?.stem ?? '$'} ${shape}`,
    ...(shape === 'a' ? [`w ${word.stem}`] : []),
  ];
  return ['', ...queryStems].flatMap(stem => contexts.map(each => bucketOf(`${stem} ${each}`)));
}
