/**
 * Implements lexical search by its definitions, slowly: whole strings, maps, float64, no index. The
 * reference for src/search/indexes/lexical.
 */
import { metadataText, publishedDay } from '../../src/core/corpus/document.ts';
import { GRAM_SCRIPTS } from '../../src/core/text/scripts.ts';
import {
  askedBeside,
  type IndexForm,
  indexForm,
  queryForm,
} from '../../src/core/text/search-form.ts';
import { ENGLISH_STOP_WORDS } from '../../src/language/english/words/stop-words.ts';
import type { LexicalItem, ScoredItem } from '../../src/search/indexes/lexical/lexical-index.ts';

const LETTERS = String.raw`\p{L}\p{M}\p{N}${GRAM_SCRIPTS}`;
const PLAIN_RUN = new RegExp(`[${LETTERS}]+`, 'gu');
const S1_RUN = new RegExp(`[${LETTERS}_]{2,}`, 'gu');

const plainTokens = (form: string): string[] => form.match(PLAIN_RUN) ?? [];

const s1Tokens = (form: string): string[] =>
  (form.match(S1_RUN) ?? []).filter(token => !ENGLISH_STOP_WORDS.has(token));

/** Returns a text's terms with those beside them, which do not count as its length. */
const allOf = ({ form, characters, beside }: IndexForm): string =>
  `${form} ${characters} ${beside}`;
const withCharacters = ({ form, characters }: IndexForm): string => `${form} ${characters}`;

function plainText({ title, text, metadata }: LexicalItem): string {
  const facts = [
    metadataText(metadata, 'source'),
    metadataText(metadata, 'author'),
    metadataText(metadata, 'category'),
    publishedDay(metadata),
  ];
  return [`${title} ${text}`, ...facts.filter(fact => fact !== '')].join(' ');
}

/**
 * Joins title x4, source x3, category x2, date x3, author x2 and body x1 by spaces
 * (docs/papers/budgeted-agent.md).
 */
function s1Text({ title, text, metadata }: LexicalItem): string {
  const field = (name: string): string => metadataText(metadata, name);
  const repeat = (value: string, times: number): string[] => new Array<string>(times).fill(value);
  const parts = [
    ...repeat(title, 4),
    ...repeat(field('source'), 3),
    ...repeat(field('category'), 2),
  ];
  return [...parts, ...repeat(publishedDay(metadata), 3), ...repeat(field('author'), 2), text].join(
    ' ',
  );
}

function count(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/**
 * Counts the items that contain each token; tokens in order of first appearance in the collection.
 */
function documentFrequencies(items: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const counts of items)
    for (const token of counts.keys()) frequencies.set(token, (frequencies.get(token) ?? 0) + 1);
  return frequencies;
}

/** Returns the score of every item for the query; 0 for no match. */
export type Score = (query: string, typed?: boolean) => number[];

export function bm25Oracle(
  items: readonly LexicalItem[],
  k1 = 1.5,
  b = 0.75,
  stop: 'none' | 'english' = 'none',
): Score {
  const forms = items.map(item => indexForm(plainText(item)));
  const lengths = forms.map(({ form }) => plainTokens(form).length);
  const counts = forms.map(form => count(plainTokens(allOf(form))));
  const frequencies = documentFrequencies(counts);
  const average = lengths.reduce((sum, length) => sum + length, 0) / items.length;
  const counted = (token: string): boolean =>
    frequencies.has(token) && (stop === 'none' || !ENGLISH_STOP_WORDS.has(token));
  const idfOf = (token: string): number => {
    const df = frequencies.get(token)!;
    return Math.log(1 + (items.length - df + 0.5) / (df + 0.5));
  };
  return (query, typed = false) => {
    const asked = askedBeside(query, typed);
    const unique = [...new Set([...plainTokens(queryForm(query)), ...asked.beside])].filter(
      counted,
    );
    const idfs = new Map(unique.map(token => [token, idfOf(token)]));
    for (const [token, word] of asked.like)
      if (counted(token) && counted(word)) idfs.set(token, Math.min(idfOf(token), idfOf(word)));
    const above = new Map<string, number>();
    const most = (token: string): number => (above.get(token) ?? 0) + idfs.get(token)! * (k1 + 1);
    for (const { term, under } of asked.above)
      if (counted(term))
        above.set(
          term,
          // The engine keeps 1 and this sum as one weight.
          1 + [...new Set(under)].filter(counted).reduce((sum, token) => sum + most(token), 0) - 1,
        );
    return counts.map((termCounts, item) => {
      let score = 0;
      for (const token of unique) {
        const tf = termCounts.get(token);
        if (tf === undefined) continue;
        const norm = k1 * (1 - b + (b * lengths[item]!) / average);
        score += (above.get(token) ?? 0) + idfs.get(token)! * ((tf * (k1 + 1)) / (tf + norm));
      }
      return score;
    });
  };
}

/**
 * Returns the square root of the sum of squares, computed exactly and rounded once: squares of
 * numbers of at least 1 are integer multiples of 2^-52.
 */
function exactNorm(weights: readonly number[]): number {
  const sum = weights.reduce((total, value) => total + BigInt(value * value * 2 ** 52), 0n);
  return Math.sqrt(Number(sum) / 2 ** 52);
}

export function s1Oracle(items: readonly LexicalItem[]): Score {
  const counts = items.map(item => count(s1Tokens(withCharacters(indexForm(s1Text(item))))));
  const frequencies = documentFrequencies(counts);
  const weight = (token: string, tf: number): number =>
    (1 + Math.log(tf)) * (Math.log((1 + items.length) / (1 + frequencies.get(token)!)) + 1);
  const norm = (weights: readonly number[]): number =>
    Math.sqrt(weights.reduce((sum, value) => sum + value * value, 0));
  const norms = counts.map(held => exactNorm([...held].map(([token, tf]) => weight(token, tf))));
  return query => {
    const queryTerms = [...count(s1Tokens(queryForm(query)))].filter(([token]) =>
      frequencies.has(token),
    );
    const queryNorm = norm(queryTerms.map(([token, tf]) => weight(token, tf)));
    const mentions = (value: string): boolean =>
      value !== '' && query.toLowerCase().includes(value.toLowerCase());
    return items.map(({ metadata }, item) => {
      let score = 0;
      for (const [token, tf] of queryTerms) {
        const held = counts[item]!.get(token);
        if (held !== undefined)
          score += (weight(token, tf) / queryNorm) * (weight(token, held) / norms[item]!);
      }
      if (mentions(metadataText(metadata, 'source'))) score += 0.12;
      if (mentions(metadataText(metadata, 'category'))) score += 0.03;
      if (mentions(publishedDay(metadata))) score += 0.1;
      return score;
    });
  };
}

/**
 * Returns the best k allowed items with a positive score: score descending, then item ascending.
 */
export function best(scores: readonly number[], k: number, allowed?: Uint8Array): ScoredItem[] {
  const candidates = scores
    .map((score, item) => ({ item, score }))
    .filter(({ item, score }) => score > 0 && (allowed === undefined || allowed[item] === 1));
  return candidates.sort((a, b) => b.score - a.score || a.item - b.item).slice(0, k);
}
