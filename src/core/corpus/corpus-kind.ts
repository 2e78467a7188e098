/** Names the kinds of corpora that strategies and readers treat differently. */
import type { Outlined } from './outline.ts';

/**
 * - `linked`: most titles are short, and some are names that the question or other documents
 *   mention, in the sentences found or beside them, as in encyclopedias; evidence is chained.
 * - `articles`: documents have sources or are long; sentences are ranked.
 * - `passages`: documents are short and without links, as clauses of a law or messages; documents
 *   are ranked, and sentences within them.
 * - `sections`: documents have headings, as manuals; their sections are ranked.
 */
export type CorpusKind = 'linked' | 'articles' | 'passages' | 'sections';

/** Returns true if blocks of the document stand under headings, as in manuals. */
const isHeaded = ({ outline = [] }: Outlined): boolean =>
  outline.some(({ heading, kind }) => heading.length > 0 && kind !== 'heading');

/** Returns true if at least half of the documents have blocks under headings. */
export function mostAreHeaded(documents: readonly Outlined[]): boolean {
  const headed = documents.filter(isHeaded).length;
  return headed > 0 && 2 * headed >= documents.length;
}
