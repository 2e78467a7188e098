/** The shape of a report: its evaluations as rows and measures, and its sections as blocks. */

import { defined } from '../../src/core/defined.ts';
import { pairedDifference, resampledValues, type Series } from '../../src/evaluation/bootstrap.ts';
import type { EvaluationResult, RowResult } from '../../src/evaluation/evaluation-result.ts';
import { measure } from '../../src/evaluation/measures.ts';
import {
  drawClusterResamples,
  drawResamples,
  type Resamples,
} from '../../src/evaluation/resamples.ts';
import { valueOfScores } from '../../src/evaluation/value-of-scores.ts';
import type { Columns, Estimated } from './equal-k.ts';

/** One system, by the names that `multihop eval --row` reads and a label for tables. */
export interface Row {
  readonly label: string;
  readonly strategy: string;
  readonly retriever: string;
  readonly context?: string;
  readonly reader?: string;
  readonly budget?: string;
  /** The name that rows of one system in several forms share. */
  readonly system?: string;
  /** The position on a curve. */
  readonly tokens?: number;
}

/** One call of `multihop eval`, kept once it is finished. */
export interface Evaluation {
  /** The name of the step; a dot separates parts, so that a prefix selects several. */
  readonly name: string;
  readonly dataSet: string;
  /** Restricts the questions to one type. */
  readonly type?: string;
  readonly rows: readonly Row[];
  readonly measures: readonly string[];
  /** Further words of the command line. */
  readonly words?: readonly string[];
  /** The size of the seeded sample of questions; all questions if missing. */
  readonly sample?: number;
  /** Files and folders of `--out` to keep. */
  readonly keeps?: readonly string[];
  /** Makes files of the evaluation's own, and returns the words that name them. */
  files?(): string[];
  /** Asks all questions of its files, which the report has sampled already. */
  readonly whole?: boolean;
  /** Measures times: writes no traces and keeps no scores of questions. */
  readonly timed?: boolean;
  /** Embeds a corpus that no other step embeds: runs with `--embed` only. */
  readonly embeds?: boolean;
}

export interface MeasuredRow extends Row {
  readonly result: RowResult;
  /** One score a question by measure; empty if the step keeps none. */
  readonly scores: Columns;
  /** The cluster of each question, from 0, where questions share gold articles. */
  readonly clusters?: readonly number[];
  /** The ids of the questions, in the order of the scores. */
  readonly questions?: readonly string[];
}

export interface Measured {
  readonly name: string;
  readonly rows: readonly MeasuredRow[];
  /** Rows that answer without reading. */
  readonly controls: readonly RowResult[];
  readonly result: EvaluationResult;
  /** The folder of what the step keeps. */
  readonly kept: string;
}

/** The finished evaluations by name, and what other commands printed. */
export interface Results {
  readonly measured: ReadonlyMap<string, Measured>;
  readonly printed: ReadonlyMap<string, string>;
}

/** Renders a part of a section as Markdown; undefined if what it needs is not evaluated. */
export type Block = (results: Results) => string | undefined | Promise<string | undefined>;

export interface Section {
  readonly heading: string;
  readonly blocks: readonly Block[];
}

export interface Picture {
  readonly file: string;
  readonly caption: string;
  /** Returns an SVG; empty if there is nothing to draw. */
  draw(results: Results): string;
}

export interface Report {
  /** Below `results/`. */
  readonly folder: string;
  readonly title: string;
  readonly introduction: string;
  readonly evaluations: readonly Evaluation[];
  /** Commands other than `eval` whose output is part of the report, by name. */
  readonly commands?: Readonly<Record<string, readonly string[]>>;
  readonly pictures?: readonly Picture[];
  readonly sections: readonly Section[];
  /** Figures beyond those of the rows, for `result.json`. */
  figures?(results: Results): Promise<object> | object;
  /** Says what its runs with a model would cost (`--dry-run`). */
  plan?(): string;
  /** Asks a model what the report then prints from records (`--record MODEL`). */
  record?(model: string, starts: readonly string[], cache: string): void;
}

/** The arguments of `npm run results` that a report may read. */
export interface Given {
  /** The folder of data sets. */
  readonly data: string;
  readonly work: string;
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The number of questions of each evaluation, where a sample is asked. */
  readonly sample?: number | undefined;
}

/** Returns a block of fixed text. */
export const text =
  (markdown: string): Block =>
  () =>
    markdown;

/** Returns a block that needs a finished evaluation. */
export const of =
  (
    name: string,
    render: (measured: Measured) => string | undefined | Promise<string | undefined>,
  ): Block =>
  ({ measured }) => {
    const found = measured.get(name);
    return found && render(found);
  };

export const rowText = ({ strategy, retriever, context, reader, budget }: Row): string =>
  Object.entries({ strategy, retriever, context, reader, budget })
    .flatMap(([part, name]) => (name === undefined ? [] : [`${part}=${name}`]))
    .join('; ');

export const meanOf = (row: MeasuredRow, name: string): number | undefined =>
  row.result.measures[name]?.mean;

const drawn = new Map<string, Resamples>();
function resamplesOf(key: string, draw: () => Resamples): Resamples {
  const known = drawn.get(key) ?? draw();
  drawn.set(key, known);
  return known;
}

/**
 * Returns `a` less `b` with its 95 % intervals, over the same resampled questions and the same
 * resampled clusters; undefined if one of them has no scores.
 */
export function differenceOf(name: string, a: MeasuredRow, b: MeasuredRow): Estimated | undefined {
  const [first, second] = [a, b].map(({ scores }) => scores[name] && seriesOf(name, scores[name]));
  if (!first || !second) return undefined;
  return pairedEstimate(first, second, a.clusters);
}

export const seriesOf = (name: string, scores: Columns[string]): Series => ({
  measure: measure(name),
  scores: scores.map(score => score ?? undefined),
});

/** As `differenceOf`, of two series over the same questions. */
export function pairedEstimate(
  a: Series,
  b: Series,
  clusters: readonly number[] | undefined,
): Estimated | undefined {
  const n = a.scores.length;
  if (n !== b.scores.length) return undefined;
  const [x, y] = [a, b].map(({ measure: by, scores }) => valueOfScores(by, scores)?.value);
  const over = (resamples: Resamples): { low: number; high: number } | undefined => {
    const [all, other] = resampledValues(resamples, [a, b]);
    const bounds = pairedDifference(all!, other!);
    return bounds && { low: bounds.low, high: bounds.high };
  };
  const interval = over(resamplesOf(String(n), () => drawResamples(n)));
  if (x === undefined || y === undefined || !interval) return undefined;
  const clustered =
    clusters &&
    over(resamplesOf(clusters.join(), () => drawClusterResamples(Int32Array.from(clusters))));
  return defined({ value: x - y, ...interval, clustered });
}
