/** The candidates of `fact-lanes` as its ranker sees them. */
import { headerOf } from '../../context/by-document.ts';
import { analysisOf } from '../../corpus/analysis-cache.ts';
import {
  type Document,
  type MetadataValue,
  type Passage,
  publishedDay,
} from '../../corpus/document.ts';
import { matches } from '../../corpus/filter.ts';
import type {
  Candidate,
  LaneScores,
  QuestionView,
} from '../../models/fact-ranker/question-view.ts';
import { TextReader, textWordsKind } from '../../models/fact-ranker/text-words.ts';
import { metadataFilter } from '../../planning/metadata/metadata-filter.ts';
import { requirePort } from '../../retrieval/capabilities.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import { VECTORS } from '../../retrieval/vectors-port.ts';
import type { Call } from '../../trace/call.ts';
import type { AskedLanes } from './question.ts';
import { type FoundSentence, type LaneSearches, SEARCHED } from './search.ts';

export interface LanesView extends QuestionView {
  /**
   * Whether the question names no source, known or not: then what it asks for is found by chaining.
   */
  readonly open: boolean;
  /** In the order of the candidates. */
  readonly found: readonly FoundSentence[];
  readonly texts: readonly Passage[];
  readonly documentsOf: readonly Document[];
  /** Of the candidate's document; empty where it has none. */
  readonly sourceOf: readonly string[];
}

export async function viewOf(
  asked: AskedLanes,
  searches: LaneSearches,
  engine: SearchEngine,
  space: string | undefined,
  call: Call,
): Promise<LanesView> {
  const found = [...searches.found.values()];
  const ids = found.map(({ hit }) => hit.id);
  const texts = await engine.read(SEARCHED, ids, call);
  const { numbers, documents } = await documentsOf(found, engine, call);
  const each = (ofDocuments: ArrayLike<number>): Float64Array =>
    columnOf(numbers, number => ofDocuments[number]!);
  const sources = documents.map(({ metadata }) => valuesOf(metadata['source']));
  const source = each(naming(asked.named.sources, sources));
  const cosines =
    space === undefined ? undefined : await cosinesOf(searches, ids, engine, space, call);
  const documentIds = found.map(({ hit }) => hit.documentId);
  return {
    lanes: asked.lanes.map(({ text }) => text),
    ...candidatesOf(texts, documents, numbers, new TextReader(analysisOf(engine))),
    words: searches.words.map(scores => wordRow(scores, ids, source)),
    documents: searches.documents.map(scores => wordRow(scores, documentIds, source)),
    ...vectorRows(searches, cosines, numbers, source),
    own: asked.lanes.map(lane => each(naming(lane.sources, sources))),
    source,
    day: each(daysOf(asked, documents, sources)),
    named: columnOf(ids, id => searches.named.get(id) ?? 0),
    ...{ open: asked.open, names: asked.names, found, texts },
    documentsOf: numbers.map(number => documents[number]!),
    sourceOf: numbers.map(number => sources[number]!.join(', ')),
  };
}

/** Each document once, and the number of each candidate's. */
async function documentsOf(
  found: readonly FoundSentence[],
  engine: SearchEngine,
  call: Call,
): Promise<{ readonly numbers: readonly number[]; readonly documents: readonly Document[] }> {
  const known = new Map<string, number>();
  const numbers = found.map(({ hit: { documentId } }) => {
    const number = known.get(documentId) ?? known.size;
    known.set(documentId, number);
    return number;
  });
  return { numbers, documents: await engine.read('document', [...known.keys()], call) };
}

/** One number each. A loop: `Float64Array.from` asks an iterator for every number. */
function columnOf<T>(list: readonly T[], numberOf: (one: T, at: number) => number): Float64Array {
  const numbers = new Float64Array(list.length);
  for (let at = 0; at < numbers.length; at++) numbers[at] = numberOf(list[at]!, at);
  return numbers;
}

/** Of a lane: what each candidate, or its document, scores by words. */
function wordRow(
  scores: ReadonlyMap<string, number>,
  ids: readonly string[],
  source: Float64Array,
): Float64Array {
  // BM25 begins at 0; a cross-encoder's scores may lie below it.
  let floor = 0;
  for (const score of scores.values()) floor = Math.min(floor, score);
  return relative(
    columnOf(ids, id => scores.get(id) ?? floor),
    floor,
    source,
  );
}

/**
 * By lane: what each candidate scores by vectors, and its document on the whole; zeros for a lane
 * without a vector.
 */
function vectorRows(
  { queries, floors }: LaneSearches,
  cosines: readonly (Float64Array | undefined)[] | undefined,
  numbers: readonly number[],
  source: Float64Array,
): { readonly vectors: LaneScores; readonly topics: LaneScores } {
  const rows = (rowOf: (own: Float64Array, lane: number) => Float64Array): LaneScores =>
    queries.map((_, lane) =>
      cosines?.[lane] ? rowOf(cosines[lane], lane) : new Float64Array(numbers.length),
    );
  return {
    vectors: rows((own, lane) => relative(own, floors[lane]!, source)),
    topics: rows(own => {
      const topics = meansOf(own, numbers);
      return relative(
        topics,
        topics.reduce((least, mean) => Math.min(least, mean), Number.POSITIVE_INFINITY),
        source,
      );
    }),
  };
}

const SENTENCES = textWordsKind('words of sentences');
const TITLES = textWordsKind('words of titles');
const HEADERS = textWordsKind('words of headers');

/** Reads texts, titles and headers as words, all by the vocabulary of one reader. */
function candidatesOf(
  texts: readonly Passage[],
  documents: readonly Document[],
  numbers: readonly number[],
  reader: TextReader,
): Pick<LanesView, 'candidates' | 'vocabulary'> {
  const heads = documents.map(document => ({
    title: reader.read(TITLES, document.id, () => document.title),
    header: reader.read(HEADERS, document.id, () => headerOf(document)),
  }));
  const candidates = texts.map(
    ({ id, documentId, text }, at): Candidate => ({
      ...{ documentId, text: reader.read(SENTENCES, id, () => text) },
      ...heads[numbers[at]!]!,
    }),
  );
  return { candidates, vocabulary: reader.vocabulary };
}

/**
 * By lane: the inner product of each candidate with the lane; undefined for a lane without a
 * vector.
 */
async function cosinesOf(
  { queries }: LaneSearches,
  ids: readonly string[],
  engine: SearchEngine,
  space: string,
  call: Call,
): Promise<(Float64Array | undefined)[]> {
  const asked = queries.filter(query => query !== undefined);
  const scores = (
    await requirePort(engine, VECTORS, 'The strategy "fact-lanes"').scores(
      SEARCHED,
      ids,
      asked,
      space,
      call,
    )
  ).values();
  return queries.map(query => query && scores.next().value);
}

/**
 * Of each candidate the mean of those of its document: the product of the lane with the mean of
 * their vectors.
 */
function meansOf(cosines: Float64Array, numbers: readonly number[]): Float64Array {
  // There are no more documents than candidates.
  const [sums, counts] = [new Float64Array(numbers.length), new Float64Array(numbers.length)];
  for (let at = 0; at < numbers.length; at++) {
    sums[numbers[at]!]! += cosines[at]!;
    counts[numbers[at]!]!++;
  }
  return columnOf(numbers, number => sums[number]! / counts[number]!);
}

/**
 * What lies above the floor by rounding alone lies on it: an engine may round a search's scores
 * otherwise than those of items.
 */
const EXACT = 1e-6;

/**
 * Where best and floor nearly meet, a hair's breadth becomes a world; beyond these bounds
 * differences mean nothing. Vectors of an embedder keep within them.
 */
const [LOWEST, HIGHEST] = [-5, 5];

/**
 * 0 at the floor, 1 at the best of those from a source that counts: what the question names, where
 * it names some; all 0 where none lies above the floor.
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

/** One value, several, or none, as texts. */
const valuesOf = (value: MetadataValue | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'object' ? value : [String(value)];

/** Of each document: 1 where its source is wanted, 0 where it is not, 1/2 where none is. */
const naming = (wanted: readonly string[], sources: readonly (readonly string[])[]): Float64Array =>
  columnOf(sources, own =>
    wanted.length === 0 ? 0.5 : Number(own.some(source => wanted.includes(source))),
  );

/**
 * 1 on a day that is named for the source, -1 where other days are, 0 where none is or the document
 * has none.
 */
function daysOf(
  { named }: AskedLanes,
  documents: readonly Document[],
  sources: readonly (readonly string[])[],
): Float64Array {
  if (named.days.length === 0) return new Float64Array(documents.length);
  const filter = metadataFilter({ ...named, unknown: [], excluded: [] })!;
  return columnOf(documents, ({ metadata }, at) => {
    const meant = named.days.some(
      ({ source }) => source === undefined || sources[at]!.includes(source),
    );
    return meant && publishedDay(metadata) !== '' ? (matches(filter, metadata) ? 1 : -1) : 0;
  });
}
