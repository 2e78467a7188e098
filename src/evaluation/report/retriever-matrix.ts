/**
 * Strategies by retrievers: one measure a table, each value beside whether it differs from the
 * baseline retriever under the same strategy.
 */
import type { EvaluationResult, Pair, RowResult } from '../evaluation-result.ts';
import { formatDelta, formatInterval, formatValue, unitOf } from './format-value.ts';
import type { ReportTable } from './report-table.ts';

export interface Labelled {
  /** Canonical. */
  readonly name: string;
  readonly label: string;
}

export interface RetrieverMatrix {
  readonly id: string;
  readonly strategies: readonly Labelled[];
  readonly retrievers: readonly Labelled[];
  /** The retriever that the others are compared with. */
  readonly baseline: string;
  /**
   * Any number of them, each with some of the cells. Of a cell that stands in several the first
   * counts; its differences are that one's own.
   */
  readonly results: readonly EvaluationResult[];
}

type Difference = Pick<Pair, 'difference' | 'low' | 'high'>;

interface Cell {
  readonly row: RowResult;
  /** This retriever minus the baseline, by measure. */
  readonly differences: ReadonlyMap<string, Difference>;
}

/** The cells by strategy and retriever. */
function cellsOf({
  results,
  baseline,
}: RetrieverMatrix): (strategy: string, retriever: string) => Cell | undefined {
  const cells = new Map<string, Cell>();
  for (const { rows, pairs } of results)
    for (const row of rows) {
      const key = `${row.strategy}\n${row.retriever}`;
      const base = rows.find(
        other => other.strategy === row.strategy && other.retriever === baseline,
      );
      if (!cells.has(key))
        cells.set(key, { row, differences: base ? differencesOf(row, base, pairs) : new Map() });
    }
  return (strategy, retriever) => cells.get(`${strategy}\n${retriever}`);
}

function differencesOf(
  row: RowResult,
  base: RowResult,
  pairs: readonly Pair[],
): Map<string, Difference> {
  const found = new Map<string, Difference>();
  for (const { a, b, measure, difference, low, high } of pairs) {
    if (a === row.id && b === base.id) found.set(measure, { difference, low, high });
    // 0 - x, where -x would print a minus before zero.
    if (a === base.id && b === row.id)
      found.set(measure, { difference: 0 - difference, low: 0 - high, high: 0 - low });
  }
  return found;
}

/**
 * `58.12 ▲`: above the baseline, and the 95 % interval of the paired difference does not hold 0; ▼
 * below. Tokens are a cost, and a token is no news.
 */
function mark(measure: string, difference: Difference | undefined): string {
  if (difference === undefined || unitOf(measure) === 'tokens') return '';
  return difference.low > 0 ? ' ▲' : difference.high < 0 ? ' ▼' : '';
}

/** A measure: retrievers down, strategies across. An en dash where nothing was run. */
export function matrixTable(matrix: RetrieverMatrix, measure: string): ReportTable {
  const cell = cellsOf(matrix);
  return {
    id: `${matrix.id}-${measure}`.replace(/[^\w-]+/g, '-'),
    heading: measure,
    notes: [],
    columns: ['retriever', ...matrix.strategies.map(({ label }) => label)],
    rows: present(matrix).map(retriever => [
      retriever.label,
      ...matrix.strategies.map(strategy => {
        const found = cell(strategy.name, retriever.name);
        return `${formatValue(measure, found?.row.measures[measure]?.mean)}${mark(measure, found?.differences.get(measure))}`;
      }),
    ]),
  };
}

/** Every cell as a row: the values with their intervals. */
export function intervalsTable(matrix: RetrieverMatrix, measures: readonly string[]): ReportTable {
  const rows = everyCell(matrix, ({ row }) =>
    measures.map(name => {
      const estimate = row.measures[name];
      return estimate
        ? `${formatValue(name, estimate.mean)} ${formatInterval(name, estimate)}`
        : '–';
    }),
  );
  return {
    id: `${matrix.id}-intervals`,
    heading: '95 % intervals',
    notes: [],
    columns: ['strategy', 'retriever', ...measures],
    leftColumns: ['retriever'],
    rows,
  };
}

/** Every cell but the baseline's as a row: by how much it differs. */
export function differencesTable(
  matrix: RetrieverMatrix,
  measures: readonly string[],
): ReportTable {
  const baseline =
    matrix.retrievers.find(({ name }) => name === matrix.baseline)?.label ?? matrix.baseline;
  const rows = everyCell(matrix, ({ row, differences }) =>
    row.retriever === matrix.baseline
      ? undefined
      : measures.map(name => {
          const found = differences.get(name);
          return found
            ? `${formatDelta(name, found.difference)} [${formatDelta(name, found.low)}, ${formatDelta(name, found.high)}]${mark(name, found)}`
            : '–';
        }),
  );
  return {
    id: `${matrix.id}-differences`,
    heading: `Paired differences from ${baseline} under the same strategy`,
    notes: ['On the same resamples of the questions, with 95 % intervals.'],
    columns: ['strategy', 'retriever', ...measures],
    leftColumns: ['retriever'],
    rows,
  };
}

/** The retrievers that anything was run with. */
function present({ retrievers, results }: RetrieverMatrix): Labelled[] {
  const names = new Set(results.flatMap(({ rows }) => rows.map(({ retriever }) => retriever)));
  return retrievers.filter(({ name }) => names.has(name));
}

function everyCell(
  matrix: RetrieverMatrix,
  values: (cell: Cell) => readonly string[] | undefined,
): string[][] {
  const cell = cellsOf(matrix);
  return matrix.strategies.flatMap(strategy =>
    matrix.retrievers.flatMap(retriever => {
      const found = cell(strategy.name, retriever.name);
      const shown = found && values(found);
      return shown ? [[strategy.label, retriever.label, ...shown]] : [];
    }),
  );
}
