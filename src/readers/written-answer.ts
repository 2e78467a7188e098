/**
 * Reads an answer in free form, whose sentences cite passages by number, and checks each citation
 * against what was shown.
 */

import { defined } from '../core/defined.ts';
import type { CitedSentence } from '../core/trace/answer.ts';
import type { Citation } from '../core/trace/trace.ts';
import { INSUFFICIENT, saysInsufficient } from '../models/short-answer.ts';
import { withoutThinking } from '../models/thoughts.ts';
import { withoutPhrases } from './citation-marks.ts';
import { citedText, type NumberedSentence } from './cited-sentences.ts';
import { type Answered, abstained, orNone } from './draft.ts';
import {
  isStated,
  namesPassagesAlone,
  nothingCited,
  ONLY_NUMBERS,
  UNREADABLE,
} from './generative-answer.ts';
import type { PromptForm } from './generative-prompt.ts';
import { groundsOf, type Prompted } from './grounds.ts';
import type { LexicalSupport } from './lexical-support.ts';
import type { ShownPassage } from './shown-passages.ts';

/** Longest completion of a written answer, in tokens; models that think first need room. */
export const WRITTEN_TOKENS = 1024;
/** Greatest length of an answer that is read, in UTF-16 units. */
const LONGEST_WRITTEN = 20_000;

/** Asks for an answer in free form. */
export const WRITTEN_FORM: PromptForm = {
  rules: () =>
    `Answer the question from the passages alone, in the language of the question and in as few sentences as it takes. End every sentence with the numbers of the passages that state it, in brackets: [2] or [1][3]. If the passages do not contain the answer, reply exactly "${INSUFFICIENT}" and nothing else.`,
  reply: '',
  maxTokens: WRITTEN_TOKENS,
};

/** Returns an abstention, or the answer with the citations of each sentence. */
export function readWritten(output: string, prompted: Prompted): Answered {
  const written = withoutThinking(output).slice(0, LONGEST_WRITTEN).toWellFormed().trim();
  if (written === '') return abstained(UNREADABLE);
  const byNumber = Map.groupBy(prompted.passages, ({ number }) => number ?? 0);
  const shown = new Set(byNumber.keys());
  const { text, sentences } = citedText(written, shown);
  if (namesPassagesAlone(text, prompted.question.text, shown)) return abstained(ONLY_NUMBERS);
  const cited = sentences.flatMap(({ numbers }) =>
    numbers.flatMap(each => byNumber.get(each) ?? []),
  );
  const isNone = saysInsufficient(text) || /^insufficient information\b/i.test(text);
  if (isNone && !isStated(text, prompted.question.text, cited)) return abstained();
  const checked = sentences.map(sentence => checkSentence(text, sentence, byNumber, prompted));
  const citations = distinct(checked.flatMap(each => each.citations));
  const numbers = new Set(sentences.flatMap(sentence => sentence.numbers));
  const dropped = [...numbers].filter(number => !byNumber.has(number)).sort((a, b) => a - b);
  if (citations.length === 0 && prompted.uncited === 'withhold') return nothingCited(text, dropped);
  return defined({
    kind: 'answered',
    text,
    citations,
    support: checked.reduce((sum, each) => sum + each.support, 0) / checked.length,
    sentences: checked.map(({ start, end, citations }) => ({ start, end, citations })),
    unsupported: orNone(checked.flatMap(each => each.unsupported)),
    dropped: orNone(dropped),
  });
}

/**
 * A sentence that cites nothing shown is cited by what holds it word for word; without that it is
 * unsupported as a whole.
 */
function checkSentence(
  text: string,
  { start, end, numbers }: NumberedSentence,
  byNumber: ReadonlyMap<number, readonly ShownPassage[]>,
  prompted: Prompted,
): CitedSentence & LexicalSupport {
  const sentence = withoutPhrases(text.slice(start, end));
  const groups = numbers.map(number => byNumber.get(number) ?? []);
  const { citations, support, unsupported } = groundsOf(sentence, groups, prompted);
  return { start, end, citations: distinct(citations), support, unsupported };
}

export const distinct = (citations: readonly Citation[]): Citation[] => [
  ...new Map(citations.map(each => [`${each.start} ${each.end} ${each.id}`, each])).values(),
];
