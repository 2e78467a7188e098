/**
 * The graph of sentences (ChainRAG, arXiv 2502.14245, section 3.1) as edges of the port
 * `NEIGHBOURS`: adjacent sentences, sentences that share a key entity, and the nearest in a space.
 */
import type { Passage } from '../../core/corpus/document.ts';
import { nameRecogniser } from '../../models/name-recogniser.ts';
import type { DerivedIndex } from '../derived/derived-index.ts';
import { CoOccurrence } from '../indexes/graph/co-occurrence.ts';
import { NearestEdges } from '../indexes/graph/nearest-lists.ts';
import type { Edge } from '../ports/neighbours-port.ts';
import type { Embedding } from '../vectors/embedding.ts';
import { type NearestSentences, nearestSentences } from './nearest-sentences.ts';
import { numberedMentions, type SentenceEntities, sentenceEntities } from './sentence-entities.ts';
import type { SentencePlaces } from './sentence-places.ts';

/** Sentences of one document, up to `WINDOW` apart. */
export const ADJACENT = 'adjacent';
/** Sentences that share a key entity. */
export const ENTITY = 'entity';
/** Returns the label of sentences of which one is among the nearest of the other in a space. */
export const semantic = (space: string): string => `semantic(${space})`;

/** Largest distance of adjacent sentences. */
const WINDOW = 3;

/** Edges of one label between the sentences of a snapshot. */
export interface EdgeLayer {
  readonly places: SentencePlaces;
  /** Returns the neighbours of a sentence, each with its weight, in no order. */
  neighbours(sentence: number): ReadonlyMap<number, number>;
}

/** Returns the labels of the edges that an engine of these models serves. */
export const graphLabels = ({ embedders }: Embedding): string[] => [
  ...[ADJACENT, ENTITY],
  ...[...embedders.keys()].map(semantic),
];

/** Returns those of `graphLabels` whose index asks no model. */
export const labelsWithoutModel = ({ recogniser }: Embedding): string[] => [
  ...[ADJACENT, ...(recogniser.id === nameRecogniser.id ? [ENTITY] : [])],
];

/** Opens the edges of a label of `graphLabels` but `ADJACENT`, which needs no index. */
export async function openLayer(
  label: string,
  { embedders, template, recogniser }: Embedding,
  open: <T>(index: DerivedIndex<T>) => Promise<T>,
): Promise<EdgeLayer> {
  const space = [...embedders].find(([name]) => semantic(name) === label);
  return space
    ? semanticLayer(await open(nearestSentences(space[1], template)))
    : entityLayer(await open(sentenceEntities(recogniser)));
}

/** Weights: how rare the shared entities are. */
export function entityLayer(index: SentenceEntities): EdgeLayer {
  const mentions = numberedMentions(index);
  const graph = new CoOccurrence(mentions);
  return { places: mentions.places, neighbours: sentence => graph.neighbours(sentence) };
}

/** Weights: similarities, above 0. */
export function semanticLayer({ lists, places }: NearestSentences): EdgeLayer {
  const edges = new NearestEdges(lists);
  return { places, neighbours: sentence => edges.neighbours(sentence) };
}

/** Returns the edges of a sentence in a layer, in no order. */
export function edgesIn(layer: EdgeLayer, label: string, { id, documentId }: Passage): Edge[] {
  const { places } = layer;
  const sentence = places.spanOf(documentId)![0] + placeOf(id);
  return Array.from(layer.neighbours(sentence), ([to, weight]) => ({
    to: places.idOf(to),
    label,
    direction: 'both',
    weight,
  }));
}

/** Returns the edges of a sentence to those around it. Weights: 1 / (1 + how far it is). */
export function adjacentEdges({ id }: Passage, document: readonly Passage[]): Edge[] {
  const place = placeOf(id);
  const first = Math.max(0, place - WINDOW);
  return document.slice(first, place + WINDOW + 1).flatMap(({ id: to }, at): Edge[] => {
    const far = Math.abs(first + at - place);
    return far === 0 ? [] : [{ to, label: ADJACENT, direction: 'both', weight: 1 / (1 + far) }];
  });
}

/** Returns the place of a sentence in its document, which its id ends with (`itemId`). */
const placeOf = (id: string): number => Number(id.slice(id.lastIndexOf('#') + 2));
