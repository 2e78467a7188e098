/**
 * Computes BM25 by its definition, slowly and plainly, as the reference of engine laws (k1 1.5, b
 * 0.75, distinct query terms).
 */
import { type Document, metadataText, publishedDay } from '../core/corpus/document.ts';

const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Returns the terms that the scorer `bm25` indexes: of title, text, source, author, category and
 * day.
 */
function indexed({ title, text, metadata }: Document): string[] {
  const facts = ['source', 'author', 'category'].map(field => metadataText(metadata, field));
  return tokens([title, text, ...facts, publishedDay(metadata)].join(' '));
}

/**
 * Returns all documents that score above 0, in no order. Robertson and Zaragoza 2009, eq. 3.15,
 * with Lucene's idf.
 */
export function bm25ByDefinition(
  documents: readonly Document[],
  query: string,
): { id: string; score: number }[] {
  const [k1, b] = [1.5, 0.75];
  const bags = documents.map(indexed);
  const average = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length;
  return documents.flatMap(({ id }, index) => {
    const bag = bags[index]!;
    let score = 0;
    for (const term of new Set(tokens(query))) {
      const tf = bag.filter(token => token === term).length;
      const df = bags.filter(other => other.includes(term)).length;
      const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
      score += idf * ((tf * (k1 + 1)) / (tf + k1 * (1 - b + (b * bag.length) / average)));
    }
    return score > 0 ? [{ id, score }] : [];
  });
}
