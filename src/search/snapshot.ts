/**
 * An immutable view of a corpus in this process: documents, their passages and sentences, and the
 * indexes over them, built at first use.
 */

import { AnalysisCache } from '../core/corpus/analysis-cache.ts';
import type { Chunker } from '../core/corpus/chunker.ts';
import type { Document, Passage } from '../core/corpus/document.ts';
import type { Hit, Ranking, Unit } from '../core/ranking/ranking.ts';
import { finish } from '../core/steps.ts';
import { type Call, freeCall, pauseOf } from '../core/trace/call.ts';
import type { Capabilities } from './capabilities.ts';
import { checkCount, checkQueries, unknownId } from './checked-search.ts';
import type { Items } from './corpus/items.ts';
import { type IndexKey, indexKey } from './corpus/segment.ts';
import type { Address, SegmentedCorpus } from './corpus/segmented-corpus.ts';
import type { DerivedIndex, DerivedSource } from './derived/derived-index.ts';
import { DerivedIndexes, type OpenDerived } from './derived/derived-indexes.ts';
import type { EngineSnapshot, FieldValue, SearchRequest, ValuesRequest } from './engine.ts';
import { SnapshotFilters } from './filters/snapshot-filters.ts';
import { ValueCatalogue } from './filters/value-catalogue.ts';
import { edgeLabels, type GraphSource, graphPorts } from './graphs/graph-ports.ts';
import { LexicalCollection } from './indexes/lexical/collection.ts';
import type { Analysis, Packed, ScoredItem } from './indexes/lexical/lexical-index.ts';
import type { Scorer } from './indexes/lexical/scorer.ts';
import { scorers } from './indexes/lexical/scorers.ts';
import { RecentlyUsed } from './indexes/recently-used.ts';
import {
  EXPLAIN,
  type Explain,
  type ExplainRequest,
  type Explanation,
} from './ports/explain-port.ts';
import { VECTORS, type Vectors } from './ports/vectors-port.ts';
import { type FindPort, type ServedPort, servedPorts, servePort } from './ports.ts';
import { Embedding } from './vectors/embedding.ts';
import { VectorSpaces } from './vectors/vector-spaces.ts';

/** Makes ports of one's own over each snapshot. */
export type ServePorts = (snapshot: Snapshot) => readonly ServedPort[];

const CAPABILITIES: Omit<Capabilities, 'edges'> = {
  units: ['document', 'passage', 'sentence'],
  filters: ['eq', 'in', 'nin', 'range', 'and', 'or', 'not'],
  scorers: 'any',
  vectorSearch: 'exact',
};

/** Queries that are searched together, without a pause between. */
const QUERIES = 32;

/** Most scorers that are kept. */
const KEEP_SCORERS = 8;

export class Snapshot implements EngineSnapshot, Vectors, Explain {
  readonly capabilities: Capabilities;
  readonly port: FindPort;
  readonly chunker: Chunker;
  readonly analysis: AnalysisCache = new AnalysisCache();
  readonly corpus: SegmentedCorpus;
  private readonly indexes = new Map<IndexKey, LexicalCollection>();
  /** Scorers by name: reading a name costs up to a tenth of a search. */
  private readonly scorers = new RecentlyUsed<Scorer>(KEEP_SCORERS);
  private readonly filters: SnapshotFilters;
  private readonly spaces: VectorSpaces;
  /** The documents as derived indexes read them. */
  readonly derivedSource: DerivedSource;
  private readonly derived: DerivedIndexes;
  private readonly catalogue: ValueCatalogue;

  /** `derived`: the derived indexes of the engine, which its snapshots share. */
  constructor(
    corpus: SegmentedCorpus,
    chunker: Chunker,
    embedding: Embedding = new Embedding(),
    derived: DerivedIndexes = new DerivedIndexes(),
    ports: ServePorts = () => [],
  ) {
    this.corpus = corpus;
    this.chunker = chunker;
    this.capabilities = { ...CAPABILITIES, edges: edgeLabels(embedding) };
    this.filters = new SnapshotFilters(corpus);
    this.catalogue = new ValueCatalogue((field, filter) =>
      corpus.values(field, filter && this.filters.masks('document', filter)),
    );
    const source = {
      get documents() {
        return corpus.documents;
      },
      cut: corpus.cut,
      places: (unit: Unit): Items => corpus.itemsOf(unit),
    };
    this.derived = derived;
    this.derivedSource = source;
    this.spaces = new VectorSpaces(source, embedding, derived);
    this.port = servedPorts([
      servePort<Vectors>(VECTORS, this),
      servePort<Explain>(EXPLAIN, this),
      ...graphPorts(this.graphSource(), embedding),
      ...ports(this),
    ]);
  }

  /** All documents, ascending by id; gathered at first use. */
  get documents(): readonly Document[] {
    return this.corpus.documents;
  }

  /** Holds nothing that outlives it. */
  async [Symbol.asyncDispose](): Promise<void> {}

  async search(request: SearchRequest, call: Call = freeCall()): Promise<Ranking[]> {
    call.signal.throwIfAborted();
    const { unit, k } = request;
    checkCount(k);
    checkQueries(request);
    if (request.space === undefined) return this.searchByTerms(request, call);
    const lists = await this.searchBySpace(request, request.space, call);
    const items = this.corpus.itemsOf(unit);
    return lists.map(list => list.map(({ item, score }): Hit => hitOf(items.at(item), score)));
  }

  private async searchByTerms(
    { unit, k, queries, scorer: name, typed }: SearchRequest,
    call: Call,
  ): Promise<Ranking[]> {
    const scorer = this.scorer(name);
    const { segments } = this.corpus;
    const masked = queries.map(({ text, filter, holding }) => ({
      text: text!,
      typed,
      holding,
      allowed: filter && this.filters.masks(unit, filter),
    }));
    const index = this.lexical(unit, scorer.analysis);
    const found: Ranking[] = [];
    for (let from = 0; from < masked.length; from += QUERIES) {
      if (from > 0) await pauseOf(call)();
      const some = masked.slice(from, from + QUERIES);
      const lists = index.search(some, k, scorer, (part, item, score) =>
        hitOf(segments[part]!.item(unit, item), score),
      );
      for (const list of lists) found.push(list);
    }
    return found;
  }

  private searchBySpace(
    { unit, k, queries }: SearchRequest,
    space: string,
    call: Call,
  ): Promise<ScoredItem[][]> {
    const masked = queries.map(({ filter, ...query }) => ({
      ...query,
      allowed: filter && this.filters.mask(unit, filter),
    }));
    return this.spaces.search(unit, space, masked, k, call);
  }

  async vectors(
    unit: Unit,
    ids: readonly string[],
    space: string,
    call: Call,
  ): Promise<Float32Array[]> {
    call.signal.throwIfAborted();
    const items = ids.map(id => this.itemPosition(unit, id));
    return this.spaces.vectors(unit, items, space, call);
  }

  async scores(
    unit: Unit,
    ids: readonly string[],
    vectors: readonly Float32Array[],
    space: string,
    call: Call,
  ): Promise<Float64Array[]> {
    call.signal.throwIfAborted();
    const items = ids.map(id => this.itemPosition(unit, id));
    return this.spaces.scores(unit, items, vectors, space, call);
  }

  async queryVectors(
    unit: Unit,
    texts: readonly string[],
    space: string,
    call: Call,
  ): Promise<(Float32Array | undefined)[]> {
    call.signal.throwIfAborted();
    return this.spaces.queryVectors(unit, texts, space, call);
  }

  read(unit: 'document', ids: readonly string[], call?: Call): Promise<Document[]>;
  read(unit: 'passage' | 'sentence', ids: readonly string[], call?: Call): Promise<Passage[]>;
  read(unit: Unit, ids: readonly string[], call?: Call): Promise<(Document | Passage)[]>;
  async read(
    unit: Unit,
    ids: readonly string[],
    call: Call = freeCall(),
  ): Promise<(Document | Passage)[]> {
    call.signal.throwIfAborted();
    return ids.map(id => {
      const { segment, position } = this.find(unit, id);
      return unit === 'document'
        ? segment.segment.documents[position]!
        : segment.item(unit, position);
    });
  }

  async parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call = freeCall(),
  ): Promise<Passage[][]> {
    call.signal.throwIfAborted();
    return documentIds.map(id => this.partsOf(unit, id));
  }

  async values(
    field: string,
    request: ValuesRequest = {},
    call: Call = freeCall(),
  ): Promise<FieldValue[]> {
    call.signal.throwIfAborted();
    return this.catalogue.values(field, request);
  }

  async fields(_call?: Call): Promise<string[]> {
    return [...this.filters.fields()].sort();
  }

  async explain(request: ExplainRequest, call: Call = freeCall()): Promise<Explanation> {
    call.signal.throwIfAborted();
    const { unit, query: text, id, typed } = request;
    const scorer = this.scorer(request.scorer);
    const { segment, position } = this.find(unit, id);
    const part = this.corpus.segments.indexOf(segment);
    return this.lexical(unit, scorer.analysis).explain({ text, typed }, part, position, scorer);
  }

  /**
   * Returns the index of all documents, packed: the same documents give the same bytes, whatever
   * segments they stand in.
   */
  packedIndex(unit: Unit, analysis: Analysis): Packed {
    return finish(this.corpus.packedIndex(unit, analysis));
  }

  /** Opens a derived index for these documents. */
  openDerived<T>(index: DerivedIndex<T>, call: Call): Promise<OpenDerived<T>> {
    return this.derived.open(index, this.derivedSource, call);
  }

  /** Builds an index ahead of its first use. */
  prepare(unit: Unit, scorer: string): void {
    this.lexical(unit, this.scorer(scorer).analysis);
  }

  /** Returns the items of a unit, ascending by id; gathered at first use. */
  itemsOf(unit: Unit): Items {
    return this.corpus.itemsOf(unit);
  }

  private graphSource(): GraphSource {
    return {
      document: id => {
        const address = this.corpus.find(id);
        return address?.segment.segment.documents[address.position];
      },
      all: () => this.documents,
      item: (unit, id) => {
        const { segment, position } = this.find(unit, id);
        return segment.item(unit, position);
      },
      parts: (unit, id) => this.partsOf(unit, id),
      cut: this.corpus.cut,
      passing: filter => {
        const mask = this.filters.mask('document', filter);
        return new Set(this.documents.filter((_, at) => mask[at] === 1).map(({ id }) => id));
      },
      open: async (index, call) => (await this.openDerived(index, call)).index,
    };
  }

  private partsOf(unit: Unit, documentId: string): Passage[] {
    const { segment, position } = this.find('document', documentId);
    return segment.segment.items(unit).of(position);
  }

  private scorer(name = 'bm25'): Scorer {
    let scorer = this.scorers.get(name);
    if (!scorer) this.scorers.set(name, (scorer = scorers.create(name)));
    return scorer;
  }

  private lexical(unit: Unit, analysis: Analysis): LexicalCollection {
    const key = indexKey(unit, analysis);
    let index = this.indexes.get(key);
    if (!index) {
      const parts = this.corpus.segments.map(segment => ({
        view: segment.lexical(unit, analysis),
        idOf: (item: number) => segment.item(unit, item).id,
      }));
      this.indexes.set(key, (index = new LexicalCollection(analysis, parts)));
    }
    return index;
  }

  private find(unit: Unit, id: string): Address {
    const address = this.corpus.findItem(unit, id);
    if (address) return address;
    throw unknownId(unit, id);
  }

  /** Returns the position of an item among all. */
  private itemPosition(unit: Unit, id: string): number {
    const position = this.corpus.itemPosition(unit, id);
    if (position < 0) throw unknownId(unit, id);
    return position;
  }
}

function hitOf({ id, documentId, start, end }: Passage, score: number): Hit {
  return { id, documentId, start, end, score };
}
