/** Builds the ranker's input for the candidates of `fact-lanes`. */
import type { CorpusKind } from '../../core/corpus/corpus-kind.ts';
import {
  type Document,
  type MetadataValue,
  type Passage,
  publishedDay,
} from '../../core/corpus/document.ts';
import { matches } from '../../core/corpus/filter.ts';
import { columnOf } from '../../models/fact-ranker/features.ts';
import type { LaneScores, QuestionView } from '../../models/fact-ranker/question-view.ts';
import { metadataFilter } from '../../planning/metadata/metadata-filter.ts';
import type { ReadCandidates } from './candidates.ts';
import type { LaneSearches, SentenceHit } from './lane-searches.ts';
import type { ParsedQuestion } from './question.ts';

export interface LanesView extends QuestionView {
  readonly kind: CorpusKind;
  /** In the order of `candidates`. */
  readonly found: readonly SentenceHit[];
  readonly texts: readonly Passage[];
  readonly documentsOf: readonly Document[];
  /** Source of each candidate's document; empty if it has none. */
  readonly sourceOf: readonly string[];
}

/** Builds the view of all candidates so far. */
export function buildView(
  parsed: ParsedQuestion,
  searches: LaneSearches,
  { candidates, vocabulary, texts, documents, numbers, cosines }: ReadCandidates,
): Omit<LanesView, 'kind'> {
  const found = [...searches.found];
  const each = (ofDocuments: ArrayLike<number>): Float64Array =>
    columnOf(numbers, number => ofDocuments[number]!);
  const sources = documents.map(({ metadata }) => valuesOf(metadata['source']));
  const sourceTexts = sources.map(values => values.join(', '));
  const source = each(naming(parsed.filter.sources, sources));
  const seen = {
    lanes: parsed.lanes.map(({ text }) => text),
    candidates,
    vocabulary,
    // BM25 scores are positive; a cross-encoder's may be negative.
    words: searches.words.map(scores => {
      const floor = scores.floor();
      return relative(scores.upTo(found.length, floor), floor, source);
    }),
    documentsOf: numbers.map(number => documents[number]!),
    sourceOf: numbers.map(number => sourceTexts[number]!),
  };
  return {
    ...seen,
    documents: searches.documents.map(scores => {
      const floor = Math.min(0, ...scores.values());
      const row = columnOf(documents, ({ id }) => scores.get(id) ?? floor);
      return relative(each(row), floor, source);
    }),
    ...vectorRows(searches, cosines, numbers, source),
    own: parsed.lanes.map(lane => each(naming(lane.sources, sources))),
    source,
    day: each(daysOf(parsed, documents, sources)),
    named: searches.named.upTo(found.length, 0),
    names: parsed.names,
    found,
    texts,
  };
}

/**
 * Returns by lane the scores by vectors of each candidate and of its document; zeros for a lane
 * without a vector.
 */
function vectorRows(
  { queries, floors }: LaneSearches,
  cosines: readonly (Float64Array | undefined)[],
  numbers: readonly number[],
  source: Float64Array,
): { readonly vectors: LaneScores; readonly topics: LaneScores } {
  const rows = (rowOf: (column: Float64Array, lane: number) => Float64Array): LaneScores =>
    queries.map((_, lane) =>
      cosines[lane] ? rowOf(cosines[lane], lane) : new Float64Array(numbers.length),
    );
  return {
    vectors: rows((column, lane) => relative(column, floors[lane]!, source)),
    topics: rows(column => {
      const topics = meansOf(column, numbers);
      return relative(
        topics,
        topics.reduce((least, mean) => Math.min(least, mean), Number.POSITIVE_INFINITY),
        source,
      );
    }),
  };
}

/**
 * Returns for each candidate the mean over its document: the product of the lane with the mean of
 * the vectors.
 */
function meansOf(cosines: Float64Array, numbers: readonly number[]): Float64Array {
  // The number of candidates bounds the number of documents.
  const [sums, counts] = [new Float64Array(numbers.length), new Float64Array(numbers.length)];
  for (let at = 0; at < numbers.length; at++) {
    sums[numbers[at]!]! += cosines[at]!;
    counts[numbers[at]!]!++;
  }
  return columnOf(numbers, number => sums[number]! / counts[number]!);
}

/**
 * Tolerance above the floor: an engine may round scores of a search and of items differently.
 */
const EXACT = 1e-6;

/**
 * Bounds of relative scores, which explode if best and floor are nearly equal. Vectors of an
 * embedder stay within them.
 */
const [LOWEST, HIGHEST] = [-5, 5];

/**
 * Scales scores to 0 at the floor and 1 at the best candidate from a source that the question names
 * (from any, if it names none); all 0 if none exceeds the floor.
 */
function relative(scores: Float64Array, floor: number, source: Float64Array): Float64Array {
  let [best, any] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!;
    if (score > any) any = score;
    if (score > best && source[at]! > 0) best = score;
  }
  const top = best > floor + EXACT ? best : any;
  const relatives = new Float64Array(scores.length);
  if (top <= floor + EXACT) return relatives;
  for (let at = 0; at < scores.length; at++)
    relatives[at] = Math.min(HIGHEST, Math.max(LOWEST, (scores[at]! - floor) / (top - floor)));
  return relatives;
}

/** Returns a metadata value as a list of texts. */
const valuesOf = (value: MetadataValue | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'object' ? value : [String(value)];

/** Returns for each document 1 if the question names its source, 0 if not, 1/2 if it names none. */
const naming = (asked: readonly string[], sources: readonly (readonly string[])[]): Float64Array =>
  columnOf(sources, held =>
    asked.length === 0 ? 0.5 : Number(held.some(source => asked.includes(source))),
  );

/**
 * Returns for each document 1 on a day that is named for its source, -1 if only other days are, 0
 * if none is or the document has no day.
 */
function daysOf(
  { filter: asked }: ParsedQuestion,
  documents: readonly Document[],
  sources: readonly (readonly string[])[],
): Float64Array {
  if (asked.days.length === 0) return new Float64Array(documents.length);
  const filter = metadataFilter({ ...asked, unknown: [], excluded: [] })!;
  return columnOf(documents, ({ metadata }, at) => {
    const meant = asked.days.some(
      ({ source }) => source === undefined || sources[at]!.includes(source),
    );
    return meant && publishedDay(metadata) !== '' ? (matches(filter, metadata) ? 1 : -1) : 0;
  });
}
