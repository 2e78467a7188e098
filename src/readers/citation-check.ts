/** Checks citations: a citation is valid if it points into the evidence of the same trace. */

import { defined } from '../core/defined.ts';
import { citesEvidence } from '../core/trace/citation.ts';
import type {
  Answer,
  Citation,
  ContextText,
  End,
  Evidence,
  Question,
} from '../core/trace/trace.ts';
import { INSUFFICIENT, saysInsufficient } from '../models/short-answer.ts';
import { NOTHING_CITED, orNone } from './draft.ts';
import { lexicalSupport } from './lexical-support.ts';

/** Returns the citations that point into a span of an evidence item. */
export function checkedCitations(
  citations: readonly Citation[],
  evidence: readonly Evidence[],
): Citation[] {
  return citations.filter(citation => citesEvidence(citation, evidence));
}

/**
 * Returns a reader's answer with its valid citations only. Withholds an answer that cites and has
 * no valid citation.
 */
export function checkedAnswer(answer: Answer, evidence: readonly Evidence[]): Answer {
  if (answer.kind === 'abstained') {
    const { withheld } = answer;
    return withheld
      ? {
          ...answer,
          withheld: { ...withheld, citations: checkedCitations(withheld.citations, evidence) },
        }
      : answer;
  }
  const citations = checkedCitations(answer.citations, evidence);
  if (answer.kind === 'evidence') return { ...answer, citations };
  if (citations.length > 0 || answer.citations.length === 0)
    return defined({
      ...answer,
      citations,
      sentences: answer.sentences?.map(sentence => ({
        ...sentence,
        citations: checkedCitations(sentence.citations, evidence),
      })),
      fields: answer.fields?.map(field => ({
        ...field,
        citations: checkedCitations(field.citations, evidence),
      })),
    });
  return defined({
    kind: 'abstained',
    reason: NOTHING_CITED,
    support: answer.support,
    unread: answer.unread,
    cut: answer.cut,
    withheld: { text: answer.text, citations },
  });
}

/**
 * Checks the answer that a strategy drafted as a reader's is checked. Returns undefined if it has
 * no valid citation, an abstention if it is a refusal, and an answer marked `unsupported` if the
 * cited text does not support it. `textOf` returns the text of a document, because the context may
 * not show the cited text.
 */
export function checkedDraft(
  { text, citations: drafted }: NonNullable<End['draft']>,
  question: Question,
  evidence: readonly Evidence[],
  context: ContextText,
  textOf: (documentId: string) => string,
): Answer | undefined {
  if (text.trim() === '') return undefined;
  if (saysInsufficient(text)) return { kind: 'abstained', reason: INSUFFICIENT };
  const citations = checkedCitations(drafted, evidence);
  if (citations.length === 0) return undefined;
  const passages = citations.map(({ documentId, start, end }) => {
    const part = context.parts.find(each => each.documentId === documentId);
    // The context may show less than the strategy read: the cited text counts besides.
    return `${part ? context.text.slice(part.start, part.end) : ''}\n${textOf(documentId).slice(start, end)}`;
  });
  const { unsupported } = lexicalSupport(text, question.text, passages);
  return defined({ kind: 'answered', text, citations, unsupported: orNone(unsupported) });
}
