/** The citation check: a citation stands only if it points into the evidence of this very trace. */
import { INSUFFICIENT, saysInsufficient } from '../planning/short-answer.ts';
import type { Answer, Citation, ContextText, End, Evidence, Question } from '../trace/trace.ts';
import { lexicalSupport } from './lexical-support.ts';

/** The citations that point to an item of the evidence and into one of its spans. */
export function checkedCitations(
  citations: readonly Citation[],
  evidence: readonly Evidence[],
): Citation[] {
  const byId = new Map(evidence.map(item => [item.id, item]));
  return citations.filter(({ id, documentId, start, end }) => {
    const item = byId.get(id);
    return (
      item !== undefined &&
      item.documentId === documentId &&
      start < end &&
      item.spans.some(span => span[0] <= start && end <= span[1])
    );
  });
}

/**
 * A reader's answer with the citations that stand. An answer that cites, and nothing of it stands,
 * is withheld.
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
  if (answer.kind === 'evidence' || citations.length > 0 || answer.citations.length === 0)
    return { ...answer, citations };
  const { support, unread } = answer;
  const rest = {
    ...(support === undefined ? {} : { support }),
    ...(unread === undefined ? {} : { unread }),
  };
  return {
    kind: 'abstained',
    reason: 'The answer cites nothing in the evidence',
    ...rest,
    withheld: { text: answer.text, citations },
  };
}

/**
 * The answer that a strategy drafted itself, checked as a reader's is: undefined where it cites
 * nothing that stands, an abstention where it says that there is no answer, and marked where what
 * it cites does not hold it. `textOf`: the text of a document, for the cited words, which the
 * context may not show.
 */
export function checkedDraft(
  { text, citations: given }: NonNullable<End['draft']>,
  question: Question,
  evidence: readonly Evidence[],
  context: ContextText,
  textOf: (documentId: string) => string,
): Answer | undefined {
  if (text.trim() === '') return undefined;
  if (saysInsufficient(text)) return { kind: 'abstained', reason: INSUFFICIENT };
  const citations = checkedCitations(given, evidence);
  if (citations.length === 0) return undefined;
  const passages = citations.map(({ documentId, start, end }) => {
    const part = context.parts.find(each => each.documentId === documentId);
    // The context may be shorter than what the strategy read: the cited words count beside what it
    // shows.
    return `${part ? context.text.slice(part.start, part.end) : ''}\n${textOf(documentId).slice(start, end)}`;
  });
  const { unsupported } = lexicalSupport(text, question.text, passages);
  return { kind: 'answered', text, citations, ...(unsupported.length > 0 ? { unsupported } : {}) };
}
