/**
 * One immutable view of a corpus in this process: documents, what they are cut into, and the
 * indexes over them, built when first asked.
 */
import { AnalysisCache } from '../corpus/analysis-cache.ts';
import type { Chunker } from '../corpus/chunker.ts';
import { sentencesOf } from '../corpus/chunker.ts';
import type { Document, Metadata, Passage } from '../corpus/document.ts';
import { type Filter, filterFields, matches } from '../corpus/filter.ts';
import { InputError } from '../errors.ts';
import {
  type Analysis,
  LexicalIndex,
  type Packed,
  type ScoredItem,
} from '../indexes/lexical/lexical-index.ts';
import { scorers } from '../indexes/lexical/scorers.ts';
import { didYouMean } from '../naming/nearest.ts';
import type { Hit, Ranking, Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';
import type { Capabilities } from './capabilities.ts';
import { type Cut, Embeddings } from './embeddings.ts';
import type { EngineSnapshot, FieldValue, SearchRequest } from './engine.ts';
import { EXPLAIN, type Explain, type ExplainRequest, type Explanation } from './explain-port.ts';
import { type FindPort, type ServedPort, servedPorts, servePort } from './ports.ts';
import { type StoredVectors, VectorSpaces } from './vector-spaces.ts';
import { VECTORS, type Vectors } from './vectors-port.ts';

/** The items of one unit, ascending by id, and the position of each item's document. */
interface Items {
  readonly items: readonly Passage[];
  readonly documentOf: Int32Array;
  /** Which of its document's items each item is. */
  readonly placeOf: Int32Array;
}

/** Names that a filter may use beside the metadata fields. */
const OWN_FIELDS = ['id', 'title'];
const MASKS_KEPT = 256;

export type PackedIndexes = ReadonlyMap<string, Packed>;

/** Makes ports of one's own over each snapshot. */
export type ServePorts = (snapshot: Snapshot) => readonly ServedPort[];

const CAPABILITIES: Capabilities = {
  units: ['document', 'passage', 'sentence'],
  filters: ['eq', 'in', 'nin', 'range', 'and', 'or', 'not'],
  scorers: 'any',
  vectorSearch: 'exact',
};

export class Snapshot implements EngineSnapshot, Vectors, Explain {
  readonly capabilities: Capabilities = CAPABILITIES;
  readonly port: FindPort;
  /** Ascending by id. */
  readonly documents: readonly Document[];
  readonly chunker: Chunker;
  readonly analysis: AnalysisCache = new AnalysisCache();
  private readonly byId: ReadonlyMap<string, number>;
  private readonly units = new Map<Unit, Items>();
  private readonly partsOf = new Map<Unit, readonly Passage[][]>();
  private readonly itemIds = new Map<Unit, ReadonlyMap<string, number>>();
  private readonly indexes = new Map<string, LexicalIndex>();
  private readonly masks = new Map<string, Uint8Array>();
  private readonly stored: PackedIndexes;
  private readonly spaces: VectorSpaces;
  private readonly catalogue = new Map<string, FieldValue[]>();

  /**
   * `stored`: indexes of this very corpus as `pack` gave them, by key; they are opened when first
   * used.
   * `vectors`: likewise, of this very corpus.
   * `embeddings`: what the embedders of the engine have made so far. It only grows, and a
   * document's vectors never change.
   */
  constructor(
    documents: Iterable<Document>,
    chunker: Chunker,
    stored: PackedIndexes = new Map(),
    embeddings: Embeddings = new Embeddings(),
    vectors?: StoredVectors,
    ports: ServePorts = () => [],
  ) {
    this.documents = [...documents].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    this.byId = new Map(this.documents.map((document, position) => [document.id, position]));
    if (this.byId.size < this.documents.length) {
      const twice = this.documents.find(({ id }, position) => this.byId.get(id) !== position)!;
      throw new InputError('duplicate-id', `Two documents have the id "${twice.id}"`);
    }
    this.chunker = chunker;
    this.stored = stored;
    this.spaces = new VectorSpaces(
      {
        documents: this.documents,
        cut: cutBy(chunker),
        places: unit => this.itemsOf(unit),
        plainIndex: unit => this.lexical(unit, 'plain').pack(),
        vectors,
      },
      embeddings,
    );
    this.port = servedPorts([
      servePort<Vectors>(VECTORS, this),
      servePort<Explain>(EXPLAIN, this),
      ...ports(this),
    ]);
  }

  /** Holds nothing that outlives it. */
  async [Symbol.asyncDispose](): Promise<void> {}

  async search(request: SearchRequest, call: Call): Promise<Ranking[]> {
    call.signal.throwIfAborted();
    const { unit, k } = request;
    if (!Number.isInteger(k) || k < 0)
      throw new InputError('bad-k', 'The number of hits', {
        expected: 'a whole number of at least 0',
        received: String(k),
      });
    const found =
      request.space === undefined
        ? this.searchByTerms(request)
        : await this.searchBySpace(request, request.space, call);
    const { items } = this.itemsOf(unit);
    return found.map(list => list.map(({ item, score }): Hit => hitOf(items[item]!, score)));
  }

  private searchByTerms({ unit, k, queries, scorer: name }: SearchRequest): ScoredItem[][] {
    const scorer = scorers.create(name ?? 'bm25');
    const asked = queries.map(({ text, vector, filter }) => {
      if (vector || text === undefined)
        throw new InputError('no-space', 'A query by vector', {
          expected: 'the space of the vector',
          received: 'no space',
        });
      return filter ? { text, allowed: this.mask(unit, filter) } : { text };
    });
    return this.lexical(unit, scorer.analysis).search(asked, k, scorer);
  }

  private searchBySpace(
    { unit, k, queries, scorer }: SearchRequest,
    space: string,
    call: Call,
  ): Promise<ScoredItem[][]> {
    if (scorer !== undefined)
      throw new InputError('scorer-and-space', 'A search', {
        expected: 'a scorer or a space',
        received: `${scorer} and ${space}`,
      });
    const asked = queries.map(({ filter, ...query }) => {
      if (query.text === undefined && query.vector === undefined)
        throw new InputError('empty-query', 'A query', {
          expected: 'a text or a vector',
          received: 'neither',
        });
      return filter ? { ...query, allowed: this.mask(unit, filter) } : query;
    });
    return this.spaces.search(unit, space, asked, k, call);
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

  read(unit: 'document', ids: readonly string[], call: Call): Promise<Document[]>;
  read(unit: 'passage' | 'sentence', ids: readonly string[], call: Call): Promise<Passage[]>;
  read(unit: Unit, ids: readonly string[], call: Call): Promise<(Document | Passage)[]>;
  async read(unit: Unit, ids: readonly string[], call: Call): Promise<(Document | Passage)[]> {
    call.signal.throwIfAborted();
    if (unit === 'document') return ids.map(id => this.documents[this.positionOf(id)]!);
    const { items } = this.itemsOf(unit);
    return ids.map(id => items[this.itemPosition(unit, id)]!);
  }

  async parts(
    unit: 'passage' | 'sentence',
    documentIds: readonly string[],
    call: Call,
  ): Promise<Passage[][]> {
    call.signal.throwIfAborted();
    const positions = documentIds.map(id => this.positionOf(id));
    let byDocument = this.partsOf.get(unit);
    if (!byDocument) {
      const { items, documentOf, placeOf } = this.itemsOf(unit);
      byDocument = this.documents.map((): Passage[] => []);
      for (const [item, position] of documentOf.entries())
        byDocument[position]![placeOf[item]!] = items[item]!;
      this.partsOf.set(unit, byDocument);
    }
    const lists = byDocument;
    return positions.map(position => [...lists[position]!]);
  }

  async values(field: string, _call: Call): Promise<FieldValue[]> {
    const known = this.catalogue.get(field);
    if (known) return known;
    const counts = new Map<string | number | boolean, number>();
    for (const { metadata } of this.documents) {
      const value = metadata[field];
      if (value === undefined) continue;
      for (const single of typeof value === 'object' ? new Set(value) : [value])
        counts.set(single, (counts.get(single) ?? 0) + 1);
    }
    const values = [...counts].map(([value, documents]) => ({ value, documents }));
    values.sort(
      (a, b) => b.documents - a.documents || (String(a.value) < String(b.value) ? -1 : 1),
    );
    this.catalogue.set(field, values);
    return values;
  }

  async fields(_call?: Call): Promise<string[]> {
    return [...this.fieldNames()].sort();
  }

  async explain(request: ExplainRequest, call: Call): Promise<Explanation> {
    call.signal.throwIfAborted();
    const scorer = scorers.create(request.scorer ?? 'bm25');
    return this.lexical(request.unit, scorer.analysis).explain(
      request.query,
      this.itemPosition(request.unit, request.id),
      scorer,
    );
  }

  /** The indexes that exist, packed for storage, by key. */
  packed(): Map<string, Packed> {
    const packed = new Map(this.stored);
    for (const [key, index] of this.indexes) packed.set(key, index.pack());
    return packed;
  }

  /** Builds an index ahead of its first use. */
  prepare(unit: Unit, scorer: string): void {
    this.lexical(unit, scorers.create(scorer).analysis);
  }

  /** The items of a unit, ascending by id. */
  itemsOf(unit: Unit): Items {
    let entry = this.units.get(unit);
    if (!entry) {
      const cut = cutBy(this.chunker);
      const pairs = this.documents.flatMap((document, position) =>
        cut(unit, document).map((item, place) => ({ item, position, place })),
      );
      if (unit !== 'document')
        pairs.sort((a, b) => (a.item.id < b.item.id ? -1 : a.item.id > b.item.id ? 1 : 0));
      entry = {
        items: pairs.map(({ item }) => item),
        documentOf: Int32Array.from(pairs, ({ position }) => position),
        placeOf: Int32Array.from(pairs, ({ place }) => place),
      };
      this.units.set(unit, entry);
    }
    return entry;
  }

  private lexical(unit: Unit, analysis: Analysis): LexicalIndex {
    const key = `${unit}.${analysis}`;
    let index = this.indexes.get(key);
    if (!index) {
      const stored = this.stored.get(key);
      index = stored ? LexicalIndex.unpack(stored) : this.buildLexical(unit, analysis);
      this.indexes.set(key, index);
    }
    return index;
  }

  private buildLexical(unit: Unit, analysis: Analysis): LexicalIndex {
    const { items, documentOf } = this.itemsOf(unit);
    const withContext = items.map(({ id, text }, position) => {
      const { title, metadata } = this.documents[documentOf[position]!]!;
      return { id, title, text, metadata };
    });
    return LexicalIndex.build(withContext, analysis);
  }

  private mask(unit: Unit, filter: Filter): Uint8Array {
    this.checkFields(filter);
    const key = `${unit} ${JSON.stringify(filter, exactNumber)}`;
    let mask = this.masks.get(key);
    if (!mask) {
      const passes = Uint8Array.from(
        this.documents.map(document => (matches(filter, filterable(document)) ? 1 : 0)),
      );
      mask = unit === 'document' ? passes : takenBy(this.itemsOf(unit).documentOf, passes);
      if (this.masks.size >= MASKS_KEPT) this.masks.delete(this.masks.keys().next().value!);
      this.masks.set(key, mask);
    }
    return mask;
  }

  /**
   * A misspelt field would quietly let nothing (or everything) through; an empty corpus has no
   * fields to misspell.
   */
  private checkFields(filter: Filter): void {
    if (this.documents.length === 0) return;
    const known = this.fieldNames();
    for (const field of filterFields(filter)) {
      if (known.has(field) || OWN_FIELDS.includes(field)) continue;
      const names = [...known, ...OWN_FIELDS];
      const near = didYouMean(field, names);
      throw new InputError('unknown-field', `No document has the metadata field "${field}"`, {
        expected: `one of ${names.sort().join(', ')}`,
        ...(near ? { hint: near } : {}),
      });
    }
  }

  private known: ReadonlySet<string> | undefined;
  private fieldNames(): ReadonlySet<string> {
    this.known ??= new Set(this.documents.flatMap(({ metadata }) => Object.keys(metadata)));
    return this.known;
  }

  private positionOf(id: string): number {
    const position = this.byId.get(id);
    if (position === undefined) throw new InputError('unknown-id', `There is no document "${id}"`);
    return position;
  }

  private itemPosition(unit: Unit, id: string): number {
    if (unit === 'document') return this.positionOf(id);
    let positions = this.itemIds.get(unit);
    if (!positions) {
      positions = new Map(this.itemsOf(unit).items.map((item, position) => [item.id, position]));
      this.itemIds.set(unit, positions);
    }
    const position = positions.get(id);
    if (position === undefined) throw new InputError('unknown-id', `There is no ${unit} "${id}"`);
    return position;
  }
}

/** A document as itself, in sentences, or as the chunker cuts it. */
export function cutBy(chunker: Chunker): Cut {
  return (unit, document) => {
    if (unit === 'document')
      return [
        {
          id: document.id,
          documentId: document.id,
          start: 0,
          end: document.text.length,
          text: document.text,
        },
      ];
    return unit === 'sentence' ? sentencesOf(document) : chunker.chunk(document);
  };
}

/** JSON writes Infinity, -Infinity and NaN alike. */
function exactNumber(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
}

function hitOf({ id, documentId, start, end }: Passage, score: number): Hit {
  return { id, documentId, start, end, score };
}

/**
 * What a filter sees: the metadata, and the document's own id and title where no metadata field has
 * that name.
 */
function filterable({ id, title, metadata }: Document): Metadata {
  return { id, title, ...metadata };
}

/**
 * Of each item what its document has. A loop: `from` asks an iterator for every one of many items.
 */
function takenBy(documentOf: ArrayLike<number>, passes: Uint8Array): Uint8Array {
  const taken = new Uint8Array(documentOf.length);
  for (let item = 0; item < taken.length; item++) taken[item] = passes[documentOf[item]!]!;
  return taken;
}
