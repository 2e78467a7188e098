/**
 * Values that a model names, as the catalogue has them: only what is there can be filtered by
 * (Multi-Meta-RAG sheet, section 7).
 */
import type { MetadataCatalogue } from './extractor.ts';
import { sourceAliases } from './source-names.ts';

/** Names that differ in at most one of ten characters are one name misspelled. */
const LEAST_SIMILARITY = 0.9;

/**
 * The names of the catalogue that are meant: in any case, by an alias (of several that share it,
 * all), or nearly as it is written.
 */
export function knownSources(name: string, { sources }: MetadataCatalogue): readonly string[] {
  const wanted = folded(name);
  const exact = sources.find(source => folded(source) === wanted);
  if (exact !== undefined) return [exact];
  const byAlias = sources.filter(source =>
    sourceAliases(source).some(alias => folded(alias) === wanted),
  );
  if (byAlias.length > 0) return byAlias;
  const near = sources
    .map(source => ({ source, similarity: similarity(wanted, folded(source)) }))
    .sort((a, b) => b.similarity - a.similarity);
  return near[0] && near[0].similarity >= LEAST_SIMILARITY ? [near[0].source] : [];
}

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** 1 - edit distance (insertion, deletion, replacement) / the longer length. */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  // No distance is shorter than the difference in length, so most pairs cost nothing.
  if (Math.abs(a.length - b.length) / longer > 1 - LEAST_SIMILARITY) return 0;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return 1 - row[b.length]! / longer;
}
