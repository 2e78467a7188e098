/** The vector spaces of one snapshot, each opened at its first use. */
import type { Unit } from '../../core/ranking/ranking.ts';
import type { ScoredItem } from '../../core/ranking/top.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Embedder } from '../../models/embedder.ts';
import { embedChecked } from '../../models/embedder.ts';
import { checkedVector } from '../checked-search.ts';
import type { DerivedSource } from '../derived/derived-index.ts';
import type { DerivedIndexes } from '../derived/derived-indexes.ts';
import { VectorIndex } from '../indexes/vector/vector-index.ts';
import { documentVectors } from './document-vectors.ts';
import type { Embedding } from './embedding.ts';
import { Openings } from './openings.ts';
import { canonicalSpace, unknownSpace } from './space-names.ts';

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
  embed(texts: readonly string[], call: Call): Promise<Float32Array[]>;
}

export class VectorSpaces {
  private readonly source: SpaceSource;
  private readonly embedding: Embedding;
  private readonly indexes: DerivedIndexes;
  private readonly opened = new Map<string, OpenSpace>();
  private readonly openings = new Openings<OpenSpace>();

  constructor(source: SpaceSource, embedding: Embedding, indexes: DerivedIndexes) {
    this.source = source;
    this.embedding = embedding;
    this.indexes = indexes;
  }

  /**
   * Returns one list for each query: positions of items, score descending, then position ascending.
   * A blank text finds nothing.
   */
  async search(
    unit: Unit,
    space: string,
    queries: readonly SpaceQuery[],
    k: number,
    call: Call,
  ): Promise<ScoredItem[][]> {
    const open = await this.open(unit, space, call);
    const { name: id, index } = open;
    const { dimensions } = index;
    const embedded = await embedTexts(
      open,
      queries.flatMap(({ text, vector }) => (vector === undefined ? [text!] : [])),
      call,
    );
    let next = 0;
    const vectors = queries.map(({ vector }) =>
      vector === undefined ? embedded[next++] : checkedVector(vector, { id, dimensions }),
    );
    const directed = queries.flatMap(({ allowed }, query) => {
      const vector = vectors[query];
      return vector ? [{ query, vector, allowed }] : [];
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
    const { name: id, index } = await this.open(unit, space, call);
    const { dimensions } = index;
    return index.scores(
      vectors.map(vector => checkedVector(vector, { id, dimensions })),
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
    if (!embedder) throw unknownSpace(space, [...this.embedding.embedders.keys()]);
    const key = `${unit} ${name}`;
    return (
      this.opened.get(key) ??
      this.openings.open(key, call, async () => {
        const opened = await this.openEmbedded(unit, embedder, call);
        this.opened.set(key, opened);
        return opened;
      })
    );
  }

  private async openEmbedded(unit: Unit, embedder: Embedder, call: Call): Promise<OpenSpace> {
    const { dimensions } = embedder;
    const { template } = this.embedding;
    const derived = documentVectors(embedder, unit, template);
    const { index } = await this.indexes.open(derived, this.source, call);
    const { documentOf, placeOf } = this.source.places(unit);
    const rows = new Float32Array(documentOf.length * dimensions);
    for (let item = 0; item < documentOf.length; item++) {
      const { id } = this.source.documents[documentOf[item]!]!;
      const place = placeOf[item]! * dimensions;
      rows.set(index.rows.get(id)!.subarray(place, place + dimensions), item * dimensions);
    }
    return {
      name: embedder.id,
      index: VectorIndex.build(rows, dimensions),
      embed: (texts, queryCall) => {
        const queries = texts.map(text => template.query(text));
        return embedChecked(embedder, queries, 'query', queryCall);
      },
    };
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
