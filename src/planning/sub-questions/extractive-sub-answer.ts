/**
 * A sub-question's answer without a model: the name, year or number that stands in the sentences
 * with most of the question's words.
 *
 * A baseline that knows the form of a question and no meaning: it is there so that chaining can be
 * measured without a language model.
 */
import { findNames } from '../../text/names.ts';
import { contentWords, sentenceSupport } from '../../text/sentence-support.ts';
import { sentenceSpans } from '../../text/sentences.ts';
import { type ReadAnswer, UNKNOWN } from './read-answer.ts';
import { citationsOf, type ReadPassage } from './read-passage.ts';

const ASKS_FOR_TIME =
  /\b(?:when|(?:what|which) (?:\p{L}+ )?(?:year|date|day)|inception|date of|year of)\b/iu;
const ASKS_FOR_NUMBER =
  /\b(?:how (?:many|much|long|far|old|tall|high|large)|population|number of|what percentage)\b/i;
const TIME = /\b(?:\d{1,2} \p{Lu}\p{Ll}+ \d{4}|\p{Lu}\p{Ll}+ \d{1,2}, \d{4}|1\d{3}|20\d{2})\b/gu;
const NUMBER = /\b\d[\d,.]*\d\b|\b\d\b/g;

/** A passage further down counts less: 1 / (1 + RANK_LOSS x rank). */
const RANK_LOSS = 0.5;

interface Sentence {
  readonly passage: number;
  readonly text: string;
}

/** Unknown where the passages hold nothing of the kind that is asked for. */
export function extractiveSubAnswer(
  question: string,
  passages: readonly ReadPassage[],
): ReadAnswer {
  const sentences = passages.flatMap(({ title, text }, passage): Sentence[] => [
    { passage, text: title },
    ...sentenceSpans(text).map(([start, end]) => ({ passage, text: text.slice(start, end) })),
  ]);
  // A sentence about "it" is about what its passage is called.
  const support = sentenceSupport(
    question,
    sentences.map(({ passage, text }) => `${passages[passage]!.title} ${text}`),
  );
  const asked = contentWords(question);
  const scores = new Map<string, number>();
  for (const [index, { passage, text }] of sentences.entries()) {
    const weight = support[index]! / (1 + RANK_LOSS * passage);
    for (const name of new Set(candidatesIn(text, question)))
      if (!isAsked(name, asked)) scores.set(name, Math.max(scores.get(name) ?? 0, weight));
  }
  const best = [...scores].filter(([, score]) => score > 0).sort(([, x], [, y]) => y - x)[0];
  if (!best) return UNKNOWN;
  const stands = citationsOf(best[0], passages);
  return stands.length === 0
    ? UNKNOWN
    : { answer: best[0], stands, citations: stands.slice(0, 1), said: [] };
}

/** Whether the question names it itself. */
function isAsked(name: string, asked: ReadonlySet<string>): boolean {
  const words = [...contentWords(name)];
  return words.length > 0 && words.every(word => asked.has(word));
}

function candidatesIn(text: string, question: string): string[] {
  if (ASKS_FOR_TIME.test(question)) return text.match(TIME) ?? [];
  if (ASKS_FOR_NUMBER.test(question)) return text.match(NUMBER) ?? [];
  return findNames(text).map(name => name.text);
}
