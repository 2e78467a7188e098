/** The one mapping of an index: items of every unit, terms and vectors in fields of the unit. */
import type { Unit } from '../../../ranking/ranking.ts';
import { ANALYSIS_VERSION } from '../../../text/search-form.ts';
import type { Bm25 } from '../lexical-plan.ts';
import { type PreparedItem, UNITS } from '../prepared-document.ts';
import type { SpaceRecord } from '../remote-spaces.ts';
import { storedText, termKey } from '../stored-text.ts';

/** Changes with the mapping, with what is written into it, and with the analysis of the terms. */
export const LAYOUT: string = `multihop-opensearch-1.${ANALYSIS_VERSION}`;

/** Largest number of hits, and of ids in one query. */
const WINDOW = 1_000_000;

export const termField = (unit: Unit): string => `terms_${unit}`;
export const vectorField = (space: number, unit: Unit): string => `vector_${space}_${unit}`;

export interface Layout {
  readonly bm25: Bm25;
  readonly spaces: readonly SpaceRecord[];
  readonly shards: number;
  readonly replicas: number;
  /**
   * Library of approximate search. Servers from the registry alone lack the native ones, and end at
   * the first vector for `faiss`, their default.
   */
  readonly vectorLibrary: string;
}

export function indexBody({ bm25, spaces, shards, replicas, vectorLibrary }: Layout): object {
  const keyword = { type: 'keyword' };
  const terms = { type: 'text', analyzer: 'words', similarity: 'ours', index_options: 'freqs' };
  const vector = (dimension: number): object => ({
    ...{ type: 'knn_vector', dimension },
    method: { name: 'hnsw', engine: vectorLibrary, space_type: 'innerproduct' },
  });
  return {
    settings: {
      index: {
        ...(spaces.length > 0 ? { knn: true } : {}),
        ...{ number_of_shards: shards, number_of_replicas: replicas, refresh_interval: '-1' },
        ...{ max_result_window: WINDOW, max_terms_count: WINDOW },
        similarity: { ours: { type: 'BM25', k1: bm25.k1, b: bm25.b } },
        analysis: {
          tokenizer: { words: { type: 'whitespace', max_token_length: 1024 } },
          analyzer: { words: { type: 'custom', tokenizer: 'words' } },
        },
      },
    },
    mappings: {
      dynamic: false,
      properties: {
        ...{ unit: keyword, id: keyword, document: keyword, facts: keyword, fields: keyword },
        ...{ generation: { type: 'long' }, hash: { type: 'keyword', index: false } },
        ...{ start: { type: 'integer' }, end: { type: 'integer' }, place: { type: 'integer' } },
        ...Object.fromEntries(UNITS.map(unit => [termField(unit), terms])),
        ...Object.fromEntries(
          spaces.flatMap(({ dimensions, units }, at) =>
            units.map(unit => [vectorField(at, unit), vector(dimensions)] as const),
          ),
        ),
      },
    },
  };
}

/**
 * Stands in an item without terms, which a server would not count as an item of the field: no query
 * holds it. The average length grows by the share of such items.
 */
const NO_TERM = '-';

/**
 * Returns the terms of an item as the text that the server splits at spaces. Terms beside others
 * count in the length that the server keeps, as they do in no other engine.
 */
export function termText({ counts }: Pick<PreparedItem, 'counts'>): string {
  const words: string[] = [];
  for (const [term, count] of counts) {
    const key = storedText(termKey(term));
    for (let copy = 0; copy < count; copy++) words.push(key);
  }
  return words.join(' ') || NO_TERM;
}
