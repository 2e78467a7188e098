/** The tables of the report of fact-lanes. */
import type { RowResult } from '../src/evaluation/evaluation-result.ts';
import { formatDelta, formatInterval, formatValue } from '../src/evaluation/report/format-value.ts';
import { markdownTable } from '../src/evaluation/report/markdown-report.ts';
import type { Estimated } from './equal-k.ts';
import { differenceOf, type MeasuredRow, meanOf } from './fact-lanes-measured.ts';
import { CAUSES, type Cause, type Misses } from './fact-lanes-misses.ts';
import { FORMS, type SystemRow } from './fact-lanes-systems.ts';

export const table = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns: readonly string[] = [],
): string =>
  markdownTable({ id: 'fact-lanes', heading: '', notes: [], columns, leftColumns, rows });

/** Where the same name stands for a system in several forms. */
export const labelOf = ({ system, form }: SystemRow): string =>
  form ? `${system}: ${FORMS[form].says}` : system;

const signed = (name: string, difference: Estimated | undefined): string =>
  difference === undefined
    ? '–'
    : `${formatDelta(name, difference.value)} [${formatDelta(name, difference.low)}, ${formatDelta(name, difference.high)}]`;

const withInterval = (name: string, { measures }: RowResult): string => {
  const estimate = measures[name];
  return estimate ? `${formatValue(name, estimate.mean)} ${formatInterval(name, estimate)}` : '–';
};

/** A measure a line, the goal before what each system reaches; intervals for the first system. */
export function goalTable(
  names: readonly string[],
  goals: Readonly<Record<string, string>>,
  rows: readonly MeasuredRow[],
): string {
  const [first, ...others] = rows;
  return table(
    ['measure', 'goal', ...rows.map(labelOf)],
    names.map(name => [
      ...[name, goals[name] ?? '–', withInterval(name, first!.result)],
      ...others.map(row => formatValue(name, meanOf(row, name))),
    ]),
    ['goal'],
  );
}

/** One system a line. */
export function figureTable(names: readonly string[], rows: readonly MeasuredRow[]): string {
  return table(
    ['system', ...names],
    rows.map(row => [labelOf(row), ...names.map(name => formatValue(name, meanOf(row, name)))]),
  );
}

export function answerTable(names: readonly string[], rows: readonly RowResult[]): string {
  return table(
    ['control', ...names],
    rows.map(({ reader, measures }) => [
      reader,
      ...names.map(name => formatValue(name, measures[name]?.mean)),
    ]),
  );
}

/** How much each other system lacks, on the same resampled questions. */
export function differenceTable(
  names: readonly string[],
  ours: MeasuredRow,
  others: readonly MeasuredRow[],
): string {
  return table(
    [`${labelOf(ours)} less`, ...names],
    others.map(other => [
      labelOf(other),
      ...names.map(name => signed(name, differenceOf(name, ours, other))),
    ]),
  );
}

/** By type of question and by number of distinct gold documents. */
export function groupTable(
  name: string,
  rows: readonly MeasuredRow[],
  sizes: { byType: Groups; byEvidence: Groups },
): string {
  const groups = (['byType', 'byEvidence'] as const).flatMap(by =>
    Object.entries(sizes[by]).map(([key, size]) => ({
      by,
      key,
      says: `${by === 'byType' ? key : `${key} documents`} (${size})`,
    })),
  );
  const measured = groups.filter(({ by, key }) =>
    rows.some(({ result }) => result[by][key]?.[name] !== undefined),
  );
  return table(
    [name, ...measured.map(({ says }) => says)],
    rows.map(row => [
      labelOf(row),
      ...measured.map(({ by, key }) => formatValue(name, row.result[by][key]?.[name])),
    ]),
  );
}
type Groups = Readonly<Record<string, number>>;

/** A system a line; at each of the tokens its value and what it really used of them. */
export function curveTable(
  name: string,
  tokens: readonly number[],
  curves: readonly (readonly MeasuredRow[])[],
): string {
  return table(
    [name, ...tokens.map(String)],
    curves.map(rows => [
      labelOf(rows[0]!),
      ...tokens.map(each =>
        pointText(
          name,
          rows.find(row => row.tokens === each),
        ),
      ),
    ]),
  );
}

function pointText(name: string, row: MeasuredRow | undefined): string {
  const value = row && meanOf(row, name);
  return value === undefined
    ? '–'
    : `${formatValue(name, value)} (${Math.round(meanOf(row!, 'ContextTokens') ?? Number.NaN)})`;
}

export interface MainRow {
  readonly row: MeasuredRow;
  readonly times: RowResult | undefined;
}

/** At one number of tokens: figures, what ours has more, and time. */
export function mainTable(
  names: readonly string[],
  ours: MeasuredRow,
  rows: readonly MainRow[],
): string {
  const time = (times: RowResult | undefined, of: string): string =>
    formatValue('Milliseconds', times?.measures[`Milliseconds(${of})`]?.mean);
  return table(
    ['system', ...names, `ours less, ${names[0]}`, 'p50 ms', 'p95 ms'],
    rows.map(({ row, times }) => [
      ...[labelOf(row), ...names.map(name => formatValue(name, meanOf(row, name)))],
      row === ours ? '' : signed(names[0]!, differenceOf(names[0]!, ours, row)),
      ...['p50', 'p95'].map(of => time(times, of)),
    ]),
  );
}

export function ablationTable(
  names: readonly string[],
  says: Readonly<Record<string, string>>,
  [full, ...others]: readonly MeasuredRow[],
): string {
  const settings = Object.keys(says);
  const rows = others.map((row, index) => [
    ...[
      `${settings[index]}: ${says[settings[index]!]}`,
      formatValue('ContextTokens', meanOf(row, 'ContextTokens')),
    ],
    ...names.flatMap(name => [
      formatValue(name, meanOf(row, name)),
      signed(name, differenceOf(name, row, full!)),
    ]),
  ]);
  const all = ['nothing', formatValue('ContextTokens', meanOf(full!, 'ContextTokens'))];
  return table(
    ['changed', 'ContextTokens', ...names.flatMap(name => [name, 'difference'])],
    [[...all, ...names.flatMap(name => [formatValue(name, meanOf(full!, name)), ''])], ...rows],
  );
}

/**
 * A system a line: at each of the tokens its recall, the tokens that it used, and what ours has
 * more at as many.
 */
export function generalityTable(
  name: string,
  tokens: readonly number[],
  ours: readonly MeasuredRow[],
  systems: readonly (readonly MeasuredRow[])[],
): string {
  const at = (rows: readonly MeasuredRow[], each: number): MeasuredRow | undefined =>
    rows.find(row => row.tokens === each);
  const difference = (rows: readonly MeasuredRow[], each: number): string => {
    const [own, other] = [at(ours, each), at(rows, each)];
    return own && other && own !== other ? signed(name, differenceOf(name, own, other)) : '';
  };
  return table(
    [name, ...tokens.flatMap(each => [`${each} tokens`, 'ours less'])],
    systems.map(rows => [
      labelOf(rows[0]!),
      ...tokens.flatMap(each => [pointText(name, at(rows, each)), difference(rows, each)]),
    ]),
  );
}

export function missesTable(misses: Readonly<Record<string, Misses>>): string {
  const groups = Object.entries(misses);
  const share = (count: number, of: number): string =>
    `${count} (${of === 0 ? '–' : ((100 * count) / of).toFixed(1)} %)`;
  return table(
    ['cause', ...groups.map(([group, { facts }]) => `${group}: of ${facts} facts`)],
    [
      ...(Object.keys(CAUSES) as Cause[]).map(cause => [
        CAUSES[cause],
        ...groups.map(([, { causes, facts }]) => share(causes[cause], facts)),
      ]),
      ['questions that miss a fact', ...groups.map(([, { questions }]) => String(questions))],
    ],
  );
}
