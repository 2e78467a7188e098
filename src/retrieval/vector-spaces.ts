/** The vector spaces of one snapshot: fitted or embedded when first asked for, then kept. */
import type { Document } from '../corpus/document.ts';
import { InputError } from '../errors.ts';
import type { Packed } from '../indexes/lexical/stored.ts';
import { fittedSpaces } from '../indexes/lsa/fitted-spaces.ts';
import { Lsa } from '../indexes/lsa/lsa.ts';
import type { PackedLsa } from '../indexes/lsa/stored.ts';
import type { ScoredItem } from '../indexes/top.ts';
import { type PackedVectors, VectorIndex } from '../indexes/vector/vector-index.ts';
import { embedChecked } from '../models/checked-vectors.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';
import type { Cut, Embeddings } from './embeddings.ts';
import { canonicalSpace, isFittedSpace, unknownSpace } from './space-names.ts';

/** What the spaces are made from. */
export interface SpaceSource {
  readonly documents: readonly Document[];
  readonly cut: Cut;
  /**
   * The position of each item's document, and which of its items it is, in the order of the items.
   */
  places(unit: Unit): { readonly documentOf: Int32Array; readonly placeOf: Int32Array };
  /** The inverted index of the analysis `plain`. */
  plainIndex(unit: Unit): Packed;
  readonly vectors?: StoredVectors | undefined;
}

/** What is stored of exactly these items; undefined where it is not, or not as it should be. */
export interface StoredVectors {
  /** By an embedder's id. */
  embedded(unit: Unit, space: string): PackedVectors | undefined;
  /** By the canonical name of a space that is fitted on the corpus. */
  fitted(unit: Unit, space: string): PackedLsa | undefined;
}

export interface SpaceQuery {
  readonly text?: string;
  readonly vector?: Float32Array;
  readonly allowed?: Uint8Array;
}

interface OpenSpace {
  readonly name: string;
  readonly index: VectorIndex;
  /** 0 for items without a direction of their own; missing when all have one. */
  readonly present?: Uint8Array;
  /** undefined for a text that has no direction in this space. */
  embed(texts: readonly string[], call: Call): Promise<(Float32Array | undefined)[]>;
}

export class VectorSpaces {
  private readonly source: SpaceSource;
  private readonly embeddings: Embeddings;
  private readonly opening = new Map<string, Promise<OpenSpace>>();

  constructor(source: SpaceSource, embeddings: Embeddings) {
    this.source = source;
    this.embeddings = embeddings;
  }

  /**
   * One list a query: positions of items, score descending, then position ascending. A text without
   * a direction finds nothing.
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
    const asked = queries.flatMap(({ allowed }, query) => {
      const vector = vectors[query];
      const both = maskOf(allowed);
      return vector ? [{ query, vector, ...(both ? { allowed: both } : {}) }] : [];
    });
    const lists: ScoredItem[][] = queries.map(() => []);
    for (const [position, found] of index.search(asked, k).entries())
      lists[asked[position]!.query] = found;
    return lists;
  }

  /** Copies of the vectors of items. */
  async vectors(
    unit: Unit,
    items: readonly number[],
    space: string,
    call: Call,
  ): Promise<Float32Array[]> {
    const { index } = await this.open(unit, space, call);
    return items.map(item => index.vector(item));
  }

  /** What `search` scores these items, one list a vector. */
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

  /** What `search` would embed; see `SearchEngine.queryVectors`. */
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
    const embedder = this.embeddings.embedders.get(name);
    if (!embedder && !isFittedSpace(name))
      throw unknownSpace(space, [...this.embeddings.embedders.keys()]);
    const key = `${unit} ${name}`;
    for (;;) {
      call.signal.throwIfAborted();
      const underWay = this.opening.get(key);
      // What another caller began may fail for that caller's own reasons, such as an abort: then it
      // is begun anew.
      const opened = underWay
        ? await underWay.catch(() => undefined)
        : await this.begin(key, unit, name, embedder, call);
      if (opened) return opened;
    }
  }

  private begin(
    key: string,
    unit: Unit,
    name: string,
    embedder: Embedder | undefined,
    call: Call,
  ): Promise<OpenSpace> {
    const opening = embedder ? this.embedded(unit, embedder, call) : this.fitted(unit, name);
    this.opening.set(key, opening);
    opening.catch(() => this.opening.delete(key));
    return opening;
  }

  private async fitted(unit: Unit, name: string): Promise<OpenSpace> {
    const { length: size } = this.source.places(unit).documentOf;
    const stored = this.source.vectors?.fitted(unit, name);
    const lsa = stored
      ? Lsa.unpack(stored)
      : Lsa.fit(this.source.plainIndex(unit), fittedSpaces.create(name).dimensions);
    // A corpus without a word still has its items: each a zero.
    const present = presentRows(lsa, size);
    return {
      name,
      index: VectorIndex.build(
        lsa.dimensions === 0 ? new Float32Array(size) : lsa.vectors,
        Math.max(1, lsa.dimensions),
      ),
      ...(present ? { present } : {}),
      embed: async texts => texts.map(text => lsa.fold(text)),
    };
  }

  private async embedded(unit: Unit, embedder: Embedder, call: Call): Promise<OpenSpace> {
    const { dimensions } = embedder;
    const { template } = this.embeddings;
    const { documentOf } = this.source.places(unit);
    const stored = this.source.vectors?.embedded(unit, embedder.id);
    const usable =
      stored?.header.size === documentOf.length && stored.header.dimensions === dimensions;
    return {
      name: embedder.id,
      index: usable
        ? VectorIndex.unpack(stored)
        : VectorIndex.build(await this.embeddedRows(unit, embedder, call), dimensions),
      embed: (texts, queryCall) => {
        const queries = texts.map(text => template.query(text));
        return embedChecked(embedder, queries, 'query', queryCall);
      },
    };
  }

  private async embeddedRows(unit: Unit, embedder: Embedder, call: Call): Promise<Float32Array> {
    const { documents, cut } = this.source;
    const { dimensions } = embedder;
    const byDocument = await this.embeddings.of(embedder, unit, documents, cut, call);
    const { documentOf, placeOf } = this.source.places(unit);
    const rows = new Float32Array(documentOf.length * dimensions);
    for (let item = 0; item < documentOf.length; item++) {
      const from = placeOf[item]! * dimensions;
      rows.set(byDocument[documentOf[item]!]!.subarray(from, from + dimensions), item * dimensions);
    }
    return rows;
  }
}

/**
 * One call for all that are not blank. An empty index has nothing to compare with, and nothing is
 * embedded for it.
 */
async function embedTexts(
  { index, embed }: OpenSpace,
  texts: readonly string[],
  call: Call,
): Promise<(Float32Array | undefined)[]> {
  const asked = texts.filter(text => text.trim() !== '');
  const embedded = index.size === 0 || asked.length === 0 ? [] : await embed(asked, call);
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

function presentRows({ vectors, dimensions }: Lsa, size: number): Uint8Array | undefined {
  const present = new Uint8Array(size);
  for (let at = 0; at < vectors.length; at++)
    if (vectors[at] !== 0) present[Math.floor(at / dimensions)] = 1;
  return present.includes(0) ? present : undefined;
}

/** What is allowed and present, one array for all queries of one filter: they then share a pass. */
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
