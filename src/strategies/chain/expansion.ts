/**
 * Expands sentences over the graph: adds the neighbours of the last added sentences, best first.
 */

import type { Hit, Ranking } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import type { Search } from '../../core/trace/trace.ts';
import { ADJACENT, ENTITY, semantic } from '../../search/graphs/sentence-graph.ts';
import { NEIGHBOURS } from '../../search/ports/neighbours-port.ts';
import { type Retriever, type StrategyQuery, searchAll } from '../../search/retriever.ts';
import { rerankedHits } from '../reranked-hits.ts';
import type { Kit } from '../strategy.ts';
import { rerankerNeed } from '../usual-settings.ts';
import type { ChainSettings } from './settings.ts';

/** The unit of seeds and neighbours. */
export const SENTENCE = 'sentence';
/** Hits of a search among the documents of neighbours, at most: sentences of several long ones. */
const DEPTH = 1000;

/**
 * Returns the labels of edges that settings ask for and the engine serves. Similarity counts in the
 * spaces that the retriever searches: another one would have every sentence embedded for it.
 */
export function labelsOf(settings: ChainSettings, { engine, retriever }: Kit): string[] {
  if (!settings.graph) return [];
  const asked = [
    ...(settings.adjacent ? [ADJACENT] : []),
    ...(settings.entity ? [ENTITY] : []),
    ...(settings.semantic ? spacesOf(retriever).map(semantic) : []),
  ];
  return asked.filter(label => engine.capabilities.edges?.includes(label));
}

/** Returns the spaces of vectors that a retriever searches. */
export const spacesOf = ({ space, parts = [] }: Retriever): string[] => [
  ...new Set([...(space === undefined ? [] : [space]), ...parts.flatMap(spacesOf)]),
];

/** Sentences that a round may add, best first. */
export interface Frontier {
  readonly search: Search;
  readonly hits: Ranking;
}

/** Follows edges for one question. */
export class Expansion {
  readonly labels: readonly string[];
  private readonly kit: Kit;
  private readonly call: Call;
  private readonly settings: ChainSettings;

  constructor(kit: Kit, call: Call, settings: ChainSettings) {
    [this.kit, this.call, this.settings] = [kit, call, settings];
    this.labels = labelsOf(settings, kit);
  }

  /** Returns the distinct neighbours of sentences, without those that were seen. */
  async neighbours(ids: readonly string[], seen: ReadonlySet<string>): Promise<string[]> {
    const port = this.kit.engine.port(NEIGHBOURS);
    if (!port || this.labels.length === 0 || ids.length === 0) return [];
    const request = { unit: SENTENCE, ids, labels: this.labels } as const;
    const lists = await port.neighbours(request, this.call);
    return [...new Set(lists.flatMap(edges => edges.map(({ to }) => to)))].filter(
      id => !seen.has(id),
    );
  }

  /** Returns the other documents that share key entities with sentences, by their rarest. */
  async links(sentences: readonly Hit[]): Promise<Map<string, number>> {
    const weights = new Map<string, number>();
    const { engine } = this.kit;
    const port = engine.port(NEIGHBOURS);
    if (!port || !this.labels.includes(ENTITY) || sentences.length === 0) return weights;
    const ids = sentences.map(({ id }) => id);
    const lists = await port.neighbours({ unit: SENTENCE, ids, labels: [ENTITY] }, this.call);
    const edges = lists.flat();
    const ends = await engine.read(
      SENTENCE,
      edges.map(({ to }) => to),
      this.call,
    );
    const known = new Set(sentences.map(({ documentId }) => documentId));
    for (const [at, { weight }] of edges.entries()) {
      const { documentId } = ends[at]!;
      if (!known.has(documentId))
        weights.set(documentId, Math.max(weight, weights.get(documentId) ?? 0));
    }
    return weights;
  }

  /**
   * Searches neighbours in their documents: those that the retriever finds for the query, in its
   * order, or in that of the reranker.
   */
  async ranked(ids: readonly string[], query: StrategyQuery): Promise<Frontier> {
    const { kit, call, settings } = this;
    const sentences = await kit.engine.read(SENTENCE, ids, call);
    const values = [...new Set(sentences.map(({ documentId }) => documentId))].sort();
    const filter = { op: 'in', field: 'id', values } as const;
    const [search] = await searchAll(kit.retriever, [{ ...query, filter }], DEPTH, call, {
      unit: SENTENCE,
    });
    const neighbours = new Set(ids);
    const found = search!.hits.filter(({ id }) => neighbours.has(id)).slice(0, settings.candidates);
    return { search: search!, hits: await this.reranked(query.text, found) };
  }

  /** Orders sentences by the reranker, if there is one; its scores replace those of the search. */
  reranked(query: string, hits: Ranking): Promise<Ranking> {
    const { kit, call, settings } = this;
    const reranker = kit.resource(rerankerNeed(settings.reranker));
    return rerankedHits(reranker, query, hits, SENTENCE, kit, call);
  }
}
