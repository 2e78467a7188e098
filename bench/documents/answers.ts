/** Judges the answers of a reader to questions over documents, and prints how often they hold. */
import { reliabilityOf, shownAt } from '../../lab/learning/answer-probability/reliability.ts';
import { ANSWER_AT } from '../../lab/results/reports/documents.ts';
import type { Answer, Confidence } from '../../src/core/trace/answer.ts';
import { type DocumentQuestion, isRight } from './questions.ts';

/** An answer, whatever its probability; none has no text. */
export interface Judged {
  readonly question: DocumentQuestion;
  readonly text?: string | undefined;
  readonly probability: number;
  readonly confidence?: Confidence | undefined;
  readonly right: boolean;
}

/** Judges an answer, given or withheld; one without a probability counts by its support. */
export function judged(question: DocumentQuestion, answer: Answer | undefined): Judged {
  const none = answer === undefined || answer.kind === 'evidence';
  const text = none || answer.kind === 'answered' ? answer?.text : answer.withheld?.text;
  return {
    question,
    text,
    probability: (none || text === undefined ? 0 : (answer.probability ?? answer.support)) ?? 0,
    confidence: none ? undefined : answer.confidence,
    right: text !== undefined && isRight(text, question),
  };
}

/** Prints what is shown by default, what is best at any probability, and the reliability. */
export function linesOf(label: string, answers: readonly Judged[]): string[] {
  const of = (kind: string): readonly Judged[] =>
    answers.filter(({ question }) => question.kind === kind);
  const shown = answers.filter(({ probability }) => probability >= ANSWER_AT);
  const right = shown.filter(each => each.right);
  const unanswerable = shown.filter(({ question }) => question.kind === 'unanswerable');
  const oneHop = right.filter(({ question }) => question.kind === 'one-hop');
  const found = answers.filter(({ text }) => text !== undefined);
  const stated = found.map(each => ({ ...each, domain: label }));
  const { error, bins } = reliabilityOf(stated);
  const atHalf = shownAt(stated, 0.5);
  return [
    `${label}: ${answers.length} questions; shown from ${ANSWER_AT} on ${shown.length}, ${right.length} right, ${shown.length - right.length} wrong; ${unanswerable.length} of ${of('unanswerable').length} unanswerable; one-hop ${oneHop.length} right of ${of('one-hop').length}`,
    `  from 0.5 on ${atHalf.answers}, ${percent(atHalf.right)} right; at any probability ${found.length}, ${found.filter(each => each.right).length} right; calibration error ${percent(error)}`,
    `  said/right (answers): ${bins.map(bin => `${percent(bin.said)}/${percent(bin.right)} (${bin.answers})`).join(', ')}`,
  ];
}

const percent = (share: number): string => `${(100 * share).toFixed(0)}`;
