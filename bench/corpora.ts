/**
 * The corpora: 6,119 real passages of 2WikiMultiHopQA, and synthetic ones of any size made of their
 * sentences.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LexicalItem } from '../src/search/indexes/lexical/lexical-index.ts';

export interface Corpus {
  readonly items: readonly LexicalItem[];
  readonly questions: readonly string[];
}

/**
 * The tokenizer that every peer is given, and that ours equals: lower-cased runs of Unicode letters
 * and digits.
 */
export const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
/** Settings of LanceDB that come nearest to it. */
export const PLAIN_WORDS = {
  withPosition: false,
  baseTokenizer: 'simple',
  lowercase: true,
  stem: false,
  removeStopWords: false,
  asciiFolding: false,
} as const;

const lines = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line));

const idOf = (number: number): string => String(number).padStart(8, '0');

export function realCorpus(data: string): Corpus {
  const folder = join(data, '2wikimultihopqa');
  const rows = lines(join(folder, 'open_corpus.jsonl')) as { title: string; text: string }[];
  const asked = lines(join(folder, 'open_queries.dev.jsonl')) as { question: string }[];
  return {
    items: rows.map(({ title, text }, i) => ({ id: idOf(i), title, text, metadata: {} })),
    questions: asked.map(({ question }) => question),
  };
}

/** mulberry32 (T. Ettinger, public domain): a small seeded generator, uniform in [0, 1). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Tokens that at most five passages hold. */
function rareTokens(items: readonly LexicalItem[]): Set<string> {
  const frequencies = new Map<string, number>();
  for (const { title, text } of items)
    for (const token of new Set(tokens(`${title} ${text}`)))
      frequencies.set(token, (frequencies.get(token) ?? 0) + 1);
  return new Set([...frequencies].filter(([, count]) => count <= 5).map(([token]) => token));
}

/**
 * Yields `size` passages: a real title and real sentences drawn at random until a real passage's
 * length is reached. Each occurrence of a rare token gets one of sqrt(size / real size) names, so
 * that the vocabulary grows like the square root (Heaps' law with exponent 1/2).
 */
export function* composedPassages(
  real: readonly LexicalItem[],
  size: number,
  seed = 20261121,
): Generator<LexicalItem> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const rare = rareTokens(real);
  const names = Math.max(1, Math.round(Math.sqrt(size / real.length)));
  const rename = (text: string): string =>
    text.replace(/[\p{L}\p{N}]+/gu, token => {
      if (!rare.has(token.toLowerCase())) return token;
      const name = Math.floor(random() * names);
      return name === 0 ? token : `${token}q${name}`;
    });
  const sentences = real
    .flatMap(({ text }) =>
      text.split(/(?<=[.!?])\s+/).map(sentence => ({ sentence, length: tokens(sentence).length })),
    )
    .filter(({ length }) => length > 0);
  const lengths = real.map(({ title, text }) => tokens(`${title} ${text}`).length);
  for (let i = 0; i < size; i++) {
    const title = pick(real).title;
    const wanted = pick(lengths);
    const chosen: string[] = [];
    for (let length = tokens(title).length; length < wanted; ) {
      const next = pick(sentences);
      // The last sentence is taken when it ends nearer to the wanted length than stopping does.
      if (chosen.length > 0 && length + next.length - wanted > wanted - length) break;
      chosen.push(next.sentence);
      length += next.length;
    }
    yield { id: idOf(i), title: rename(title), text: rename(chosen.join(' ')), metadata: {} };
  }
}

/** All of `composedPassages`, with the real questions. */
export function syntheticCorpus(data: string, size: number, seed?: number): Corpus {
  const { items: real, questions } = realCorpus(data);
  return { items: [...composedPassages(real, size, seed)], questions };
}
