/** Writes an answer in free form with the citations of each sentence as numbers, `[1][3]`. */
import type { Answer } from '../core/trace/trace.ts';

type Answered = Extract<Answer, { readonly kind: 'answered' }>;

/**
 * Returns the text with the numbers of its cited documents, counted from 1 in `documentIds`, before
 * the stop of each sentence and before fenced code.
 */
export function markedText(
  { text, sentences = [] }: Pick<Answered, 'text' | 'sentences'>,
  documentIds: readonly string[],
): string {
  return sentences.reduceRight((marked, { start, end, citations }) => {
    const numbers = new Set(citations.map(each => documentIds.indexOf(each.documentId) + 1));
    const marks = [...numbers].map(number => `[${number}]`).join('');
    const at = start + markPlace(text.slice(start, end));
    return marks === '' ? marked : `${marked.slice(0, at)} ${marks}${marked.slice(at)}`;
  }, text);
}

function markPlace(sentence: string): number {
  const fence = /\s*```/.exec(sentence);
  if (fence && fence.index > 0) return fence.index;
  return sentence.length - /[.!?…]?["'”’)\]]*$/.exec(sentence)![0].length;
}
