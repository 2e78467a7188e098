/** Blocks over curves: a system in a form is one evaluation, its rows are at ascending tokens. */
import { formatValue } from '../../src/evaluation/report/format-value.ts';
import { type Block, differenceOf, type Measured, type MeasuredRow, meanOf } from './report.ts';
import { deltaText, groupTable, table } from './tables.ts';
import { tokensPicture } from './tokens-picture.ts';

type Evaluations = ReadonlyMap<string, Measured>;

/** Returns the finished evaluations whose names begin so. */
const starting = (measured: Evaluations, prefix: string): Measured[] =>
  [...measured.values()].filter(({ name }) => name.startsWith(prefix));

const at = (rows: readonly MeasuredRow[], tokens: number): MeasuredRow | undefined =>
  rows.find(row => row.tokens === tokens);

/** Returns for each system the form that shows most facts at so many tokens. */
export function bestForms(curves: readonly Measured[], tokens: number): Measured[] {
  const facts = ({ rows }: Measured): number => {
    const row = at(rows, tokens);
    return (row && meanOf(row, 'FactRecall')) ?? 0;
  };
  const best = new Map<string, Measured>();
  for (const curve of curves) {
    const { system, label } = curve.rows[0]!;
    const known = best.get(system ?? label);
    if (!known || facts(curve) > facts(known)) best.set(system ?? label, curve);
  }
  return [...best.values()];
}

function pointText(measure: string, row: MeasuredRow | undefined): string {
  const value = row && meanOf(row, measure);
  if (row === undefined || value === undefined) return '–';
  const used = Math.round(meanOf(row, 'ContextTokens') ?? Number.NaN);
  return `${formatValue(measure, value)} (${used})`;
}

/** A system in a form a line: its value at each of the tokens, and the tokens that it used. */
export const curves =
  (measure: string, tokens: readonly number[], prefix: string): Block =>
  ({ measured }) => {
    const all = starting(measured, prefix);
    if (all.length === 0) return undefined;
    return table(
      [measure, ...tokens.map(String)],
      all.map(({ rows }) => [
        rows[0]!.label,
        ...tokens.map(each => pointText(measure, at(rows, each))),
      ]),
    );
  };

/** The best forms at one number of tokens: figures, and what the first has more. */
export const bestRows =
  (measures: readonly string[], tokens: number, prefix: string): Block =>
  ({ measured }) => {
    const rows = bestForms(starting(measured, prefix), tokens).flatMap(
      each => at(each.rows, tokens) ?? [],
    );
    const [ours] = rows;
    if (!ours) return undefined;
    const name = measures[0]!;
    return table(
      ['system', ...measures, `first less, ${name}`],
      rows.map(row => [
        ...[row.label, ...measures.map(each => formatValue(each, meanOf(row, each)))],
        row === ours ? '' : deltaText(name, differenceOf(name, ours, row)),
      ]),
    );
  };

/** The best forms by group of questions. */
export const bestGroups =
  (measure: string, tokens: number, prefix: string): Block =>
  ({ measured }) => {
    const all = starting(measured, prefix);
    const rows = bestForms(all, tokens).flatMap(each => at(each.rows, tokens) ?? []);
    return all[0] && groupTable(measure, rows, all[0].result);
  };

/** Returns the picture of the best forms. */
export function curvesPicture(
  measured: Evaluations,
  measure: string,
  caption: string,
  tokens: readonly number[],
  main: number,
  prefix: string,
): string {
  const lines = bestForms(starting(measured, prefix), main).map(({ rows }) => ({
    label: rows[0]!.label,
    rows,
  }));
  return tokensPicture(caption, measure, tokens, lines);
}
