/** Builds tables of measures: a row for each system, a column for each measure. */
import type { Estimate, EvaluationResult, RowResult } from '../evaluation-result.ts';
import type { MeasureTable } from '../example.ts';
import { measureMembers } from '../measures.ts';
import { formatEstimate, formatValue, measureOf } from './format-value.ts';
import type { ReportTable } from './report-table.ts';

/** A result with the label of each of its rows. */
export interface Labelled {
  readonly result: EvaluationResult;
  readonly label: (row: RowResult) => string;
}

/** A column beside the measures. */
export type Column = readonly [heading: string, cell: (row: RowResult) => string];

export interface MeasureTableOptions extends Pick<ReportTable, 'id' | 'heading' | 'folded'> {
  readonly notes?: readonly string[];
  /** Measures without a value in any row are left out. */
  readonly names: readonly string[];
  /** The rows that have one of the measures, if missing. */
  readonly rows?: readonly RowResult[];
  /** Means alone, if missing; an interval, or one over clusters beside it. */
  readonly intervals?: 'plain' | 'clustered';
  readonly before?: readonly Column[];
  readonly after?: readonly Column[];
}

/** Without a measure it has no rows. */
export function measureTable(
  { result, label }: Labelled,
  {
    id,
    heading,
    notes = [],
    names,
    intervals,
    before = [],
    after = [],
    folded,
    ...content
  }: MeasureTableOptions,
): ReportTable {
  const present = names.filter(name => result.rows.some(row => row.measures[name]));
  const rows = content.rows ?? result.rows.filter(row => present.some(name => row.measures[name]));
  const columns: Column[] = [
    ['system', label],
    ...before,
    ...present.map((name): Column => [name, row => cell(name, row.measures[name], intervals)]),
    ...after,
  ];
  return {
    id,
    heading,
    notes,
    columns: columns.map(([name]) => name),
    rows: present.length === 0 ? [] : rows.map(row => columns.map(([, text]) => text(row))),
    folded,
  };
}

function cell(
  name: string,
  estimate: Estimate | undefined,
  intervals: MeasureTableOptions['intervals'],
): string {
  if (!estimate || !intervals) return formatValue(name, estimate?.mean);
  const { clustered, ...plain } = estimate;
  return formatEstimate(name, intervals === 'clustered' ? estimate : plain);
}

/** Returns the measures of a result that stand in a table, in the order of the family. */
export function measuresIn(
  { rows }: EvaluationResult,
  table: MeasureTable | undefined,
): readonly string[] {
  const names = [...new Set(rows.flatMap(row => Object.keys(row.measures)))];
  const place = new Map(measureMembers.map(({ name }, index) => [name.split('@')[0]!, index]));
  const placeOf = (name: string): number =>
    place.get(/^[^@(]*/.exec(name)![0]) ?? Number.POSITIVE_INFINITY;
  return names
    .filter(name => measureOf(name)?.table === table)
    .sort((a, b) => (placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b)));
}
