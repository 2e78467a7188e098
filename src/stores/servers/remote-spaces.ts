/** The vector spaces of a server: which units have vectors, and how texts become vectors. */
import { InputError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { type Call, callOn } from '../../core/trace/call.ts';
import type { Embedder } from '../../models/embedder.ts';
import { embedChecked } from '../../models/embedder.ts';
import { checkedVector } from '../../search/checked-search.ts';
import { exactScore } from '../../search/indexes/vector/exact-score.ts';
import { Embedding } from '../../search/vectors/embedding.ts';
import { canonicalSpace } from '../../search/vectors/space-names.ts';
import type { TextTemplate } from '../../search/vectors/text-templates.ts';
import type { PreparedDocument, PreparedItem } from './prepared-document.ts';

/** A space as the server records it. */
export interface SpaceRecord {
  readonly name: string;
  readonly dimensions: number;
  readonly units: readonly Unit[];
  /** Name of the template of the texts that the embedder read. */
  readonly template: string;
}

export interface RemoteSpacesOptions {
  readonly embedders?: readonly Embedder[] | undefined;
  readonly template?: string | TextTemplate | undefined;
  /** Units that get vectors; passages if missing. */
  readonly units?: readonly Unit[] | undefined;
}

/** Texts in one call of an embedder. */
const BATCH = 64;

export class RemoteSpaces {
  private readonly embedding: Embedding;
  private readonly units: readonly Unit[];

  /** Throws `InputError('duplicate-name' | 'bad-dimensions')`. */
  constructor({ embedders, template, units = ['passage'] }: RemoteSpacesOptions) {
    this.embedding = new Embedding(embedders, template);
    this.units = units;
  }

  get records(): SpaceRecord[] {
    const { embedders, template } = this.embedding;
    return [...embedders].map(([name, { dimensions }]) => ({
      name,
      dimensions,
      units: this.units,
      template: template.name,
    }));
  }

  /** Returns the embedder of a space. Throws `InputError('unknown-space')`. */
  embedder(unit: Unit, space: string): Embedder {
    const embedder = this.embedding.embedders.get(canonicalSpace(space));
    if (embedder && this.units.includes(unit)) return embedder;
    const known = [...this.embedding.embedders.keys()];
    const units = this.units.join(', ');
    throw new InputError('unknown-space', `This engine has no vectors of ${unit}s in "${space}"`, {
      expected: known.length > 0 ? `${known.join(', ')} of ${units}` : 'a search by terms',
      hint: 'Give the engine the embedder of that space and the unit.',
    });
  }

  /**
   * Returns the vectors of queries; undefined for a blank text. Throws
   * `InputError('wrong-dimensions' | 'not-finite')`.
   */
  async queryVectors(
    embedder: Embedder,
    queries: readonly { readonly text?: string; readonly vector?: Float32Array }[],
    call: Call,
  ): Promise<(Float32Array | undefined)[]> {
    const vectors = queries.map(({ vector }) => vector && checkedVector(vector, embedder));
    const texts = queries.map(({ text = '' }, at) => (vectors[at] ? '' : text));
    const spoken = texts.filter(text => text.trim() !== '');
    const template = this.embedding.template;
    const read = spoken.map(text => template.query(text));
    const embedded = read.length === 0 ? [] : await embedChecked(embedder, read, 'query', call);
    let next = 0;
    return texts.map(
      (text, at) => vectors[at] ?? (text.trim() === '' ? undefined : embedded[next++]),
    );
  }

  /** Returns the vectors of the items of these documents that get vectors, by space and item id. */
  async itemVectors(
    documents: readonly PreparedDocument[],
    call: Call,
  ): Promise<Map<string, Map<PreparedItem, Float32Array>>> {
    const { embedders, template } = this.embedding;
    const bySpace = new Map<string, Map<PreparedItem, Float32Array>>();
    for (const [space, embedder] of embedders) {
      const waiting = documents.flatMap(({ document, items }) =>
        items
          .filter(({ unit }) => this.units.includes(unit))
          .map(item => ({ item, text: template.passage(document, item), id: document.id })),
      );
      const vectors = new Map<PreparedItem, Float32Array>();
      for (let from = 0; from < waiting.length; from += BATCH) {
        const batch = waiting.slice(from, from + BATCH);
        const texts = batch.map(({ text }) => text);
        const documentOf = (text: string): string | undefined =>
          batch.find(each => each.text === text)?.id;
        const embedded = await embedChecked(embedder, texts, 'passage', callOn(call, documentOf));
        for (const [at, { item }] of batch.entries()) vectors.set(item, embedded[at]!);
      }
      bySpace.set(space, vectors);
    }
    return bySpace;
  }
}

/** Returns the inner product as the embedded engine computes it, to the bit. */
export function innerProduct(query: Float32Array, row: Float32Array): number {
  return exactScore(padded(query), padded(row), 0);
}

function padded(vector: Float32Array): Float32Array {
  const stride = Math.ceil(vector.length / 4) * 4;
  if (stride === vector.length) return vector;
  const longer = new Float32Array(stride);
  longer.set(vector);
  return longer;
}
