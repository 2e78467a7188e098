/** The one mapping of an index: items of every unit, terms and vectors in fields of the unit. */

import { defined } from '../../../core/defined.ts';
import type { Unit } from '../../../core/ranking/ranking.ts';
import { ANALYSIS_VERSION, isBeside, STEM_MARK } from '../../../core/text/search-form.ts';
import type { Bm25 } from '../lexical-plan.ts';
import { type PreparedItem, UNITS } from '../prepared-document.ts';
import type { SpaceRecord } from '../remote-spaces.ts';
import { storedText, termKey } from '../stored-text.ts';

/** Changes with the mapping, with what is written into it, and with the analysis of the terms. */
export const LAYOUT: string = `multihop-opensearch-3.${ANALYSIS_VERSION}`;

/** Largest number of hits, and of ids in one query. */
const WINDOW = 1_000_000;

/** Names what one write stored of a document, by its stored id. */
export const versionOf = (generation: number, document: string): string =>
  `${generation} ${document}`;

export const termField = (unit: Unit): string => `terms_${unit}`;
export const besideField = (unit: Unit): string => `beside_${unit}`;
export const stemField = (unit: Unit): string => `stems_${unit}`;

/** Returns the fields that hold terms of a unit. */
export const termFieldsOf = (unit: Unit): readonly string[] => [
  termField(unit),
  besideField(unit),
  stemField(unit),
];

/** Returns the field that holds a term; the term that names a language is no stem. */
export function fieldOf(unit: Unit, term: string): string {
  if (!isBeside(term)) return termField(unit);
  const isStem = term.startsWith(STEM_MARK) && term.length > STEM_MARK.length + 2;
  return isStem ? stemField(unit) : besideField(unit);
}
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
    type: 'knn_vector',
    dimension,
    method: { name: 'hnsw', engine: vectorLibrary, space_type: 'innerproduct' },
  });
  return {
    settings: {
      index: defined({
        knn: spaces.length > 0 ? true : undefined,
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: '-1',
        max_result_window: WINDOW,
        max_terms_count: WINDOW,
        // The terms of deleted items count until a merge leaves them out: all that are older than
        // about half of this time, which the server keeps for copies that were away.
        'merge.policy.expunge_deletes_allowed': 0,
        'soft_deletes.retention_lease.period': '5m',
        similarity: { ours: { type: 'BM25', k1: bm25.k1, b: bm25.b } },
        analysis: {
          tokenizer: { words: { type: 'whitespace', max_token_length: 1024 } },
          filter: { counts: { type: 'delimited_term_freq', delimiter: '|' } },
          analyzer: { words: { type: 'custom', tokenizer: 'words', filter: ['counts'] } },
        },
      }),
    },
    mappings: {
      dynamic: false,
      properties: {
        unit: keyword,
        id: keyword,
        document: keyword,
        facts: keyword,
        fields: keyword,
        generation: { type: 'long' },
        version: { type: 'keyword', doc_values: false },
        hash: { type: 'keyword', index: false },
        start: { type: 'integer' },
        end: { type: 'integer' },
        place: { type: 'integer' },
        ...Object.fromEntries(UNITS.flatMap(termFieldsOf).map(field => [field, terms])),
        ...Object.fromEntries(
          spaces.flatMap(({ dimensions, units }, at) =>
            units.map(unit => [vectorField(at, unit), vector(dimensions)] as const),
          ),
        ),
      },
    },
  };
}

/** Stands for each term that counts in the length but is in the other field: no query holds it. */
const NO_TERM = '-';

/**
 * Returns the terms of an item as the texts of its fields, which the server splits at spaces. Terms
 * beside others have fields of their own because they do not count in the length; stems have one
 * apart, since nearly every word may have one. Each field has the length of the item, or the number
 * of its terms if that is more.
 */
export function termFields(item: Pick<PreparedItem, 'unit' | 'counts' | 'length'>): object {
  const { unit, counts, length } = item;
  const byField = new Map(
    termFieldsOf(unit).map(field => [field, [] as (readonly [string, number])[]]),
  );
  for (const entry of counts) byField.get(fieldOf(unit, entry[0]))!.push(entry);
  return Object.fromEntries([...byField].map(([field, terms]) => [field, termText(terms, length)]));
}

/** An item without terms has one, or the server would not count it as an item of the field. */
function termText(counts: readonly (readonly [string, number])[], length: number): string {
  const missing = counts.reduce((rest, [, count]) => rest - count, length);
  const words = counts.map(([term, count]) => counted(storedText(termKey(term)), count));
  if (missing > 0 || words.length === 0) words.push(counted(NO_TERM, Math.max(1, missing)));
  return words.join(' ');
}

const counted = (word: string, count: number): string => (count === 1 ? word : `${word}|${count}`);
