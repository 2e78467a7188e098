/** What a search returns: hits in the one total order, score descending, then id ascending. */

/**
 * What is stored and found: a whole document, a passage (the chunk that is retrieved), or a
 * sentence.
 */
export type Unit = 'document' | 'passage' | 'sentence';

/**
 * One result: a span of a document with its score. `start` and `end` are UTF-16 offsets into
 * `Document.text`.
 */
export interface Hit {
  readonly id: string;
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
}

/** Hits in total order: score descending, then id ascending (by UTF-16 code units), always. */
export type Ranking = readonly Hit[];

/** The total order of rankings. */
export function compareHits(
  a: { readonly score: number; readonly id: string },
  b: { readonly score: number; readonly id: string },
): number {
  if (a.score !== b.score) return b.score - a.score;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The distinct documents of hits or kept items, in order of first appearance. */
export function distinctDocuments(items: Iterable<{ readonly documentId: string }>): string[] {
  const seen = new Set<string>();
  for (const item of items) seen.add(item.documentId);
  return [...seen];
}
