/** Finds the verdict on an answer, by the question and the answer's words. */
import type { Trace } from '../core/trace/trace.ts';
import type { Example, Records, Verdict, VerdictLookup } from './example.ts';
import { givenAnswer } from './given-answer.ts';

const keyOf = (question: string, answer: string): string => JSON.stringify([question, answer]);

/** Indexes verdicts by judge, question and answer; the last of equal ones counts. */
export function verdictLookup(all: readonly Verdict[]): VerdictLookup {
  const byJudge = new Map<string, Map<string, Verdict>>();
  for (const verdict of all) {
    let ofJudge = byJudge.get(verdict.judge);
    if (!ofJudge) byJudge.set(verdict.judge, (ofJudge = new Map()));
    ofJudge.set(keyOf(verdict.question, verdict.answer), verdict);
  }
  return {
    all,
    of(judge) {
      const ofJudge =
        judge === '' && byJudge.size === 1 ? [...byJudge.values()][0] : byJudge.get(judge);
      return ofJudge && ((question, answer) => ofJudge.get(keyOf(question, answer)));
    },
  };
}

export interface JudgedAnswer {
  /**
   * Returns the answer that the user receives. A judge is never asked about an empty answer, which
   * stands for a failed run.
   */
  readonly answer: string;
  readonly verdict: Verdict | undefined;
}

/**
 * `judge`: empty for the only judge. Undefined where no such judge judged anything, and for answers
 * that are none (evidence alone, no gold).
 */
export function judgedAnswer(
  judge: string,
  example: Example,
  trace: Trace,
  { verdicts }: Records,
): JudgedAnswer | undefined {
  const answer = judgedText(example, trace);
  if (!verdicts || answer === undefined) return undefined;
  const find = verdicts.of(judge);
  return find && { answer, verdict: find(example.id, answer) };
}

/** The words that a judge is asked about; undefined where there is nothing to judge. */
export function judgedText(example: Example, trace: Trace): string | undefined {
  return example.answers.length === 0 ? undefined : givenAnswer(trace.answer);
}
