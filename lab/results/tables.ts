/** The blocks that any report uses: figures, differences, groups, costs and row names as tables. */
import { costTable } from '../../src/evaluation/report/cost-table.ts';
import {
  formatDelta,
  formatEstimate,
  formatValue,
} from '../../src/evaluation/report/format-value.ts';
import { markdownTable } from '../../src/evaluation/report/markdown-report.ts';
import type { Estimated } from './equal-k.ts';
import { type Block, differenceOf, type Measured, type MeasuredRow, meanOf, of } from './report.ts';
import { matrixTable, type RetrieverMatrix } from './retriever-matrix.ts';

/** Renders a table; the first column and `left` are flush left. */
export const table = (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  left: readonly string[] = [],
): string =>
  markdownTable({ id: 'table', heading: '', notes: [], columns, leftColumns: left, rows });

/** Returns the share in per cent with one decimal. */
export const percent = (share: number | undefined): string =>
  share === undefined ? '–' : (100 * share).toFixed(1);

/** Returns a block of a table whose cells are fixed, for example published figures. */
export const fixed =
  (columns: readonly string[], rows: readonly (readonly string[])[]): Block =>
  () =>
    table(columns, rows);

/** The value with its interval over questions, and with that over clusters, if any. */
const estimateText = (name: string, { result }: Pick<MeasuredRow, 'result'>): string => {
  const estimate = result.measures[name];
  return estimate ? formatEstimate(name, estimate) : '–';
};

const boundsText = (name: string, { low, high }: Pick<Estimated, 'low' | 'high'>): string =>
  `[${formatDelta(name, low)}, ${formatDelta(name, high)}]`;

const deltaText = (name: string, difference: Estimated | undefined): string =>
  difference === undefined
    ? '–'
    : [
        formatDelta(name, difference.value),
        boundsText(name, difference),
        ...(difference.clustered ? [boundsText(name, difference.clustered)] : []),
      ].join(' ');

/** States the two intervals of a table. */
export const CLUSTERED = `Of two intervals the first resamples questions, the second clusters of questions that share a gold
article.`;

interface Shown {
  /** 95 % intervals beside the values; on by default. */
  readonly intervals?: boolean;
  /** Heads the column of labels. */
  readonly heading?: string;
  /** Selects rows. */
  readonly rows?: (row: MeasuredRow) => boolean;
}

/** One row of the evaluation a line, one measure a column. */
export const values = (name: string, measures: readonly string[], shown: Shown = {}): Block =>
  of(name, ({ rows }) => {
    const { intervals = true, heading = 'row', rows: selects = () => true } = shown;
    const known = measures.filter(each => rows.some(row => meanOf(row, each) !== undefined));
    const cell = (row: MeasuredRow, each: string): string =>
      intervals ? estimateText(each, row) : formatValue(each, meanOf(row, each));
    return table(
      [heading, ...known],
      rows.filter(selects).map(row => [row.label, ...known.map(each => cell(row, each))]),
    );
  });

/** One measure a line beside its goal, one row of the evaluation a column. */
export const goals = (name: string, aims: Readonly<Record<string, string>>): Block =>
  of(name, ({ rows: [first, ...others] }) =>
    table(
      ['measure', 'goal', ...[first!, ...others].map(({ label }) => label)],
      Object.entries(aims).map(([each, goal]) => [
        ...[each, goal, estimateText(each, first!)],
        ...others.map(row => formatValue(each, meanOf(row, each))),
      ]),
      ['goal'],
    ),
  );

/** Words of `eval` for classifiers of the question, over folds of facts and of questions. */
export const QUESTION_ONLY: readonly string[] = [
  ...['--control', 'question-only', '--control', 'question-only(folds=question)'],
];

/** The rows that answer without reading. */
export const controls = (name: string, measures: readonly string[]): Block =>
  of(name, ({ controls: rows }) =>
    table(
      ['control', ...measures],
      rows.map(({ reader, measures: known }) => [
        reader,
        ...measures.map(each => formatValue(each, known[each]?.mean)),
      ]),
    ),
  );

/** Paired differences: `to` less `from`, both by label. */
export const differences = (
  name: string,
  measures: readonly string[],
  pairs: readonly (readonly [from: string, to: string])[],
): Block =>
  of(name, ({ rows }) => {
    const labelled = (label: string): MeasuredRow => rows.find(row => row.label === label)!;
    return table(
      ['from', 'to', ...measures],
      pairs.map(([from, to]) => [
        ...[from, to],
        ...measures.map(each => deltaText(each, differenceOf(each, labelled(to), labelled(from)))),
      ]),
      ['to'],
    );
  });

/** The first row less each other row. */
export const firstLess = (name: string, measures: readonly string[]): Block =>
  of(name, ({ rows: [first, ...others] }) =>
    table(
      [`${first!.label} less`, ...measures],
      others.map(row => [
        row.label,
        ...measures.map(each => deltaText(each, differenceOf(each, first!, row))),
      ]),
    ),
  );

/** Each row with its difference from the first, which has everything on. */
export const ablation = (name: string, measures: readonly string[], also: string): Block =>
  of(name, ({ rows: [full, ...others] }) =>
    table(
      ['changed', also, ...measures.flatMap(each => [each, 'difference'])],
      [full!, ...others].map(row => [
        ...[row === full ? 'nothing' : row.label, formatValue(also, meanOf(row, also))],
        ...measures.flatMap(each => [
          formatValue(each, meanOf(row, each)),
          row === full ? '' : deltaText(each, differenceOf(each, row, full!)),
        ]),
      ]),
    ),
  );

/** One measure by type of question and by number of distinct gold documents. */
export const groups = (
  name: string,
  measure: string,
  selects: (row: MeasuredRow) => boolean = () => true,
): Block => of(name, ({ rows, result }) => groupTable(measure, rows.filter(selects), result));

export function groupTable(
  measure: string,
  rows: readonly MeasuredRow[],
  result: Measured['result'],
): string {
  // The output of `--json` has the sizes of the groups in its manifest.
  const sizes = result.groups ?? (result.manifest as unknown as Measured['result']).groups;
  const all = (['byType', 'byEvidence'] as const).flatMap(by =>
    Object.entries(sizes[by]).map(([key, size]) => ({
      by,
      key,
      heading: `${by === 'byType' ? key : `${key} documents`} (${size})`,
    })),
  );
  const known = all.filter(({ by, key }) =>
    rows.some(row => row.result[by][key]?.[measure] !== undefined),
  );
  return table(
    [measure, ...known.map(({ heading }) => heading)],
    rows.map(row => [
      row.label,
      ...known.map(({ by, key }) => formatValue(measure, row.result[by][key]?.[measure])),
    ]),
  );
}

/** A line on how many questions and documents an evaluation has. */
export const sizes = (name: string): Block =>
  of(name, ({ result: { questions, manifest } }) => {
    const { documents } = manifest as { documents?: number };
    return `${questions} questions${documents === undefined ? '' : `, ${documents} documents`}.`;
  });

/**
 * The costs of the evaluations whose names begin so: a table a prefix, its first column headed by
 * the text given for it. Notes stand once, above the first.
 */
export const costs =
  (headings: Readonly<Record<string, string>>): Block =>
  ({ measured }) => {
    const tables = Object.entries(headings).flatMap(([prefix, heading]) => {
      const some = [...measured.values()].filter(({ name }) => name.startsWith(prefix));
      const labels = new Map(
        some.flatMap(({ rows }) => rows.map(row => [row.result.retriever, row.label] as const)),
      );
      const all = some.flatMap(({ result }) => result.costs ?? []);
      if (all.length === 0) return [];
      const table = costTable(all, name => labels.get(name) ?? name);
      return [{ ...table, columns: [heading, ...table.columns.slice(1)] }];
    });
    if (tables.length === 0) return undefined;
    return [...tables[0]!.notes, ...tables.map(each => markdownTable({ ...each, notes: [] }))].join(
      '\n\n',
    );
  };

/** Strategies by retrievers, one measure; ▲ and ▼ mark what differs from the baseline. */
export const matrix =
  (measure: string, names: readonly string[], axes: Omit<RetrieverMatrix, 'results'>): Block =>
  ({ measured }) => {
    const results = names.flatMap(name => measured.get(name)?.result ?? []);
    if (results.length === 0) return undefined;
    const { columns, rows } = matrixTable({ ...axes, results }, measure);
    return `### ${measure}\n\n${table(columns, rows)}`;
  };

/** The names behind the labels, so that any row can be run again. */
export const rowNames = (name: string): Block =>
  of(name, ({ rows }) => {
    const lines = rows.map(
      ({ label, result }) => `- ${label}: \`${result.strategy}\`, \`${result.retriever}\``,
    );
    return `<details><summary>Rows by their names</summary>\n\n${lines.join('\n')}\n\n</details>`;
  });

/** Returns the command as the report shows it: learning is a command of the lab. */
export const commandText = (words: readonly string[]): string =>
  `\`${words[0] === 'learn' ? 'npm run lab --' : 'multihop'} ${words.join(' ')}\``;

/** The output of a command of the report. */
export const output =
  (name: string, words: readonly string[]): Block =>
  ({ printed }) => {
    const text = printed.get(name);
    return text === undefined
      ? undefined
      : `${commandText(words)}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\``;
  };

export { deltaText, estimateText };
