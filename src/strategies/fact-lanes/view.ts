/** The candidates of `fact-lanes` as its ranker sees them. */
import { headerOf } from '../../context/by-document.ts';
import { type Document, type MetadataValue, type Passage, publishedDay } from '../../corpus/document.ts';
import { matches } from '../../corpus/filter.ts';
import type { Candidate, LaneScores, QuestionView } from '../../models/fact-ranker/question-view.ts';
import { wordsOfText } from '../../models/fact-ranker/text-words.ts';
import { metadataFilter } from '../../planning/metadata/metadata-filter.ts';
import type { SearchEngine } from '../../retrieval/engine.ts';
import type { Call } from '../../trace/call.ts';
import type { AskedLanes } from './question.ts';
import { type Found, type LaneSearches, SEARCHED } from './search.ts';

export interface LanesView extends QuestionView {
  /** Whether the question names no source, known or not: then what it asks for is found by chaining. */
  readonly open: boolean;
  /** In the order of the candidates. */
  readonly found: readonly Found[];
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
  const documents = new Map(
    (await engine.read('document', [...new Set(found.map(({ hit }) => hit.documentId))], call)).map(document => [document.id, document]),
  );
  const documentsOf = found.map(({ hit }) => documents.get(hit.documentId)!);
  const cosines = space === undefined ? undefined : await cosinesOf(searches, ids, engine, space, call);
  const sourcesOf = documentsOf.map(({ metadata }) => valuesOf(metadata['source']));
  const source = naming(asked.named.sources, sourcesOf);
  // What is best counts among the documents that the question names, where it names some.
  const counts = (at: number): boolean => source[at]! > 0;
  const byId = (maps: readonly ReadonlyMap<string, number>[], key: (at: number) => string): LaneScores =>
    maps.map(map => {
      // BM25 begins at 0; a cross-encoder's scores may lie below it.
      const floor = [...map.values()].reduce((least, score) => Math.min(least, score), 0);
      return relative(
        Float64Array.from(found, (_, at) => map.get(key(at)) ?? floor),
        floor,
        counts,
      );
    });
  return {
    lanes: asked.lanes.map(({ text }) => text),
    candidates: candidatesOf(texts, documentsOf),
    words: byId(searches.words, at => ids[at]!),
    vectors: asked.lanes.map((_, lane) =>
      cosines?.[lane] ? relative(cosines[lane], searches.floors[lane]!, counts) : new Float64Array(found.length),
    ),
    topics: asked.lanes.map((_, lane) => {
      if (!cosines?.[lane]) return new Float64Array(found.length);
      const topics = meansOf(cosines[lane], found);
      return relative(
        topics,
        topics.reduce((least, mean) => Math.min(least, mean), Number.POSITIVE_INFINITY),
        counts,
      );
    }),
    documents: byId(searches.documents, at => found[at]!.hit.documentId),
    own: asked.lanes.map(({ sources }) => naming(sources, sourcesOf)),
    source,
    day: daysOf(asked, documentsOf, sourcesOf),
    named: Float64Array.from(ids, id => searches.named.get(id) ?? 0),
    open: asked.open,
    names: asked.names,
    ...{ found, texts, documentsOf, sourceOf: sourcesOf.map(sources => sources.join(', ')) },
  };
}

const candidatesOf = (texts: readonly Passage[], documents: readonly Document[]): Candidate[] =>
  texts.map((text, at): Candidate => ({ documentId: text.documentId, text: wordsOfText(text, text.text), ...headOf(documents[at]!) }));

/** Read once a document: `wordsOfText` keeps one text an object. */
const heads = new WeakMap<Document, Pick<Candidate, 'title' | 'header'>>();

function headOf(document: Document): Pick<Candidate, 'title' | 'header'> {
  let head = heads.get(document);
  if (!head) {
    head = { title: wordsOfText({}, document.title), header: wordsOfText({}, headerOf(document)) };
    heads.set(document, head);
  }
  return head;
}

/** By lane: the inner product of each candidate with the lane; undefined for a lane without a vector. */
async function cosinesOf(
  { queries }: LaneSearches,
  ids: readonly string[],
  engine: SearchEngine,
  space: string,
  call: Call,
): Promise<(Float64Array | undefined)[]> {
  const vectors = await engine.vectors(SEARCHED, ids, space, call);
  return queries.map(query => query && productsOf(query, vectors));
}

/** Of each candidate the mean of those of its document: the product of the lane with the mean of their vectors. */
function meansOf(cosines: Float64Array, found: readonly Found[]): Float64Array {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [at, { hit }] of found.entries()) {
    const own = sums.get(hit.documentId);
    if (!own) sums.set(hit.documentId, { sum: cosines[at]!, count: 1 });
    else {
      own.sum += cosines[at]!;
      own.count++;
    }
  }
  return Float64Array.from(found.map(({ hit }) => sums.get(hit.documentId)!.sum / sums.get(hit.documentId)!.count));
}

/** Four sums side by side, since each waits for its last addition; each adds in ascending order. */
function productsOf(query: Float32Array, vectors: readonly Float32Array[]): Float64Array {
  const products = new Float64Array(vectors.length);
  const last = vectors.length - 1;
  for (let at = 0; at <= last; at += 4) {
    const [w, x, y, z] = [0, 1, 2, 3].map(more => vectors[Math.min(at + more, last)]!);
    products.set(fourProducts(query, w!, x!, y!, z!).slice(0, vectors.length - at), at);
  }
  return products;
}

function fourProducts(query: Float32Array, w: Float32Array, x: Float32Array, y: Float32Array, z: Float32Array): number[] {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < query.length; at++) {
    const value = query[at]!;
    a += value * w[at]!;
    b += value * x[at]!;
    c += value * y[at]!;
    d += value * z[at]!;
  }
  return [a, b, c, d];
}

/** What lies above the floor by rounding alone lies on it: the floor is a score of the engine's, the rest are computed here. */
const EXACT = 1e-6;

/** Where best and floor nearly meet, a hair's breadth becomes a world; beyond these bounds differences mean nothing. Vectors of an embedder keep within them. */
const [LOWEST, HIGHEST] = [-5, 5];

/** 0 at the floor, 1 at the best of those that count; all 0 where none lies above the floor. */
function relative(scores: Float64Array, floor: number, counts: (at: number) => boolean): Float64Array {
  let [best, any] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < scores.length; at++) {
    any = Math.max(any, scores[at]!);
    if (counts(at)) best = Math.max(best, scores[at]!);
  }
  const top = best > floor + EXACT ? best : any;
  if (top <= floor + EXACT) return new Float64Array(scores.length);
  return scores.map(score => Math.min(HIGHEST, Math.max(LOWEST, (score - floor) / (top - floor))));
}

/** One value, several, or none, as texts. */
const valuesOf = (value: MetadataValue | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'object' ? value : [String(value)];

const naming = (wanted: readonly string[], sourcesOf: readonly (readonly string[])[]): Float64Array =>
  Float64Array.from(sourcesOf, own => (wanted.length === 0 ? 0.5 : Number(own.some(source => wanted.includes(source)))));

/** 1 on a day that is named for the source, -1 where other days are, 0 where none is or the document has none. */
function daysOf({ named }: AskedLanes, documents: readonly Document[], sourcesOf: readonly (readonly string[])[]): Float64Array {
  if (named.days.length === 0) return new Float64Array(documents.length);
  const filter = metadataFilter({ ...named, unknown: [], excluded: [] })!;
  return Float64Array.from(documents, ({ metadata }, at) => {
    const meant = named.days.some(({ source }) => source === undefined || sourcesOf[at]!.includes(source));
    return meant && publishedDay(metadata) !== '' ? (matches(filter, metadata) ? 1 : -1) : 0;
  });
}
