/** What a question was split into, and by whom. */
import type { ModelOutput } from '../../trace/trace.ts';

export type SplitBy = 'model' | 'clauses' | 'replayed';

export interface SubQuestionPlan {
  /** In the order of asking; at least one. `#1` in one is the answer of the first. */
  readonly questions: readonly string[];
  /** Recorded answers, by position. */
  readonly answers?: readonly (string | undefined)[];
  /**
   * Who wrote them, what a model said on the way, and why they are not by the one that was asked.
   */
  readonly said: readonly ModelOutput[];
}
