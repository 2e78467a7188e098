/**
 * Answers a sub-question without a model: by the name, year or number in the sentences that share
 * most words with the question.
 *
 * A baseline that knows the form of a question and not its meaning, so that chaining can be
 * measured without a language model.
 */

import { sentenceSpans } from '../../core/text/sentences.ts';
import { findNames } from '../../language/english/names/names.ts';
import { contentWords, sentenceSupport } from '../../language/english/words/content-words.ts';
import { type ReadAnswer, UNKNOWN } from './read-answer.ts';
import { citationsOf, type ReadPassage } from './read-passage.ts';

const ASKS_FOR_TIME =
  /\b(?:when|(?:what|which) (?:\p{L}+ )?(?:year|date|day)|inception|date of|year of)\b/iu;
const ASKS_FOR_NUMBER =
  /\b(?:how (?:many|much|long|far|old|tall|high|large)|population|number of|what percentage)\b/i;
const TIME = /\b(?:\d{1,2} \p{Lu}\p{Ll}+ \d{4}|\p{Lu}\p{Ll}+ \d{1,2}, \d{4}|1\d{3}|20\d{2})\b/gu;
const NUMBER = /\b\d[\d,.]*\d\b|\b\d\b/g;

/** Weight of a passage at rank r, from 0: 1 / (1 + RANK_LOSS r). */
const RANK_DISCOUNT = 0.5;

interface Sentence {
  readonly passage: number;
  readonly text: string;
}

/** Returns `UNKNOWN` if the passages contain no candidate of the requested kind. */
export function extractiveSubAnswer(
  question: string,
  passages: readonly ReadPassage[],
): ReadAnswer {
  const sentences = passages.flatMap(({ title, text }, passage): Sentence[] => [
    { passage, text: title },
    ...sentenceSpans(text).map(([start, end]) => ({ passage, text: text.slice(start, end) })),
  ]);
  // A sentence about "it" refers to the title of its passage.
  const support = sentenceSupport(
    question,
    sentences.map(({ passage, text }) => `${passages[passage]!.title} ${text}`),
  );
  const questionWords = contentWords(question);
  const scores = new Map<string, number>();
  for (const [index, { passage, text }] of sentences.entries()) {
    const weight = support[index]! / (1 + RANK_DISCOUNT * passage);
    for (const name of new Set(candidatesIn(text, question)))
      if (!isInQuestion(name, questionWords))
        scores.set(name, Math.max(scores.get(name) ?? 0, weight));
  }
  const best = [...scores].filter(([, score]) => score > 0).sort(([, x], [, y]) => y - x)[0];
  if (!best) return UNKNOWN;
  const occurrences = citationsOf(best[0], passages);
  return occurrences.length === 0
    ? UNKNOWN
    : { answer: best[0], occurrences, citations: occurrences.slice(0, 1), outputs: [] };
}

/** Returns true if the question contains all words of the name. */
function isInQuestion(name: string, questionWords: ReadonlySet<string>): boolean {
  const words = [...contentWords(name)];
  return words.length > 0 && words.every(word => questionWords.has(word));
}

function candidatesIn(text: string, question: string): string[] {
  if (ASKS_FOR_TIME.test(question)) return text.match(TIME) ?? [];
  if (ASKS_FOR_NUMBER.test(question)) return text.match(NUMBER) ?? [];
  return findNames(text).map(name => name.text);
}
