/** Declares the port of extractive question answering models: they find answers in a given text. */
import type { Call } from '../core/trace/call.ts';

/** A span of the text: offsets in UTF-16 units, and its score. */
export interface AnswerSpan {
  readonly start: number;
  readonly end: number;
  /** A logit: the sum of the model's scores of start and end. */
  readonly score: number;
}

export interface AnswerSpans {
  /** Distinct, not empty, best first; none if the text is empty. */
  readonly spans: readonly AnswerSpan[];
  /** Score of the text holding no answer, on the scale of the spans' scores. */
  readonly none: number;
}

export interface QuestionAnswerer {
  readonly id: string;
  /**
   * Returns the best spans of the text as answers to the question. Deterministic: the spans depend
   * on question and text alone. Throws `PortError` for faults of the environment.
   */
  answer(question: string, text: string, call: Call): Promise<AnswerSpans>;
}
