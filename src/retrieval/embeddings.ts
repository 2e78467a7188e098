/**
 * What embedders made of the documents of an engine, kept by document: what has not changed is not
 * embedded again.
 */
import type { Document, Passage } from '../corpus/document.ts';
import { InputError } from '../errors.ts';
import { embedChecked } from '../models/checked-vectors.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Unit } from '../ranking/ranking.ts';
import type { Call } from '../trace/call.ts';
import { canonicalSpace, isFittedSpace } from './space-names.ts';
import { DEFAULT_TEMPLATE, type TextTemplate, textTemplates } from './text-templates.ts';

/** How a document is cut. The same for one unit and document throughout the life of an engine. */
export type Cut = (unit: Unit, document: Document) => readonly Passage[];

/** Texts in one call of an embedder. */
const BATCH = 64;

export class Embeddings {
  readonly embedders: ReadonlyMap<string, Embedder>;
  /** What they read of passages and queries. */
  readonly template: TextTemplate;
  /**
   * By space and unit: the rows of a document one after the other. A document that no snapshot
   * holds any more takes its rows along.
   */
  private readonly rows = new Map<string, WeakMap<Document, Float32Array>>();

  constructor(
    embedders: readonly Embedder[] = [],
    template: string | TextTemplate = DEFAULT_TEMPLATE,
  ) {
    this.embedders = new Map(embedders.map(embedder => [canonicalSpace(embedder.id), embedder]));
    if (this.embedders.size < embedders.length)
      throw new InputError('duplicate-name', 'Two embedders of one engine have the same id', {
        received: embedders.map(({ id }) => id).join(', '),
      });
    for (const { id, dimensions } of embedders) {
      if (isFittedSpace(id))
        throw new InputError(
          'duplicate-name',
          `The id "${id}" is that of a space which every engine has`,
        );
      if (!Number.isInteger(dimensions) || dimensions < 1)
        throw new InputError('bad-dimensions', `The dimensions of the embedder "${id}"`, {
          expected: 'a whole number of at least 1',
          received: String(dimensions),
        });
    }
    this.template = typeof template === 'string' ? textTemplates.create(template) : template;
  }

  /**
   * The rows of each document. Embeds those that are not known yet, in batches; what was finished
   * before an error or abort is kept.
   */
  async of(
    embedder: Embedder,
    unit: Unit,
    documents: readonly Document[],
    cut: Cut,
    call: Call,
  ): Promise<Float32Array[]> {
    const key = `${unit} ${embedder.id}`;
    let known = this.rows.get(key);
    if (!known) this.rows.set(key, (known = new WeakMap()));
    const waiting: Waiting[] = [];
    for (const document of documents) {
      if (known.has(document)) continue;
      const items = cut(unit, document);
      const rows = new Float32Array(items.length * embedder.dimensions);
      if (items.length === 0) known.set(document, rows);
      for (const [place, item] of items.entries())
        waiting.push({
          document,
          rows,
          place,
          last: place === items.length - 1,
          text: this.template.passage(document, item),
        });
    }
    for (let from = 0; from < waiting.length; from += BATCH) {
      const batch = waiting.slice(from, from + BATCH);
      const vectors = await embedChecked(
        embedder,
        batch.map(({ text }) => text),
        'passage',
        call,
      );
      for (const [index, { document, rows, place, last }] of batch.entries()) {
        rows.set(vectors[index]!, place * embedder.dimensions);
        if (last) known.set(document, rows);
      }
    }
    return documents.map(document => known.get(document)!);
  }
}

interface Waiting {
  readonly document: Document;
  readonly rows: Float32Array;
  readonly place: number;
  readonly last: boolean;
  readonly text: string;
}
