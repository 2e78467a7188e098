/** The verdict on an answer among the records, by the question and the answer's words. */
import type { Trace } from '../trace/trace.ts';
import type { Example, Records, Verdict } from './example.ts';
import { givenAnswer } from './given-answer.ts';

// Many measures look up the same list; the index goes with it.
const indexes = new WeakMap<readonly Verdict[], Map<string, Map<string, Verdict>>>();

const keyOf = (question: string, answer: string): string => JSON.stringify([question, answer]);

function indexOf(verdicts: readonly Verdict[]): Map<string, Map<string, Verdict>> {
  let byJudge = indexes.get(verdicts);
  if (byJudge) return byJudge;
  byJudge = new Map();
  for (const verdict of verdicts) {
    let ofJudge = byJudge.get(verdict.judge);
    if (!ofJudge) byJudge.set(verdict.judge, (ofJudge = new Map()));
    ofJudge.set(keyOf(verdict.question, verdict.answer), verdict);
  }
  indexes.set(verdicts, byJudge);
  return byJudge;
}

export interface JudgedAnswer {
  /**
   * What was given to the user; never asked of a judge where it is empty, because the run failed.
   */
  readonly answer: string;
  readonly verdict: Verdict | undefined;
}

/**
 * `judge`: empty for the only one. Undefined where no such judge judged anything, and for answers
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
  const byJudge = indexOf(verdicts);
  const ofJudge =
    judge === '' && byJudge.size === 1 ? [...byJudge.values()][0] : byJudge.get(judge);
  return ofJudge && { answer, verdict: ofJudge.get(keyOf(example.id, answer)) };
}

/** The words that a judge is asked about; undefined where there is nothing to judge. */
export function judgedText(example: Example, trace: Trace): string | undefined {
  return example.answers.length === 0 ? undefined : givenAnswer(trace.answer);
}
