/**
 * Declares readers: a reader turns a question and its context into an answer with citations, or
 * abstains.
 */
import type { PlannedCalls } from '../models/planned-calls.ts';
import type { Need } from '../models/port.ts';
import type { Kit } from '../strategies/strategy.ts';
import type { Call } from '../trace/call.ts';
import type { Answer, ContextText, Evidence, Question } from '../trace/trace.ts';

export interface Reader {
  /** Canonical name. */
  readonly name: string;
  /** Resources that the kit provides, computed from its settings. */
  readonly needs?: readonly Need[];
  /**
   * Planned calls of a language model for one question, by role, at most and expected; see
   * `Strategy.modelCalls`.
   */
  readonly modelCalls?: readonly PlannedCalls[];
  /** Reads the answer. Cites only evidence; abstains without evidence. */
  read(
    question: Question,
    context: ContextText,
    evidence: readonly Evidence[],
    kit: Kit,
    call: Call,
  ): Promise<Answer>;
}

export { INSUFFICIENT } from '../planning/short-answer.ts';
