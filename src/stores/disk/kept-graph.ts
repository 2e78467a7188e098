/**
 * The graph of sentences that a store keeps: the entities that a recogniser finds, and the nearest
 * sentences of each embedder. Adjacency needs no index.
 */
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import type { EntityRecogniser } from '../../models/entity-recogniser.ts';
import { nameRecogniser } from '../../models/name-recogniser.ts';
import type { DerivedIndex } from '../../search/derived/derived-index.ts';
import { nearestKey, nearestSentences } from '../../search/graphs/nearest-sentences.ts';
import { entitiesKey, sentenceEntities } from '../../search/graphs/sentence-entities.ts';
import { type GraphRecord, isCurrent, type Manifest } from './manifest.ts';
import { STORE_TEMPLATE, type StoreEmbedder, spaceEmbedder } from './store-embedders.ts';

export interface StoreRecogniser {
  /** Its name in the store's record, as the user gave it, such as `names`. */
  readonly name: string;
  readonly recogniser: EntityRecogniser;
}

/** Called with 0, then after each batch with the number of documents that an index has. */
export type OnGraph = (key: string, done: number, total: number) => void;

/**
 * Returns the recogniser that searches of a store read entities of: the given one, else the
 * recorded one, else undefined, for which entities go by spelling.
 */
export function recogniserOf(
  { graph }: Manifest,
  given: StoreRecogniser | undefined,
): EntityRecogniser | undefined {
  return given?.recogniser ?? (graph && recorded(graph));
}

/** A recogniser of which the record alone is at hand serves stored entities, and finds none. */
function recorded({ recogniser, id }: GraphRecord): EntityRecogniser {
  if (id === nameRecogniser.id) return nameRecogniser;
  return {
    id,
    async recognise() {
      throw new InputError('missing-recogniser', 'The store lacks entities of new documents', {
        expected: `those of "${recogniser}", by which it keeps its graph`,
        hint: `Bring it up to date: openStore(path, { graph: "${recogniser}" }), then ingest.`,
        remedy: { id: 'keep-graph', name: recogniser },
      });
    },
  };
}

export interface KeptGraph {
  readonly record: GraphRecord;
  readonly indexes: readonly DerivedIndex[];
}

/**
 * Returns the graph that a store keeps or begins to keep with these models; undefined if it keeps
 * none. Leaves out entities whose recogniser, and spaces whose embedder, is not at hand.
 */
export function keptGraph(
  { graph }: Manifest,
  given: StoreRecogniser | undefined,
  embedders: readonly StoreEmbedder[],
  onGraph: OnGraph,
): KeptGraph | undefined {
  const record = given ? { recogniser: given.name, id: given.recogniser.id } : graph;
  if (!record) return undefined;
  const recogniser =
    given?.recogniser ?? (record.id === nameRecogniser.id ? nameRecogniser : undefined);
  const nearest = embedders.map(one => nearestSentences(spaceEmbedder(one), STORE_TEMPLATE));
  const indexes = [...(recogniser ? [sentenceEntities(recogniser)] : []), ...nearest];
  return { record, indexes: (indexes as DerivedIndex[]).map(index => reporting(index, onGraph)) };
}

/** Reports the documents that are added. */
export function reporting(index: DerivedIndex, onGraph: OnGraph): DerivedIndex {
  return {
    ...index,
    async add(before, added, source, call, keep = () => {}, turn) {
      const { key } = index;
      onGraph(key, 0, added.length);
      const kept = (next: unknown, finished: readonly Document[]): void => {
        onGraph(key, finished.length, added.length);
        keep(next, finished);
      };
      const next = await index.add(before, added, source, call, kept, turn);
      onGraph(key, added.length, added.length);
      return next;
    },
  };
}

/** Returns the keys of indexes that documents are added to by a model alone. */
export const modelKeys = ({ spaces = [], graph }: Manifest): string[] => [
  ...spaces.map(({ name }) => nearestKey(name)),
  ...(graph && graph.id !== nameRecogniser.id ? [entitiesKey(graph.id)] : []),
];

const ENTITIES = 'entities(';
/** Returns true for the key of an index that the graph of sentences is made of. */
export const isGraphKey = (key: string): boolean =>
  key.startsWith(ENTITIES) || key.startsWith('nearest(');

/** Returns true for an index of entities by another recogniser than the recorded one. */
export const isReplaced = (key: string, { id }: GraphRecord): boolean =>
  key.startsWith(ENTITIES) && key !== entitiesKey(id);

/** Returns what the kept graph lacks: its recogniser, and spaces; nothing if it is current. */
export function behindGraph(manifest: Manifest): {
  readonly recogniser?: string;
  readonly spaces: readonly string[];
} {
  const { graph, spaces = [], documents } = manifest;
  if (!graph || documents === 0) return { spaces: [] };
  const stale = spaces.filter(({ name }) => !isCurrent(manifest, nearestKey(name)));
  const entities = isCurrent(manifest, entitiesKey(graph.id));
  return defined({
    recogniser: entities ? undefined : graph.recogniser,
    spaces: stale.map(({ name }) => name),
  });
}
