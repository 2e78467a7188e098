/** Declares the result of splitting a question, with its origin. */
import type { ModelOutput } from '../../core/trace/trace.ts';

export type SplitBy = 'model' | 'clauses' | 'replayed';

export interface SubQuestionPlan {
  /** Sub-questions in order, at least one. `#1` refers to the answer of the first. */
  readonly questions: readonly string[];
  /** Recorded answers by position. */
  readonly answers?: readonly (string | undefined)[];
  /** Outputs of a model, and notes if the sub-questions do not come from the requested source. */
  readonly outputs: readonly ModelOutput[];
}
