/**
 * Declares answer controls: each takes something away from a row, so that the difference shows what
 * its answers rest on.
 */

import { mulberry32 } from '../../core/mulberry32.ts';
import type { Evidence, Trace } from '../../core/trace/trace.ts';
import type { OpenHop } from '../../strategies/strategy.ts';
import type { Example, Records } from '../example.ts';

/** A question with what a row found for it and showed to its reader. */
export interface OwnRun {
  readonly example: Example;
  readonly evidence: readonly Pick<Evidence, 'documentId' | 'title' | 'metadata'>[];
  readonly context: Pick<Trace['context'], 'text' | 'parts'>;
  /** Its evidence hop by hop, without the hits of searches. */
  readonly hops: readonly OpenHop[];
}

/** A replacement of a span of a document's text. */
export interface Edit {
  readonly documentId: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A control's change of one question; `rule` names the rule that chose it. */
export type Treatment =
  /** The answer is given without reading. */
  | { readonly kind: 'says'; readonly rule: string; readonly text: string }
  /** The reader gets the evidence of another question, by its index. */
  | { readonly kind: 'swapped'; readonly rule: string; readonly from: number }
  /** The reader gets the same evidence with edited texts and titles, and gold changes. */
  | {
      readonly kind: 'edited';
      readonly rule: string;
      readonly edits: readonly Edit[];
      /** New titles by document. */
      readonly titles: Readonly<Record<string, string>>;
      readonly answers: readonly string[];
    };

export interface AnswerControl {
  /** Canonical name. */
  readonly name: string;
  /** `questions`: answers from the questions alone. `rows`: repeats each row of an evaluation. */
  readonly over: 'questions' | 'rows';
  /** True to repeat a row with its reader as given too, abstention included. */
  readonly asGiven?: boolean;
  /**
   * Returns one treatment a question, in order; undefined for a question that it cannot treat.
   * Deterministic. For a control over questions, `runs` have no evidence.
   */
  treat(runs: readonly OwnRun[], records: Records): (Treatment | undefined)[];
}

/** Returns the random stream of one question: the same whichever questions stand beside it. */
export function streamOf(seed: number, { id }: Example): () => number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return mulberry32((hash ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0);
}

/** Returns one of the things. */
export const pick = <T>(things: readonly T[], random: () => number): T | undefined =>
  things[Math.floor(random() * things.length)];

/** Declares the seed of a control. */
export const SEED_PARAMETER = {
  name: 'seed',
  type: 'integer',
  default: 1,
  min: 0,
  summary: 'seed of the choice',
} as const;
