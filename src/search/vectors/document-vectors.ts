/**
 * Vectors of an embedder, by document: a derived index to which documents can be added and from
 * which they can be removed.
 */
import type { Document } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import type { Unit } from '../../core/ranking/ranking.ts';
import { type Call, callOn } from '../../core/trace/call.ts';
import type { Embedder } from '../../models/embedder.ts';
import { embedChecked } from '../../models/embedder.ts';
import {
  badIndex,
  type DerivedIndex,
  type DerivedKind,
  type DerivedSource,
  type PackedDerived,
  packText,
  unpackText,
} from '../derived/derived-index.ts';
import type { TextTemplate } from './text-templates.ts';

/** Rows of vectors, by document, in the order of the document's items. */
export interface DocumentVectors {
  readonly dimensions: number;
  readonly rows: ReadonlyMap<string, Float32Array>;
}

/** Texts in one call of an embedder. */
const BATCH = 64;

const FORMAT = 'multihop-document-vectors-1';

/** Receives the number of texts of one addition that have vectors. */
export type OnAdded = (done: number, total: number) => void;

/** The key of an embedder's vectors in a store. */
export const vectorsKey = (unit: Unit, space: string): string => `vectors(${space}) ${unit}`;

/** `embedder.id` is the name of the space. */
export function documentVectors(
  embedder: Embedder,
  unit: Unit,
  template: TextTemplate,
  onAdded: OnAdded = () => {},
): DerivedIndex<DocumentVectors> {
  const { dimensions } = embedder;
  const add: DerivedIndex<DocumentVectors>['add'] = async (
    index,
    documents,
    source,
    call,
    keep = () => {},
  ) => {
    const rows = new Map(index.rows);
    const waiting: Waiting[] = [];
    const finished: Document[] = [];
    for (const document of documents) {
      const items = source.cut(unit, document);
      const block = new Float32Array(items.length * dimensions);
      if (items.length === 0) {
        rows.set(document.id, block);
        finished.push(document);
      }
      for (const [place, item] of items.entries()) {
        const last = place === items.length - 1;
        const text = template.passage(document, item);
        waiting.push({ document, rows: block, place, last, text });
      }
    }
    if (waiting.length > 0) onAdded(0, waiting.length);
    for (let from = 0; from < waiting.length; from += BATCH) {
      const batch = waiting.slice(from, from + BATCH);
      const vectors = await embedded(embedder, batch, call);
      for (const [at, { document, rows: block, place, last }] of batch.entries()) {
        block.set(vectors[at]!, place * dimensions);
        if (!last) continue;
        rows.set(document.id, block);
        finished.push(document);
      }
      onAdded(from + batch.length, waiting.length);
      if (from + BATCH < waiting.length) keep({ dimensions, rows: new Map(rows) }, finished);
    }
    return { dimensions, rows };
  };
  return {
    key: vectorsKey(unit, embedder.id),
    empty: () => ({ dimensions, rows: new Map() }),
    add,
    remove: withoutRows,
    check: (index, source) => countProblem(index, source, unit),
    pack: packVectors,
    unpack(packed) {
      const index = unpackVectors(packed);
      if (index.dimensions === dimensions) return index;
      throw badIndex(`${dimensions} dimensions`, `${index.dimensions} dimensions`);
    },
  };
}

/** Returns the vectors of texts; notes of the embedder name their documents. */
function embedded(
  embedder: Embedder,
  batch: readonly Waiting[],
  call: Call,
): Promise<Float32Array[]> {
  const texts = batch.map(({ text }) => text);
  const of = callOn(call, text => batch.find(each => each.text === text)?.document.id);
  return embedChecked(embedder, texts, 'passage', of);
}

const withoutRows = ({ dimensions, rows }: DocumentVectors, ids: ReadonlySet<string>) => ({
  dimensions,
  rows: new Map([...rows].filter(([id]) => !ids.has(id))),
});

/** Vectors by a key alone: without their embedder documents can be removed, not added. */
export const VECTORS_KIND: DerivedKind<DocumentVectors> = {
  name: 'vectors',
  of(key) {
    const refuse = (): never => {
      throw missingEmbedder(key);
    };
    return {
      key,
      empty: refuse,
      add: async () => refuse(),
      remove: withoutRows,
      check: (index, source) => countProblem(index, source, key.slice(key.lastIndexOf(' ') + 1)),
      pack: packVectors,
      unpack: unpackVectors,
    };
  },
};

export const missingEmbedder = (key: string): InputError =>
  new InputError('missing-embedder', `The index "${key}" needs its embedder`, {
    expected: 'the embedder of the space',
  });

/** Returns the problem of vectors that are not one an item; undefined if they are. */
export function countProblem(
  { dimensions, rows }: DocumentVectors,
  { documents, cut }: DerivedSource,
  unit: string,
): string | undefined {
  for (const document of documents) {
    const items = cut(unit as Unit, document).length;
    const count = (rows.get(document.id)?.length ?? 0) / dimensions;
    if (count !== items) return `it holds ${count} vectors for ${items} items of "${document.id}"`;
  }
  return undefined;
}

interface Waiting {
  readonly document: Document;
  readonly rows: Float32Array;
  readonly place: number;
  readonly last: boolean;
  readonly text: string;
}

/** Packs rows in ascending order of document ids: equal vectors give equal bytes. */
export function packVectors({ dimensions, rows }: DocumentVectors): PackedDerived {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = new Float32Array(sorted.reduce((sum, [, block]) => sum + block.length, 0));
  const ends = new Uint32Array(sorted.length);
  let at = 0;
  for (const [document, [, block]] of sorted.entries()) {
    all.set(block, at);
    at += block.length;
    ends[document] = at / dimensions;
  }
  return {
    header: { format: FORMAT, dimensions },
    arrays: { rows: all, ends, ids: packText(sorted.map(([id]) => id)) },
  };
}

/** Reads vectors without their embedder; the rows are views. Throws `InputError('bad-index')`. */
export function unpackVectors({ header, arrays }: PackedDerived): DocumentVectors {
  const { format, dimensions } = header;
  const { rows: all, ends } = arrays;
  const ids = unpackText(arrays['ids'], 'ids') as string[];
  const fits =
    format === FORMAT &&
    typeof dimensions === 'number' &&
    all instanceof Float32Array &&
    ends instanceof Uint32Array &&
    ends.length === ids.length &&
    all.length === (ends.at(-1) ?? 0) * dimensions;
  if (!fits) throw badIndex(`arrays of the format ${FORMAT}`, String(format));
  const rows = new Map<string, Float32Array>();
  for (const [document, id] of ids.entries()) {
    const from = document === 0 ? 0 : ends[document - 1]!;
    rows.set(id, all.subarray(from * dimensions, ends[document]! * dimensions));
  }
  return { dimensions, rows };
}
