/** Declares the options of an evaluation, and the progress that it yields. */
import type { Remedy } from '../core/errors.ts';
import type { Manifest, Trace } from '../core/trace/trace.ts';
import type { Row } from './evaluation-result.ts';
import type { Example, Measure, Records } from './example.ts';
import type { Judge } from './judge.ts';

/** The cause for which the run of a question failed. */
export interface Failure {
  /** Id of the question. */
  readonly question: string;
  readonly port: string;
  readonly code: string;
  /** Ends with the hint, if there is one. */
  readonly message: string;
  readonly hint?: string;
  readonly remedy?: Remedy;
}

export interface Progress {
  readonly row: string;
  /** Questions done, over all rows; with a judge each counts twice, asked and judged. */
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Present if the question of this step failed. */
  readonly failure?: Failure;
}

export interface EvaluateOptions {
  readonly dataset: string;
  readonly examples: readonly Example[];
  readonly rows: readonly Row[];
  /**
   * Runs a row on a question. A `PortError` counts as a failed question; anything else is passed
   * on. What a failed run found is scored, with an empty answer.
   */
  ask(row: Row, example: Example): Promise<Trace>;
  /** The number of questions that are asked side by side; 1 if missing. */
  readonly parallel?: number | undefined;
  /** The number of answers that are judged side by side; 1 if missing. */
  readonly judgedAtOnce?: number | undefined;
  readonly measures: readonly Measure[];
  /** The measures of one row, where it has fewer: a control that only answers. */
  measuresOf?(row: Row, measures: readonly Measure[]): readonly Measure[];
  /** Returns a question as a row is scored on it, where a control changes its gold answers. */
  scoredAs?(row: Row, example: Example): Example;
  readonly records: Records;
  /** Receives every trace that is scored; failed runs come last, as empty traces. */
  onScored?(row: Row, example: Example, trace: Trace): void;
  /** Judges each answer once a row has answered; its verdicts are records of the measures. */
  readonly judge?: Judge;
  /** Names of the measures whose paired differences are computed; the usual ones if missing. */
  readonly mainMeasures?: readonly string[];
  readonly manifest?: Manifest;
  readonly resamples?: number;
  readonly seed?: number;
  readonly signal?: AbortSignal;
  /** Lets the event loop run between steps of the bootstrap, which takes longest of all. */
  readonly turn?: () => Promise<void>;
}
