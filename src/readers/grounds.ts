/** Finds what a text of a language model rests on among the passages that it was shown. */
import type { Citation, Evidence, Question } from '../core/trace/trace.ts';
import { sentenceSupport } from '../language/english/words/content-words.ts';
import { type LexicalSupport, lexicalSupport } from './lexical-support.ts';
import { citationOf, type PlacedSentence, type ShownPassage } from './shown-passages.ts';
import { heldWordForWord } from './word-for-word.ts';

/** The question and the passages that an output of the model answers from. */
export interface Prompted {
  readonly question: Question;
  /** Passages that the prompt showed, numbered from 1. */
  readonly passages: readonly ShownPassage[];
  readonly evidence: readonly Evidence[];
  /** Treatment of an answer without a valid citation. */
  readonly uncited: 'withhold' | 'mark';
}

export interface Grounds extends LexicalSupport {
  readonly citations: readonly Citation[];
}

/**
 * Cites a sentence of each group of passages that a text names. If they hold none of its words, or
 * it names none, the sentence that holds it word for word is cited instead: a model that answers
 * right may miscount.
 */
export function groundsOf(
  text: string,
  groups: readonly (readonly ShownPassage[])[],
  { question, passages, evidence }: Prompted,
): Grounds {
  const named = groups.flatMap(group => {
    const sentences = group.flatMap(passage => passage.sentences);
    return bestSentence(text, question.text, sentences, evidence);
  });
  const supportOf = (shown: readonly ShownPassage[]): LexicalSupport =>
    lexicalSupport(text, question.text, shown.map(shownText));
  const byNames = supportOf(named.length > 0 ? groups.flat() : []);
  if (byNames.support > 0) return { citations: named, ...byNames };
  const held = heldWordForWord(text, question.text, passages, evidence);
  if (held.length === 0) return { citations: named, ...byNames };
  return {
    citations: held.map(({ citation }) => citation),
    ...supportOf(held.map(({ passage }) => passage)),
  };
}

export const shownText = ({ head, body }: ShownPassage): string => `${head}\n${body}`;

/**
 * Cites the shown sentence that contains most of the answer; ties are broken by the share of the
 * question, then by position.
 */
function bestSentence(
  answer: string,
  question: string,
  sentences: readonly PlacedSentence[],
  evidence: readonly Evidence[],
): Citation[] {
  const texts = sentences.map(({ text }) => text);
  const [byAnswer, byQuestion] = [sentenceSupport(answer, texts), sentenceSupport(question, texts)];
  const order = [...sentences.keys()].sort(
    (a, b) => byAnswer[b]! - byAnswer[a]! || byQuestion[b]! - byQuestion[a]! || a - b,
  );
  const best = sentences[order[0] ?? -1];
  const citation = best && citationOf(best, evidence);
  return citation ? [citation] : [];
}
