/**
 * A table of one measure: retrievers down, strategies across, each value beside whether it differs
 * from the baseline retriever under the same strategy.
 */
import type { EvaluationResult, Pair, RowResult } from '../../src/evaluation/evaluation-result.ts';
import { formatValue, unitOf } from '../../src/evaluation/report/format-value.ts';

export interface Labelled {
  /** Canonical. */
  readonly name: string;
  readonly label: string;
}

export interface RetrieverMatrix {
  readonly strategies: readonly Labelled[];
  readonly retrievers: readonly Labelled[];
  /** The retriever that the others are compared with. */
  readonly baseline: string;
  /**
   * Any number of them, each with some of the cells. Of a cell that stands in several the first
   * counts; its difference is that one's own.
   */
  readonly results: readonly EvaluationResult[];
}

/** Returns the columns and the rows; an en dash where nothing was run. */
export function matrixTable(
  { strategies, retrievers, baseline, results }: RetrieverMatrix,
  measure: string,
): { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const cell = (strategy: string, retriever: string): string => {
    for (const { rows, pairs } of results) {
      const find = (name: string): RowResult | undefined =>
        rows.find(row => row.strategy === strategy && row.retriever === name);
      const [row, base] = [find(retriever), find(baseline)];
      if (row)
        return `${formatValue(measure, row.measures[measure]?.mean)}${mark(measure, row, base, pairs)}`;
    }
    return formatValue(measure, undefined);
  };
  const run = new Set(results.flatMap(({ rows }) => rows.map(({ retriever }) => retriever)));
  return {
    columns: ['retriever', ...strategies.map(({ label }) => label)],
    rows: retrievers
      .filter(({ name }) => run.has(name))
      .map(({ name, label }) => [label, ...strategies.map(strategy => cell(strategy.name, name))]),
  };
}

/**
 * ` ▲`: above the baseline, and the 95 % interval of the paired difference does not hold 0; ` ▼`
 * below. Tokens are a cost and are not marked.
 */
function mark(
  name: string,
  row: RowResult,
  base: RowResult | undefined,
  pairs: readonly Pair[],
): string {
  if (unitOf(name) === 'tokens') return '';
  for (const { a, b, measure, low, high } of pairs) {
    if (measure !== name) continue;
    if (a === row.id && b === base?.id) return low > 0 ? ' ▲' : high < 0 ? ' ▼' : '';
    if (a === base?.id && b === row.id) return high < 0 ? ' ▲' : low > 0 ? ' ▼' : '';
  }
  return '';
}
