/** The shape of a perturbation: a rule that rewrites questions or articles by seed. */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import {
  findSources,
  type SourceAlias,
  type SourceMention,
  sourceNames,
} from '../../../src/language/english/names/source-names.ts';

/** A question as MultiHop-RAG publishes it; fields that no rule reads pass through. */
export interface RawQuestion {
  readonly query: string;
  readonly answer?: string;
  readonly question_type?: string;
  readonly evidence_list?: readonly { readonly url?: string }[];
}

/** An article as MultiHop-RAG publishes it. */
export interface RawArticle {
  readonly title: string;
  readonly url?: string;
  readonly source?: string;
  readonly body?: string;
}

export interface RawData {
  readonly questions: readonly RawQuestion[];
  readonly articles: readonly RawArticle[];
}

export interface Perturbation {
  readonly name: string;
  readonly summary: string;
  /** Returns rewritten data; questions keep their number and order unless `deletes` is true. */
  apply(data: RawData, seed: number): RawData;
  /** True if it drops questions, which cannot be paired with untouched ones by place. */
  readonly deletes?: boolean;
}

/** A seeded source of numbers for one question, so that a sample has the texts of the whole. */
export function randomOf(seed: number, text: string): () => number {
  let mixed = seed >>> 0;
  for (let at = 0; at < text.length; at++)
    mixed = (Math.imul(mixed ^ text.charCodeAt(at), 0x01000193) >>> 0) + at;
  return mulberry32(mixed);
}

/** Draws an item of a list. */
export const drawn = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)]!;

/** Returns a perturbation that rewrites each question alone. */
export function ofQuestions(
  name: string,
  summary: string,
  rewrite: (query: string, random: () => number, names: Catalogue) => string,
): Perturbation {
  return {
    name,
    summary,
    apply({ questions, articles }, seed) {
      const names = catalogueOf(articles);
      return {
        articles,
        questions: questions.map(question => ({
          ...question,
          query: rewrite(question.query, randomOf(seed, question.query), names),
        })),
      };
    },
  };
}

/** The names of the sources, most frequent first, and how questions spell them. */
export interface Catalogue {
  readonly sources: readonly string[];
  readonly spellings: readonly SourceAlias[];
}

export function catalogueOf(articles: readonly RawArticle[]): Catalogue {
  const counts = new Map<string, number>();
  for (const { source } of articles)
    if (source !== undefined) counts.set(source, (counts.get(source) ?? 0) + 1);
  const sources = [...counts].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return { sources, spellings: sourceNames(sources) };
}

/** Finds the names of sources that stand letter by letter in a text. */
export const mentionsOf = (text: string, { sources, spellings }: Catalogue): SourceMention[] =>
  findSources(text, sources, spellings);

/** Replaces spans of a text, in order. */
export function replaced(
  text: string,
  spans: readonly { readonly start: number; readonly end: number }[],
  by: (span: string) => string,
): string {
  let [result, at] = ['', 0];
  for (const { start, end } of spans) {
    result += text.slice(at, start) + by(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}
