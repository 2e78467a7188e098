/** The vector spaces of one snapshot, each opened at its first use. */
import type { Document } from '../core/corpus/document.ts';
import { InputError } from '../core/errors.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import type { ScoredItem } from '../core/ranking/top.ts';
import type { Call } from '../core/trace/call.ts';
import { embedChecked } from '../models/checked-vectors.ts';
import type { Embedder } from '../models/embedder.ts';
import { type DerivedSource, NAMED_INDEXES, type Staleness } from './derived-index.ts';
import type { DerivedIndexes } from './derived-indexes.ts';
import { documentVectors } from './document-vectors.ts';
import type { Embedding } from './embedding.ts';
import { fittedIndex, fittedRow, foldItem } from './fitted-space-index.ts';
import { RecentlyUsed } from './indexes/recently-used.ts';
import { VectorIndex } from './indexes/vector/vector-index.ts';
import { Openings } from './openings.ts';
import { canonicalSpace, isFittedSpace, unknownSpace } from './space-names.ts';

/** A snapshot as its vector spaces read it. */
export interface SpaceSource extends DerivedSource {
  /** Gives each item, in order, the position of its document and its place in the document. */
  places(unit: Unit): { readonly documentOf: Int32Array; readonly placeOf: Int32Array };
}

export interface SpaceQuery {
  readonly text?: string;
  readonly vector?: Float32Array;
  readonly allowed?: Uint8Array;
}

interface OpenSpace {
  readonly name: string;
  readonly index: VectorIndex;
  /** 0 for items without a direction; missing if all have one. */
  readonly present?: Uint8Array;
  /** Returns undefined for a text without a direction in this space. */
  embed(texts: readonly string[], call: Call): Promise<(Float32Array | undefined)[]>;
}

export class VectorSpaces {
  private readonly source: SpaceSource;
  private readonly embedding: Embedding;
  private readonly indexes: DerivedIndexes;
  private readonly embedded = new Map<string, OpenSpace>();
  private readonly fitted = new RecentlyUsed<OpenSpace>(NAMED_INDEXES.count, {
    most: NAMED_INDEXES.bytes,
    bytes: ({ index }) => 4 * index.size * index.dimensions,
  });
  private readonly openings = new Openings<OpenSpace>();
  private readonly staleKeys = new Map<string, Staleness>();

  constructor(source: SpaceSource, embedding: Embedding, indexes: DerivedIndexes) {
    this.source = source;
    this.embedding = embedding;
    this.indexes = indexes;
  }

  /** Returns the stale indexes that searches of this snapshot use. */
  stale(): Staleness[] {
    return [...this.staleKeys.values()];
  }

  /**
   * Returns one list for each query: positions of items, score descending, then position ascending.
   * A text without a direction finds nothing.
   */
  async search(
    unit: Unit,
    space: string,
    queries: readonly SpaceQuery[],
    k: number,
    call: Call,
  ): Promise<ScoredItem[][]> {
    const open = await this.open(unit, space, call);
    const { name, index, present } = open;
    const embedded = await embedTexts(
      open,
      queries.flatMap(({ text, vector }) => (vector === undefined ? [text!] : [])),
      call,
    );
    let next = 0;
    const vectors = queries.map(({ vector }) =>
      vector === undefined ? embedded[next++] : checkedQuery(vector, name, index),
    );
    const maskOf = bothMasks(present);
    const directed = queries.flatMap(({ allowed }, query) => {
      const vector = vectors[query];
      const both = maskOf(allowed);
      return vector ? [{ query, vector, ...(both ? { allowed: both } : {}) }] : [];
    });
    const lists: ScoredItem[][] = queries.map(() => []);
    for (const [position, hits] of index.search(directed, k).entries())
      lists[directed[position]!.query] = hits;
    return lists;
  }

  /** Returns copies of the vectors of items. */
  async vectors(
    unit: Unit,
    items: readonly number[],
    space: string,
    call: Call,
  ): Promise<Float32Array[]> {
    const { index } = await this.open(unit, space, call);
    return items.map(item => index.vector(item));
  }

  /** Scores items as `search` does, one list for each vector. */
  async scores(
    unit: Unit,
    items: readonly number[],
    vectors: readonly Float32Array[],
    space: string,
    call: Call,
  ): Promise<Float64Array[]> {
    const { name, index } = await this.open(unit, space, call);
    return index.scores(
      vectors.map(vector => checkedQuery(vector, name, index)),
      items,
    );
  }

  /** Embeds texts as `search` does; see `SearchEngine.queryVectors`. */
  async queryVectors(
    unit: Unit,
    texts: readonly string[],
    space: string,
    call: Call,
  ): Promise<(Float32Array | undefined)[]> {
    return embedTexts(await this.open(unit, space, call), texts, call);
  }

  private async open(unit: Unit, space: string, call: Call): Promise<OpenSpace> {
    const name = canonicalSpace(space);
    const embedder = this.embedding.embedders.get(name);
    if (!embedder && !isFittedSpace(name))
      throw unknownSpace(space, [...this.embedding.embedders.keys()]);
    const key = `${unit} ${name}`;
    const kept = embedder ? this.embedded : this.fitted;
    return (
      kept.get(key) ??
      this.openings.open(key, call, async () => {
        const opened = embedder
          ? await this.openEmbedded(unit, embedder, call)
          : await this.openFitted(unit, name, call);
        kept.set(key, opened);
        return opened;
      })
    );
  }

  private async openFitted(unit: Unit, name: string, call: Call): Promise<OpenSpace> {
    const opened = await this.indexes.open(fittedIndex(unit, name), this.source, call);
    const { index: fitted, stale } = opened;
    if (stale) this.staleKeys.set(stale.key, stale);
    const { lsa } = fitted;
    // A space without dimensions still has a row for each item: a zero.
    const dimensions = Math.max(1, lsa.dimensions);
    const known = stale ? this.indexes.membersOf(this.source.documents) : opened.members;
    const isFitted = ({ id }: Document): boolean => opened.members.get(id) === known.get(id);
    const rows = this.rowsOf(unit, dimensions, (document, place) => {
      if (isFitted(document)) return fittedRow(fitted, document.id, place);
      return foldItem(fitted, this.source.cut(unit, document)[place]!, document);
    });
    const present = presentRows(rows, dimensions);
    return {
      name,
      index: VectorIndex.build(rows, dimensions),
      ...(present ? { present } : {}),
      embed: async texts => texts.map(text => lsa.fold(text)),
    };
  }

  private async openEmbedded(unit: Unit, embedder: Embedder, call: Call): Promise<OpenSpace> {
    const { dimensions } = embedder;
    const { template } = this.embedding;
    const derived = documentVectors(embedder, unit, template);
    const { index } = await this.indexes.open(derived, this.source, call);
    const rows = this.rowsOf(unit, dimensions, ({ id }, place) =>
      index.rows.get(id)!.subarray(place * dimensions, (place + 1) * dimensions),
    );
    return {
      name: embedder.id,
      index: VectorIndex.build(rows, dimensions),
      embed: (texts, queryCall) => {
        const queries = texts.map(text => template.query(text));
        return embedChecked(embedder, queries, 'query', queryCall);
      },
    };
  }

  /** Lines up one row for each item, in the order of the items; zeros for undefined. */
  private rowsOf(
    unit: Unit,
    dimensions: number,
    rowOf: (document: Document, place: number) => Float32Array | undefined,
  ): Float32Array {
    const { documentOf, placeOf } = this.source.places(unit);
    const rows = new Float32Array(documentOf.length * dimensions);
    for (let item = 0; item < documentOf.length; item++) {
      const row = rowOf(this.source.documents[documentOf[item]!]!, placeOf[item]!);
      if (row) rows.set(row, item * dimensions);
    }
    return rows;
  }
}

/** Embeds all texts that are not blank in one call; none for an empty index. */
async function embedTexts(
  { index, embed }: OpenSpace,
  texts: readonly string[],
  call: Call,
): Promise<(Float32Array | undefined)[]> {
  const nonBlank = texts.filter(text => text.trim() !== '');
  const embedded = index.size === 0 || nonBlank.length === 0 ? [] : await embed(nonBlank, call);
  let next = 0;
  return texts.map(text => (text.trim() === '' ? undefined : embedded[next++]));
}

function checkedQuery(
  vector: Float32Array,
  space: string,
  { dimensions }: VectorIndex,
): Float32Array {
  if (vector.length !== dimensions)
    throw new InputError('wrong-dimensions', `A query vector for the space "${space}"`, {
      expected: `${dimensions} dimensions`,
      received: `${vector.length} dimensions`,
    });
  const bad = vector.find(value => !Number.isFinite(value));
  if (bad !== undefined)
    throw new InputError('not-finite', `A query vector for the space "${space}"`, {
      expected: 'finite numbers',
      received: String(bad),
    });
  return vector;
}

/** Returns 1 for each row that is not zero; undefined if all are such. */
function presentRows(rows: Float32Array, dimensions: number): Uint8Array | undefined {
  const present = new Uint8Array(rows.length / dimensions);
  for (let at = 0; at < rows.length; at++)
    if (rows[at] !== 0) present[Math.floor(at / dimensions)] = 1;
  return present.includes(0) ? present : undefined;
}

/** Combines both masks, one array for all queries of one filter, so that they share a pass. */
function bothMasks(
  present: Uint8Array | undefined,
): (allowed: Uint8Array | undefined) => Uint8Array | undefined {
  const known = new Map<Uint8Array | undefined, Uint8Array | undefined>([[undefined, present]]);
  return allowed => {
    if (!present || known.has(allowed)) return present ? known.get(allowed) : allowed;
    const both = allowed!.map((allow, item) => allow & present[item]!);
    known.set(allowed, both);
    return both;
  };
}
