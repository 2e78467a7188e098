/**
 * Finds the citations of an answer that a strategy drafted: sentences of its evidence that contain
 * the answer's or the thoughts' words.
 */
import { foldWhitespaceAndPunctuation, isBlank, normHotpot } from '../core/text/normalise.ts';
import { sentenceSpans } from '../core/text/sentences.ts';
import type { Citation } from '../core/trace/trace.ts';
import { contentWords, sentenceSupport } from '../language/english/words/content-words.ts';
import type { Paragraph } from './paragraphs.ts';

export interface Draft {
  readonly question: string;
  /** Sentences of the draft that state facts, in order. */
  readonly thoughts: readonly string[];
  readonly answer: string;
  /** The evidence. */
  readonly paragraphs: readonly Paragraph[];
}

const MAX_CITATIONS = 4;
const MAX_ANSWER_CITATIONS = 2;
/**
 * Least weighted share of a thought's words that a sentence must contain to support it; a title
 * that the thought names counts with its sentences.
 */
const SUPPORT = 0.5;

/**
 * Returns first the sentences that contain the answer and share most with the question and the
 * thoughts, then for each thought, the last first, the sentence that supports it best. Returns an
 * empty list if the answer is not supported: no sentence contains it, or, for yes and no, none
 * supports any thought.
 */
export function draftCitations({ question, thoughts, answer, paragraphs }: Draft): Citation[] {
  const sentences = paragraphs.flatMap(sentencesOf);
  const texts = sentences.map(({ withTitle }) => withTitle);
  // A sentence must share words besides the answer, which may occur by chance.
  const around = [
    ...contentWords([question, ...thoughts].join(' ')).difference(contentWords(answer)),
  ].join(' ');
  const holders = holdersOf(answer, sentences, sentenceSupport(around, texts));
  const yesOrNo = /^(?:yes|no)$/.test(normHotpot(answer));
  if (holders.length === 0 && !yesOrNo) return [];
  const cited = new Set(yesOrNo ? [] : holders.slice(0, MAX_ANSWER_CITATIONS));
  for (const thought of thoughts.toReversed()) {
    if (cited.size >= MAX_CITATIONS) break;
    const best = bestOf(sentenceSupport(thought, texts));
    if (best !== undefined) cited.add(best);
  }
  return [...cited].map(index => sentences[index]!.citation);
}

interface Sentence {
  readonly citation: Citation;
  readonly text: string;
  readonly withTitle: string;
}

function sentencesOf({ id, documentId, title, text, start: from }: Paragraph): Sentence[] {
  return sentenceSpans(text).map(([start, end]) => ({
    citation: { id, documentId, start: from + start, end: from + end },
    text: text.slice(start, end),
    withTitle: `${title} ${text.slice(start, end)}`,
  }));
}

/**
 * Returns the sentences that contain the answer as whole words, ignoring case and punctuation; the
 * best supported first.
 */
function holdersOf(
  answer: string,
  sentences: readonly Sentence[],
  support: readonly number[],
): number[] {
  const foldedAnswer = foldWhitespaceAndPunctuation(answer.toLowerCase());
  // An answer of stop words occurs everywhere.
  if (isBlank(foldedAnswer) || (contentWords(answer).size === 0 && !/\d/.test(answer))) return [];
  return [...sentences.keys()]
    .filter(
      index =>
        support[index]! > 0 &&
        foldWhitespaceAndPunctuation(sentences[index]!.text.toLowerCase()).includes(foldedAnswer),
    )
    .sort((a, b) => support[b]! - support[a]! || a - b);
}

function bestOf(support: readonly number[]): number | undefined {
  const best = support.reduce<number | undefined>(
    (top, value, index) => (value > (support[top ?? -1] ?? 0) ? index : top),
    undefined,
  );
  return best !== undefined && support[best]! >= SUPPORT ? best : undefined;
}
