/**
 * What an answer that a strategy reasoned out rests on: sentences of its evidence, found by their
 * words; nothing is cited that does not say it.
 */
import { foldWhitespaceAndPunctuation, isBlank, normHotpot } from '../text/normalise.ts';
import { contentWords, sentenceSupport } from '../text/sentence-support.ts';
import { sentenceSpans } from '../text/sentences.ts';
import type { Citation } from '../trace/trace.ts';
import type { Paragraph } from './paragraphs.ts';

export interface Draft {
  readonly question: string;
  /** The sentences that state facts, in order. */
  readonly thoughts: readonly string[];
  readonly answer: string;
  /** The evidence. */
  readonly paragraphs: readonly Paragraph[];
}

const CITATIONS_AT_MOST = 4;
const OF_ANSWER_AT_MOST = 2;
/**
 * A thought rests on a sentence that holds so much of its words, by weight; a title that the
 * thought names counts with its sentences.
 */
const SUPPORT = 0.5;

/**
 * First the sentences that hold the answer itself and share most with the question and the
 * thoughts, then for each thought, the last first, the sentence that supports it best. Empty where
 * the answer is not supported: no sentence holds it, or, for yes and no, none supports any thought.
 */
export function draftCitations({ question, thoughts, answer, paragraphs }: Draft): Citation[] {
  const sentences = paragraphs.flatMap(sentencesOf);
  const texts = sentences.map(({ withTitle }) => withTitle);
  // What a sentence must share beside the answer: the answer alone may stand anywhere.
  const around = [
    ...contentWords([question, ...thoughts].join(' ')).difference(contentWords(answer)),
  ].join(' ');
  const holders = holdersOf(answer, sentences, sentenceSupport(around, texts));
  const yesOrNo = /^(?:yes|no)$/.test(normHotpot(answer));
  if (holders.length === 0 && !yesOrNo) return [];
  const cited = new Set(yesOrNo ? [] : holders.slice(0, OF_ANSWER_AT_MOST));
  for (const thought of thoughts.toReversed()) {
    if (cited.size >= CITATIONS_AT_MOST) break;
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
 * The sentences in which the answer stands, whole words, case and punctuation aside; those of most
 * support first.
 */
function holdersOf(
  answer: string,
  sentences: readonly Sentence[],
  support: readonly number[],
): number[] {
  const wanted = foldWhitespaceAndPunctuation(answer.toLowerCase());
  // "the" stands everywhere and says nothing.
  if (isBlank(wanted) || (contentWords(answer).size === 0 && !/\d/.test(answer))) return [];
  return [...sentences.keys()]
    .filter(
      index =>
        support[index]! > 0 &&
        foldWhitespaceAndPunctuation(sentences[index]!.text.toLowerCase()).includes(wanted),
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
