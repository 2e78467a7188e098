/** Blocks over rows of several evaluations of the same questions: rankings and forms. */
import { formatValue } from '../../src/evaluation/report/format-value.ts';
import { type Block, differenceOf, type Measured, type MeasuredRow, meanOf } from './report.ts';
import { deltaText, estimateText, table } from './tables.ts';

const rowsOf = (
  measured: ReadonlyMap<string, Measured>,
  names: readonly string[],
): readonly MeasuredRow[] => names.flatMap(name => measured.get(name)?.rows ?? []);

/** One row of any of the evaluations a line, one measure a column. */
export const rankings =
  (names: readonly string[], measures: readonly string[]): Block =>
  ({ measured }) => {
    const rows = rowsOf(measured, names);
    return rows.length === 0
      ? undefined
      : table(
          ['ranking', ...measures],
          rows.map(row => [row.label, ...measures.map(each => estimateText(each, row))]),
        );
  };

interface Forms {
  /** The first is what the forms of a system are compared by. */
  readonly measures: readonly string[];
  /** The system that is compared with each other system. */
  readonly ours: string;
  readonly formOf: (row: MeasuredRow) => string;
}

const used = (row: MeasuredRow): number => Math.round(meanOf(row, 'ContextTokens') ?? Number.NaN);
const valueText = (row: MeasuredRow | undefined, name: string): string => {
  const value = row && meanOf(row, name);
  return row === undefined || value === undefined ? '–' : formatValue(name, value);
};

/**
 * A system a line. At the least tokens: its best form, what that used, all measures, and what
 * `ours` has more; then its first form at each number of tokens.
 */
export const bestFormsAtEqualTokens =
  (names: readonly string[], { measures, ours, formOf }: Forms): Block =>
  ({ measured }) => {
    const rows = rowsOf(measured, names);
    const systems = [...Map.groupBy(rows, ({ system }) => system ?? '')];
    const ourRows = systems.find(([system]) => system === ours)?.[1];
    if (!ourRows) return undefined;
    const tokens = [...new Set(ourRows.map(row => row.tokens ?? 0))].sort((a, b) => a - b);
    const [name, least] = [measures[0]!, tokens[0]!];
    const at = (of: readonly MeasuredRow[], each: number): MeasuredRow | undefined =>
      of.find(row => row.tokens === each);
    const value = (row: MeasuredRow): number => meanOf(row, name) ?? Number.NEGATIVE_INFINITY;
    const line = ([system, of]: (typeof systems)[number]): string[] => {
      const best = of
        .filter(row => row.tokens === least)
        .reduce((most, row) => (value(row) > value(most) ? row : most));
      const first = (each: number): string => {
        const row = at(of, each);
        return row ? `${valueText(row, name)} (${used(row)})` : '–';
      };
      const more =
        best === at(ourRows, least) ? undefined : differenceOf(name, at(ourRows, least)!, best);
      return [
        ...[
          system,
          of === ourRows ? '' : formOf(best),
          ...measures.map(each => valueText(best, each)),
        ],
        ...[String(used(best)), more ? deltaText(name, more) : ''],
        ...tokens.map(first),
      ];
    };
    return table(
      [
        ...[`at ${least} tokens`, 'best form', ...measures, 'tokens used', `${ours} less, ${name}`],
        ...tokens.map(each => `first form, ${name} at ${each}`),
      ],
      systems.map(line),
      ['best form'],
    );
  };
