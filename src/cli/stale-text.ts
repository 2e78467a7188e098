/** Describes stale derived indexes. */
import type { Staleness } from '../search/derived-index.ts';

/** Returns "lsa(dimensions=256) passage is of 44 documents; since then 1 added, 0 changed, ...". */
export const staleText = ({ key, documents, added, changed, removed }: Staleness): string =>
  `${key} is of ${documents.toLocaleString('en')} documents; since then ${added} added, ${changed} changed, ${removed} removed`;

/** Returns a note on an index that a search used although it is stale. */
export const staleNote = (stale: Staleness, folder: string): string =>
  `${staleText(stale)}. Rebuild it with: multihop verify --store ${folder} --repair`;
