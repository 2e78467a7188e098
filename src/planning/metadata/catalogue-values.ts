/** Maps source names that a model writes to names in the catalogue. */
import type { MetadataCatalogue } from '../../language/catalogue.ts';
import { sourceAliases } from '../../language/english/names/source-names.ts';

/** Least similarity at which a name is a misspelling of another. */
const MIN_SIMILARITY = 0.9;

/**
 * Returns the names of the catalogue that equal `name` in any case, else all that have it as an
 * alias, else the most similar one.
 */
export function knownSources(name: string, { sources }: MetadataCatalogue): readonly string[] {
  const foldedName = folded(name);
  const exact = sources.find(source => folded(source) === foldedName);
  if (exact !== undefined) return [exact];
  const byAlias = sources.filter(source =>
    sourceAliases(source).some(alias => folded(alias) === foldedName),
  );
  if (byAlias.length > 0) return byAlias;
  const near = sources
    .map(source => ({ source, similarity: similarity(foldedName, folded(source)) }))
    .sort((a, b) => b.similarity - a.similarity);
  return near[0] && near[0].similarity >= MIN_SIMILARITY ? [near[0].source] : [];
}

const folded = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/**
 * Returns 1 - edit distance (insertion, deletion, substitution) / the greater length; 0 for lengths
 * that differ too much for a misspelling.
 */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  // The distance is at least the difference in length: most pairs need no table.
  if (Math.abs(a.length - b.length) / longer > 1 - MIN_SIMILARITY) return 0;
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
