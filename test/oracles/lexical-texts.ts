/** Generates texts that stress lexical indexes. */
import { mulberry32 } from '../../src/core/mulberry32.ts';
import type { LexicalItem } from '../../src/search/indexes/lexical/lexical-index.ts';

export function itemsOf(texts: readonly string[]): LexicalItem[] {
  return texts.map((text, i) => ({
    id: String(i).padStart(6, '0'),
    title: '',
    text,
    metadata: {},
  }));
}

/** Returns a function that draws whole numbers from 0 to below the given one. */
export function numbers(seed: number): (below: number) => number {
  const random = mulberry32(seed);
  return below => Math.floor(random() * below);
}

/**
 * Generates texts of words whose frequencies fall like 1 / rank: some occur in nearly all texts,
 * most are rare.
 */
export function zipfTexts(
  count: number,
  vocabulary: number,
  longest: number,
  next: (below: number) => number,
): string[] {
  const word = (): string => `w${Math.floor(vocabulary ** (next(1000) / 1000)) - 1}`;
  return Array.from({ length: count }, () =>
    Array.from({ length: next(longest + 1) }, word).join(' '),
  );
}
