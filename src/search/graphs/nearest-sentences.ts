/**
 * The nearest sentences of each sentence in a vector space, as a derived index: with the vectors,
 * so that documents can be added and removed, and a removal can fill the lists of its neighbours.
 */
import type { Document } from '../../core/corpus/document.ts';
import { finish, finishWithPauses, type Steps } from '../../core/steps.ts';
import type { Embedder } from '../../models/embedder.ts';
import { addedInBatches } from '../derived/added-in-batches.ts';
import {
  badIndex,
  type DerivedIndex,
  type DerivedKind,
  type DerivedSource,
  type PackedDerived,
} from '../derived/derived-index.ts';
import { NearestLists, NONE } from '../indexes/graph/nearest-lists.ts';
import {
  countProblem,
  type DocumentVectors,
  documentVectors,
  missingEmbedder,
  packVectors,
  unpackVectors,
} from '../vectors/document-vectors.ts';
import type { TextTemplate } from '../vectors/text-templates.ts';
import { SentencePlaces } from './sentence-places.ts';
import { SentenceScan } from './sentence-scan.ts';

/** Number that ChainRAG joins (arXiv 2502.14245, section 3.1). */
export const NEAREST = 10;
/** Documents whose lists are made at once: a failure loses at most these. */
const BATCH = 1024;
const FORMAT = 'multihop-nearest-sentences-1';
const KIND = 'nearest';

export interface NearestSentences {
  readonly vectors: DocumentVectors;
  readonly places: SentencePlaces;
  readonly lists: NearestLists;
  /** Searches these vectors; carried over, since its memory is slow to fill. */
  readonly scan: SentenceScan;
}

/** The key of the nearest sentences of a space in a store. */
export const nearestKey = (space: string): string => `${KIND}(${space}) sentence`;

/** `embedder.id` is the name of the space. */
export function nearestSentences(
  embedder: Embedder,
  template: TextTemplate,
): DerivedIndex<NearestSentences> {
  const space = documentVectors(embedder, 'sentence', template);
  const add = addedInBatches<NearestSentences>(
    () => BATCH,
    async (index, batch, source, call, turn) => {
      const vectors = await space.add(index.vectors, batch, source, call);
      return finishWithPauses(withDocuments(index, vectors, batch), async () => {
        await turn();
        call.signal.throwIfAborted();
      });
    },
  );
  return {
    key: nearestKey(embedder.id),
    empty: () => nothing(embedder.dimensions),
    add,
    remove: withoutDocuments,
    check,
    pack,
    unpack(packed) {
      const index = unpack(packed);
      if (index.vectors.dimensions === embedder.dimensions) return index;
      throw badIndex(`${embedder.dimensions} dimensions`, String(index.vectors.dimensions));
    },
  };
}

/** Lists by key alone: without the embedder documents can be removed, not added. */
export const NEAREST_KIND: DerivedKind<NearestSentences> = {
  name: KIND,
  of(key) {
    const refuse = (): never => {
      throw missingEmbedder(key);
    };
    return {
      key,
      empty: refuse,
      add: async () => refuse(),
      remove: withoutDocuments,
      check,
      pack,
      unpack,
    };
  },
};

const check = ({ vectors }: NearestSentences, source: DerivedSource): string | undefined =>
  countProblem(vectors, source, 'sentence');

const placesOf = ({ rows, dimensions }: DocumentVectors): SentencePlaces =>
  new SentencePlaces(rows.keys(), id => rows.get(id)!.length / dimensions);

function nothing(dimensions: number): NearestSentences {
  const vectors = { dimensions, rows: new Map<string, Float32Array>() };
  const places = placesOf(vectors);
  return { vectors, places, lists: NearestLists.empty(NEAREST, 0), scan: new SentenceScan() };
}

function* withDocuments(
  { lists: before, places: earlier, scan }: NearestSentences,
  vectors: DocumentVectors,
  added: readonly Document[],
): Steps<NearestSentences> {
  const places = placesOf(vectors);
  const { lists } = before.renumbered(renumbering(earlier, places), places.size);
  const sentences = added.flatMap(({ id }) => {
    const [start, end] = places.spanOf(id)!;
    return Array.from({ length: end - start }, (_, at) => start + at);
  });
  const version = { vectors, places };
  yield* scan.join(lists, sentences, version);
  return { ...version, lists, scan };
}

/** Fills the lists of which a sentence goes from all that stay. */
function withoutDocuments(
  { vectors: all, lists: before, places: earlier, scan }: NearestSentences,
  ids: ReadonlySet<string>,
): NearestSentences {
  const rows = new Map([...all.rows].filter(([id]) => !ids.has(id)));
  const vectors = { dimensions: all.dimensions, rows };
  const places = placesOf(vectors);
  const { lists, lacking } = before.renumbered(renumbering(earlier, places), places.size);
  for (const sentence of lacking) lists.clear(sentence);
  finish(scan.fill(lists, lacking, { vectors, places }));
  return { vectors, places, lists, scan };
}

/** Returns the later number of each sentence; -1 if its document is gone. */
function renumbering(earlier: SentencePlaces, later: SentencePlaces): Int32Array {
  const numbers = new Int32Array(earlier.size).fill(-1);
  for (const [at, id] of earlier.documents.entries()) {
    const span = later.spanOf(id);
    const [first, end] = [earlier.starts[at]!, earlier.starts[at + 1]!];
    for (let sentence = first; span && sentence < end; sentence++)
      numbers[sentence] = span[0] + sentence - first;
  }
  return numbers;
}

function pack({ vectors, lists: { targets, scores } }: NearestSentences): PackedDerived {
  const { header, arrays } = packVectors(vectors);
  return { header: { format: FORMAT, vectors: header }, arrays: { ...arrays, targets, scores } };
}

function unpack({ header, arrays }: PackedDerived): NearestSentences {
  if (header['format'] !== FORMAT) throw badIndex(FORMAT, String(header['format']));
  const { targets, scores, ...rest } = arrays;
  const vectors = unpackVectors({
    header: header['vectors'] as PackedDerived['header'],
    arrays: rest,
  });
  const places = placesOf(vectors);
  if (
    !(targets instanceof Uint32Array && scores instanceof Float64Array) ||
    targets.length !== NEAREST * places.size ||
    scores.length !== targets.length ||
    targets.some(target => target !== NONE && target >= places.size)
  )
    throw badIndex('the nearest of each sentence', 'arrays that do not fit together');
  const lists = new NearestLists(NEAREST, targets, scores);
  return { vectors, places, lists, scan: new SentenceScan() };
}
