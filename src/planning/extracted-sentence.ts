/**
 * Takes a step of a chain of thought without a language model: copies the sentence that shares most
 * with the question and names something new. Ours; papers always have a model.
 */

import { sentenceSpans } from '../core/text/sentences.ts';
import { findNames } from '../language/english/names/names.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import type { Paragraph } from './paragraphs.ts';

/** Most steps of a chain of extracted sentences. */
export const EXTRACTED_STEPS = 3;

export interface Extracted {
  readonly text: string;
  readonly paragraph: Paragraph;
}

const NOVELTY = 0.5;

/**
 * Returns the best sentence by idf-overlap(question) + 0.5 novelty, the first of equals. Novelty is
 * the share of its names that neither the question nor an earlier sentence has. Returns undefined
 * if no sentence has any, which excludes earlier sentences.
 */
export function extractSentence(
  question: string,
  paragraphs: readonly Paragraph[],
  sentences: readonly string[],
): Extracted | undefined {
  const candidates = paragraphs.flatMap(paragraph =>
    sentenceSpans(paragraph.text).map(([start, end]) => ({
      paragraph,
      text: paragraph.text.slice(start, end),
    })),
  );
  const support = sentenceSupport(
    question,
    candidates.map(({ text }) => text),
  );
  const known = [question, ...sentences].join('\n').toLowerCase();
  let best: Extracted | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, candidate] of candidates.entries()) {
    const novelty = noveltyOf(candidate.text, known);
    const score = support[index]! + NOVELTY * novelty;
    if (novelty === 0 || score <= most) continue;
    best = candidate;
    most = score;
  }
  return best;
}

/** Returns the share of new names; 0 for a sentence without names. */
function noveltyOf(sentence: string, known: string): number {
  const names = [...new Set(findNames(sentence).map(({ text }) => text.toLowerCase()))];
  return names.length === 0 ? 0 : names.filter(name => !known.includes(name)).length / names.length;
}
