/**
 * Thinks, filters and extracts by rules if `longrag-dual` has no language model, and finds the
 * sentences that support extracted information.
 */

import { foldWhitespaceAndPunctuation } from '../../core/text/normalise.ts';
import { sentenceSpans } from '../../core/text/sentences.ts';
import { findNames } from '../../language/english/names/names.ts';
import { contentWords, sentenceSupport } from '../../language/english/words/content-words.ts';
import { contentStems, stemOf } from '../../language/english/words/stems.ts';

/** The parts of a question: its names, and the stems of its other content words. */
export interface Facets {
  readonly names: readonly string[];
  readonly stems: readonly string[];
}

export function facetsOf(question: string): Facets {
  const names = [...new Set(findNames(question).map(({ text }) => text))];
  const inNames = contentStems(names.join(' '));
  const stems = [...contentWords(question)].map(stemOf).filter(stem => !inNames.has(stem));
  return { names, stems: [...new Set(stems)] };
}

/** Writes the facets as the thought of a run without a model. */
export const thoughtOf = ({ names, stems }: Facets): string => [...names, ...stems].join('; ');

/** Returns the facets that a text contains: names whole, stems as words. */
export function facetsIn(text: string, { names, stems }: Facets): Set<string> {
  const folded = fold(text);
  const words = contentStems(text);
  return new Set([
    ...names.filter(name => folded.includes(fold(name))),
    ...stems.filter(stem => words.has(stem)),
  ]);
}

const fold = (text: string): string => foldWhitespaceAndPunctuation(text.toLowerCase());

/** A chunk with its title, and its score in the ranking that chose it. */
export interface ScoredText {
  readonly text: string;
  readonly score: number;
}

/** Share of the best score from which a chunk is kept whatever it contains. */
const STRONG = 0.5;

/**
 * Decides for each chunk, the best first, if it is kept: it contains a facet that no kept chunk
 * before it contains, or has at least half the best score, if that is positive.
 */
export function keptByRule(facets: Facets, chunks: readonly ScoredText[]): boolean[] {
  const best = Math.max(0, ...chunks.map(({ score }) => score));
  const covered = new Set<string>();
  return chunks.map(({ text, score }) => {
    const found = facetsIn(text, facets);
    const isNew = [...found].some(facet => !covered.has(facet));
    const kept = isNew || (best > 0 && score >= STRONG * best);
    if (kept) for (const facet of found) covered.add(facet);
    return kept;
  });
}

/** A sentence of a document, with the words of its title. */
export interface Sentence {
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly withTitle: string;
}

/** Returns the sentences of documents, or of parts of them, each once, in order. */
export function sentencesOf(
  documents: readonly {
    readonly documentId: string;
    readonly title: string;
    readonly text: string;
    readonly start: number;
  }[],
): Sentence[] {
  const seen = new Map<string, Sentence>();
  for (const { documentId, title, text, start } of documents)
    for (const [from, to] of sentenceSpans(text)) {
      const span = { documentId, start: start + from, end: start + to };
      const key = JSON.stringify(span);
      if (!seen.has(key)) seen.set(key, { ...span, withTitle: `${title} ${text.slice(from, to)}` });
    }
  return [...seen.values()];
}

/** Weight of relevance against novelty in MMR. */
const LAMBDA = 0.7;

/**
 * Returns up to `count` sentences by maximal marginal relevance (Carbonell and Goldstein, SIGIR
 * 1998, lambda 0.7): relevant is what contains the question's words, rare ones above all, and alike
 * what shares words (Jaccard). Sentences that share no word with the question are never chosen.
 */
export function extractedByRule(
  question: string,
  sentences: readonly Sentence[],
  count: number,
): Sentence[] {
  const texts = sentences.map(({ withTitle }) => withTitle);
  const relevance = sentenceSupport(question, texts);
  const words = texts.map(contentWords);
  const closest = new Float64Array(sentences.length);
  const open = new Set([...sentences.keys()].filter(at => relevance[at]! > 0));
  const chosen: Sentence[] = [];
  while (chosen.length < count && open.size > 0) {
    let next = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (const at of open) {
      const value = LAMBDA * relevance[at]! - (1 - LAMBDA) * closest[at]!;
      if (value > most) [next, most] = [at, value];
    }
    open.delete(next);
    chosen.push(sentences[next]!);
    for (const at of open) closest[at] = Math.max(closest[at]!, jaccard(words[next]!, words[at]!));
  }
  return chosen;
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter(word => b.has(word)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

/** Least share of the words of a piece of information that a sentence must contain. */
const GROUNDED = 0.5;

/** Returns for each sentence of the information the one that contains most of it, if one does. */
export function groundsOf(info: string, sentences: readonly Sentence[]): Sentence[] {
  const texts = sentences.map(({ withTitle }) => withTitle);
  const grounds = new Set<Sentence>();
  for (const [start, end] of sentenceSpans(info)) {
    const support = sentenceSupport(info.slice(start, end), texts);
    const best = support.reduce((top, value, at) => (value > (support[top] ?? 0) ? at : top), -1);
    if (best >= 0 && support[best]! >= GROUNDED) grounds.add(sentences[best]!);
  }
  return [...grounds];
}
