/**
 * Declares the result of an evaluation: the object that `eval --json` prints and reports read, and
 * the scores behind it.
 */
import type { Manifest, Trace } from '../core/trace/trace.ts';
import type { Budget } from '../core/trace/usage.ts';
import type { Score, Verdict } from './example.ts';
import type { GroupSizes } from './groups.ts';

/** One system under test, by canonical names. */
export interface Row {
  readonly id: string;
  readonly strategy: string;
  readonly retriever: string;
  readonly context: string;
  readonly reader: string;
  readonly budget: Budget;
  /** True if rules do the work of the strategy's language model, as the evaluation has none. */
  readonly rules?: true;
  /** Present if the row is a control of another row. */
  readonly control?: ControlOf;
}

/** Describes a row that repeats another one under a control. */
export interface ControlOf {
  /** Canonical name of the answer control; `own-evidence` for the row that it is compared with. */
  readonly name: string;
  /** Id of the row that it repeats. */
  readonly of: string;
}

export interface Estimate {
  readonly mean: number;
  /** 95 % interval over resampled questions. */
  readonly low: number;
  readonly high: number;
  /** 95 % interval over resampled clusters; missing if questions share no gold article. */
  readonly clustered?: { readonly low: number; readonly high: number };
  readonly n: number;
}

/** Measure names to values; a measure without a value here has no key. Shares are from 0 to 1. */
export type Values = Readonly<Record<string, number>>;

export interface RowResult extends Row {
  readonly measures: Readonly<Record<string, Estimate>>;
  readonly byType: Readonly<Record<string, Values>>;
  /** By number of distinct gold documents; null questions have none and stand in `byType` alone. */
  readonly byEvidence: Readonly<Record<string, Values>>;
  /** Questions whose run failed; their answers are scored as empty, their evidence as found. */
  readonly failed: number;
}

export interface Pair {
  readonly a: string;
  readonly b: string;
  readonly measure: string;
  /** A - B. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly shareAGreater: number;
}

/** Sums up a control of a row: the questions that it treats, and what a comparison shows. */
export interface ControlSummary extends ControlOf {
  /** Questions of the data set, those with a treatment, and those by the rule of it. */
  readonly questions: number;
  readonly treated: number;
  readonly rules: Readonly<Record<string, number>>;
  /** `EvidenceReliance` or `FollowsEdit`, over all questions and by type. */
  readonly figures: Readonly<Record<string, ControlFigure>>;
}

/** A figure over all questions and by type. */
export interface ControlFigure {
  readonly all: Estimate;
  readonly byType: Readonly<Record<string, Estimate>>;
}

/** Cost of one search by a retriever on the machine that ran it, models asked anew. */
export interface RetrieverCost {
  /** Canonical. */
  readonly retriever: string;
  /** Searches that were timed. */
  readonly questions: number;
  /** Wall time of a search. */
  readonly milliseconds: { readonly mean: number; readonly p50: number; readonly p95: number };
  /** Processor time of a search, over all threads. */
  readonly cpuMilliseconds: number;
  /**
   * Heap, buffers and kernel memory in use for it after a collection, beyond the documents; of a
   * local model its tokenizer, not its weights.
   */
  readonly heapBytes: number;
  /** By how much the process grew, models included; only where it opened this retriever alone. */
  readonly residentBytes?: number;
}

/** The object that `eval --json` prints. */
export interface EvaluationResult {
  readonly dataset: string;
  readonly questions: number;
  /** Number of questions of each group. */
  readonly groups: GroupSizes;
  readonly rows: readonly RowResult[];
  readonly pairs: readonly Pair[];
  /** Present if `--control` named controls that repeat rows. */
  readonly controls?: readonly ControlSummary[];
  /** Present with `--cost`. */
  readonly costs?: readonly RetrieverCost[];
  readonly manifest: Manifest;
}

/**
 * Scores of single questions, for the store of results: `scores[row][measure]` is one score a
 * question, undefined where it has none.
 */
export type Scores = Readonly<
  Record<string, Readonly<Record<string, readonly (Score | undefined)[]>>>
>;

/** Answer of a row to a question, for the abstention curve. */
export interface Outcome {
  readonly answer: Trace['answer'];
  readonly predictedType?: string;
  readonly failed: boolean;
}

export interface Evaluation {
  readonly result: EvaluationResult;
  readonly scores: Scores;
  readonly outcomes: Readonly<Record<string, readonly Outcome[]>>;
  /** Verdicts of the judge, if any, in the order in which they were asked for. */
  readonly verdicts?: readonly Verdict[];
}
