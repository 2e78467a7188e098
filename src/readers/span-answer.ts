/**
 * Turns spans of a context that a question answerer found into one answer: the text that most
 * probability stands behind, with the sentences that it stands in.
 */

import { normHotpot } from '../core/text/normalise.ts';
import type { ContextText, Evidence } from '../core/trace/trace.ts';
import type { AnswerSpan, AnswerSpans } from '../models/question-answerer.ts';
import type { Stated } from './draft.ts';
import { citationOf, type ShownPassage } from './shown-passages.ts';
import type { ShownSentence } from './shown-sentences.ts';

export interface SpanDraft extends Stated {
  /**
   * The probability of this text against no answer, from 0 to 1: the logistic function of the
   * difference of their scores (Devlin et al., BERT, 2019, section 4.3).
   */
  readonly support: number;
}

/** Words that spans of the context agree on. */
interface SpanAnswer {
  readonly text: string;
  /** The words without case, marks and articles; equal for spans of one answer. */
  readonly key: string;
  /** The logarithm of the summed exponentials of the spans' scores: their probabilities add up. */
  readonly score: number;
  /** The sentences that the spans stand in, that of the best span first. */
  readonly sentences: readonly ShownSentence[];
}

/** Returns the best answer that stands in evidence; undefined if none does. */
export function spanDraft(
  found: AnswerSpans,
  context: ContextText,
  passages: readonly ShownPassage[],
  evidence: readonly Evidence[],
): SpanDraft | undefined {
  for (const { text, score, sentences } of spanAnswers(found, context, passages)) {
    const citations = sentences.flatMap(sentence => citationOf(sentence, evidence) ?? []);
    if (citations.length > 0)
      return { text, citations, support: 1 / (1 + Math.exp(found.none - score)) };
  }
  return undefined;
}

/** Returns the answers that the spans state, best first, each with the words of its best span. */
function spanAnswers(
  { spans }: AnswerSpans,
  context: ContextText,
  passages: readonly ShownPassage[],
): SpanAnswer[] {
  const answers = new Map<string, SpanAnswer>();
  for (const span of spans) {
    const placed = placedSpan(span, context, passages);
    if (!placed) continue;
    const same = answers.get(placed.key);
    answers.set(placed.key, same ? joined(same, placed) : placed);
  }
  return [...answers.values()].sort((a, b) => b.score - a.score);
}

const joined = (answer: SpanAnswer, { score, sentences }: SpanAnswer): SpanAnswer => ({
  ...answer,
  score: logSum([answer.score, score]),
  sentences: [...new Set([...answer.sentences, ...sentences])],
});

/** Returns undefined for a span that leaves its line, or has no word. */
function placedSpan(
  { start, end, score }: AnswerSpan,
  context: ContextText,
  passages: readonly ShownPassage[],
): SpanAnswer | undefined {
  const part = context.parts.findIndex(each => each.start <= start && end <= each.end);
  const raw = context.text.slice(start, end);
  if (part < 0 || raw.includes('\n')) return undefined;
  const text = bareWords(raw);
  const sentence = sentenceAt(passages[part]!, context.parts[part]!.end, start, end);
  if (text === '' || !sentence) return undefined;
  return { text, key: normHotpot(text) || text, score, sentences: [sentence] };
}

/** Returns a span without the marks around it; a closing bracket or point of its own stays. */
const bareWords = (raw: string): string =>
  raw
    .replace(/^[^\p{L}\p{N}\p{Sc}([“"'#+−-]+/u, '')
    .replace(/[^\p{L}\p{N}\p{M}\p{Sc}.)\]”"'%°+]+$/u, '')
    .trim();

/**
 * Returns the sentence that contains most of a span; the first one for a span above the sentences,
 * which stands in the title.
 */
function sentenceAt(
  { body, sentences }: ShownPassage,
  endOfPart: number,
  start: number,
  end: number,
): ShownSentence | undefined {
  const bodyStart = endOfPart - body.length;
  if (end <= bodyStart) return sentences[0];
  let [best, most]: [ShownSentence | undefined, number] = [undefined, 0];
  for (const sentence of sentences) {
    const endsAt = bodyStart + sentence.endsAt;
    const shared = Math.min(end, endsAt) - Math.max(start, endsAt - sentence.text.length);
    if (shared > most) [best, most] = [sentence, shared];
  }
  return best;
}

/** Returns the logarithm of the sum of the exponentials. */
function logSum(scores: readonly number[]): number {
  const most = Math.max(...scores);
  return most + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - most), 0));
}
