/** Finds the shown sentence that holds an answer word for word, where the answer cites nothing. */

import { foldWhitespaceAndPunctuation, isBlank } from '../core/text/normalise.ts';
import type { Citation, Evidence } from '../core/trace/trace.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import { supportedBySentence, unitsApart } from './lexical-support.ts';
import { citationOf, type PlacedSentence, type ShownPassage } from './shown-passages.ts';

/**
 * Returns the sentence that supports the answer, the one that shares most with the question, the
 * first of equals; none if no sentence holds what the answer adds to the question. Those that share
 * no word with the question count for names of two words alone: one word may occur anywhere.
 */
export function heldWordForWord(
  answer: string,
  question: string,
  passages: readonly ShownPassage[],
  evidence: readonly Evidence[],
): readonly { readonly passage: ShownPassage; readonly citation: Citation }[] {
  const sentences = passages.flatMap(passage =>
    passage.sentences.map((sentence): Placed => ({ passage, sentence })),
  );
  const texts = sentences.map(({ passage, sentence }) => `${passage.head} ${sentence.text}`);
  const share = sentenceSupport(question, texts);
  const isName = (answer.match(/(?<![\p{L}\p{N}])[\p{Lu}\p{N}]/gu)?.length ?? 0) > 1;
  const holders = [...sentences.keys()].filter(
    at =>
      (isName || share[at]! > 0) &&
      holds(sentences[at]!.sentence.text, texts[at]!, answer, question),
  );
  const [best] = holders.sort((a, b) => share[b]! - share[a]! || a - b);
  if (best === undefined) return [];
  const { passage, sentence } = sentences[best]!;
  const citation = citationOf(sentence, evidence);
  return citation ? [{ passage, citation }] : [];
}

interface Placed {
  readonly passage: ShownPassage;
  readonly sentence: PlacedSentence;
}

/** Compares by words, or, for scripts that write none apart, by the text itself. */
function holds(sentence: string, withHead: string, answer: string, question: string): boolean {
  const said = foldWhitespaceAndPunctuation(unitsApart(answer).toLowerCase());
  const text = foldWhitespaceAndPunctuation(unitsApart(sentence).toLowerCase());
  if (isBlank(said)) return false;
  if (NO_SPACES.test(said) && text.includes(said.trim())) return true;
  return supportedBySentence(answer, question, withHead);
}

const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
