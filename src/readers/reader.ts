/**
 * Declares readers: a reader turns a question and its context into an answer with citations, or
 * abstains.
 */

import type { Need } from '../core/port.ts';
import type { Call } from '../core/trace/call.ts';
import type { Answer, ContextText, Evidence, Question } from '../core/trace/trace.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { INSUFFICIENT } from '../models/short-answer.ts';
import type { Kit } from '../strategies/strategy.ts';

/**
 * Turns a question and its context into an answer with citations, or abstains.
 *
 * @example
 * ```ts
 * import { ask, ingest, type Reader } from 'multihop';
 *
 * const firstTitle: Reader = {
 *   name: 'first-title',
 *   async read(_question, _context, evidence) {
 *     const first = evidence[0];
 *     if (!first) return { kind: 'abstained', reason: 'no evidence' };
 *     return { kind: 'evidence', text: first.title, citations: [] };
 *   },
 * };
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * console.log((await ask('Who built the engine?', { engine, reader: firstTitle })).answer);
 * ```
 */
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
  /**
   * Returns the value of an answer whose reader has a schema: no draft of a strategy and no other
   * reader answers in its place.
   */
  typed?(answer: Answer): Promise<unknown>;
  /** Reads the answer. Cites only evidence; abstains without evidence. */
  read(
    question: Question,
    context: ContextText,
    evidence: readonly Evidence[],
    kit: Kit,
    call: Call,
  ): Promise<Answer>;
}

/** A question with the evidence that is shown for it, of which the engine holds the documents. */
export interface ShownEvidence {
  readonly question: Pick<Question, 'text'>;
  readonly context: ContextText;
  readonly evidence: readonly Evidence[];
  readonly kit: Pick<Kit, 'engine'>;
  readonly call: Call;
}

/** The arguments of `Reader.read`. */
export interface Reading extends ShownEvidence {
  readonly question: Question;
  readonly kit: Kit;
}

/** Returns a reader that abstains without evidence. */
export const readerOf = (
  name: string,
  read: (reading: Reading) => Promise<Answer>,
  declared: Pick<Reader, 'needs' | 'modelCalls'> = {},
): Reader => ({
  name,
  ...declared,
  async read(question, context, evidence, kit, call) {
    if (evidence.length === 0) return { kind: 'abstained', reason: INSUFFICIENT, support: 0 };
    return read({ question, context, evidence, kit, call });
  },
});

export { INSUFFICIENT };
