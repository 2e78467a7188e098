/** Says to a person or a model what became of a follow-up, the same on every way to ask. */
import type { FollowUp } from '../core/trace/trace.ts';

export const AS_IT_STANDS = 'Asked as it stands: ';
export const QUESTION_ASKED = 'Question asked: ';

/** Words with what stands behind them. */
export interface FollowUpWords {
  readonly head: typeof AS_IT_STANDS | typeof QUESTION_ASKED;
  readonly said: string;
}

/** Returns undefined for a question that is asked as it was written, without doubt. */
export function followUpWords(
  text: string,
  followUp: Pick<FollowUp, 'asked' | 'unsure'> | undefined,
): FollowUpWords | undefined {
  if (followUp?.unsure !== undefined) return { head: AS_IT_STANDS, said: followUp.unsure };
  if (followUp === undefined || text === followUp.asked) return undefined;
  return { head: QUESTION_ASKED, said: text };
}
