/** Declares hits and rankings, which have one total order: score descending, then id ascending. */

/** The unit of a hit: a document, a passage (a chunk of a document) or a sentence. */
export type Unit = 'document' | 'passage' | 'sentence';

/**
 * A span of a document with its score. `start` and `end` are UTF-16 offsets into `Document.text`.
 */
export interface Hit {
  readonly id: string;
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** Hits in total order: score descending, then id ascending (by UTF-16 code units). */
export type Ranking = readonly Hit[];

/** Compares two hits in the total order of rankings. */
export function compareHits(
  a: { readonly score: number; readonly id: string },
  b: { readonly score: number; readonly id: string },
): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Returns the distinct document ids of hits or evidence, in order of first appearance. */
export function distinctDocuments(items: Iterable<{ readonly documentId: string }>): string[] {
  const seen = new Set<string>();
  for (const item of items) seen.add(item.documentId);
  return [...seen];
}
