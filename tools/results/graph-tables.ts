/** Tables of the report on graphs: rows of steps of one row each, beside the search of each. */
import { formatValue } from '../../src/evaluation/report/format-value.ts';
import { strategies } from '../../src/strategies/strategies.ts';
import type { Estimated } from './equal-k.ts';
import { changedQuestions, handedOver } from './kept-traces.ts';
import {
  type Block,
  differenceOf,
  type Measured,
  type MeasuredRow,
  meanOf,
  type Results,
} from './report.ts';
import { deltaText, table } from './tables.ts';
import { type Compared, verdictText } from './verdicts.ts';

export const RECALL = 'Recall@5';

/** A row of the report on one set: its step, its label, and where its own search stands. */
export interface GraphRow {
  readonly step: string;
  readonly label: string;
  /** The position of its own search in the step of searches; undefined for a plain search. */
  readonly search: number | undefined;
  readonly goal: boolean;
  readonly graph: boolean;
}

/** The steps of one set. */
export interface GraphSteps {
  readonly heading: string;
  readonly searches: string;
  readonly rows: readonly GraphRow[];
}

/** A row whose step is finished. */
export interface FinishedRow extends GraphRow {
  readonly measured: Measured;
  readonly row: MeasuredRow;
}

/** The rows of the set whose steps are finished. */
export const finishedRows = ({ measured }: Results, rows: readonly GraphRow[]): FinishedRow[] =>
  rows.flatMap(row => {
    const step = measured.get(row.step);
    return step?.rows[0] ? [{ ...row, measured: step, row: step.rows[0] }] : [];
  });

const searchOf = (
  { measured }: Results,
  { searches }: GraphSteps,
  { search }: GraphRow,
): MeasuredRow | undefined =>
  search === undefined ? undefined : measured.get(searches)?.rows[search];

const [SWAPPED] = ['swapped-evidence'];
const F1 = 'AnswerF1(hotpot)';

/** F1 of the same reader over the evidence of another question. */
function swappedF1({ controls }: Measured): string {
  const swapped = controls.find(
    ({ control, reader }) =>
      control?.name.startsWith(SWAPPED!) === true && !reader.includes('support=0'),
  );
  return formatValue(F1, swapped?.measures[F1]?.mean);
}

/** One row a line: rankings, and answers beside the evidence of another question. */
export const rowValues =
  (steps: GraphSteps, measures: readonly string[]): Block =>
  results => {
    const rows = finishedRows(results, steps.rows);
    if (rows.length === 0) return undefined;
    const alone = (results.measured.get(steps.searches)?.rows ?? []).map(row => [
      row.label,
      ...measures.map(each => (RANKED.test(each) ? formatValue(each, meanOf(row, each)) : '–')),
      '–',
    ]);
    return table(
      ['row', ...measures, `${F1}, swapped`],
      [
        ...alone,
        ...rows.map(({ label, row, measured }) => [
          label,
          ...measures.map(each => formatValue(each, meanOf(row, each))),
          swappedF1(measured),
        ]),
      ],
    );
  };

/** A search alone shows headers: what it would show or answer is not measured. */
const RANKED = /^(?:All)?Recall@/;

/** F1 of the classifier of the words of the question, which reads nothing. */
export const questionOnly =
  (steps: GraphSteps): Block =>
  results => {
    const found = finishedRows(results, steps.rows)
      .flatMap(({ measured }) => measured.controls)
      .find(({ reader }) => reader === 'question-only');
    const estimate = found?.measures[F1];
    return estimate
      ? `${F1} of a classifier of the words of the question, which reads no document: ${formatValue(F1, estimate.mean)}.`
      : undefined;
  };

/** A row beside the search alone that it starts from. */
export interface BesideSearch extends FinishedRow, Compared {
  readonly search: number;
  readonly against: MeasuredRow;
}

/** The rows of a set that have a search of their own, with their paired differences from it. */
export const besideSearch = (results: Results, steps: GraphSteps): BesideSearch[] =>
  finishedRows(results, steps.rows).flatMap(found => {
    const { search } = found;
    const against = searchOf(results, steps, found);
    const difference = against && differenceOf(RECALL, found.row, against);
    if (search === undefined || !difference) return [];
    const text = deltaText(RECALL, difference);
    return [{ ...found, search, against, set: steps.heading, text, difference }];
  });

/** Each row less its own search at equal K, and how many questions have other first documents. */
export const pairedTable =
  (steps: GraphSteps): Block =>
  async results => {
    const rows = besideSearch(results, steps);
    const searches = results.measured.get(steps.searches);
    if (rows.length === 0 || !searches) return undefined;
    const lines: string[][] = [];
    for (const { label, measured, against, search, text, difference } of rows) {
      const [own, plain] = [await handedOver(measured), await handedOver(searches, search)];
      const changed = changedQuestions(own, plain);
      const counted = changed === undefined ? '–' : `${changed} of ${own.first.size}`;
      lines.push([label, against.label, text, counted, verdictText(difference)]);
    }
    return table(['row', 'its own search', `${RECALL} less it`, 'other first five', 'so'], lines, [
      'its own search',
      'so',
    ]);
  };

/** What a question costs without a model, and what the first one costs more. */
export const costTable =
  (steps: GraphSteps): Block =>
  results => {
    const rows = finishedRows(results, steps.rows);
    if (rows.length === 0) return undefined;
    const shown = ['Retrievals', 'ContextTokens', MEDIAN, 'Milliseconds(p95)'];
    return table(
      ['row', ...shown, 'seconds of the first question'],
      rows.map(({ label, row }) => [
        label,
        ...shown.map(each => formatValue(each, meanOf(row, each))),
        firstSeconds(row),
      ]),
    );
  };

const MEDIAN = 'Milliseconds(p50)';
export const COSTS: readonly string[] = [
  ...['Retrievals', 'ContextTokens', 'ModelCalls', 'ModelTokens', MEDIAN, 'Milliseconds(p95)'],
];

function firstSeconds({ scores }: MeasuredRow): string {
  const first = scores[MEDIAN]?.[0];
  return typeof first === 'number' ? (first / 1000).toFixed(2) : '–';
}

/** Tokens of a language model that all finished rows used, and the calls, from their measures. */
export function modelUseText(results: Results, sets: readonly GraphSteps[]): string | undefined {
  const rows = sets.flatMap(({ rows: some }) => finishedRows(results, some));
  if (rows.length === 0) return undefined;
  const asked = rows.filter(({ row }) => (meanOf(row, 'ModelCalls') ?? 0) > 0);
  return asked.length === 0
    ? `None of the ${rows.length} rows called a language model, at index time or for a question: calls and tokens of all are 0.`
    : `A language model was called by: ${asked.map(({ label }) => `\`${label}\``).join(', ')}.`;
}

/** The calls that each strategy may make of a language model, by role: at most, and usually. */
export const plannedTable =
  (named: readonly { readonly label: string; readonly strategy: string }[]): Block =>
  () => {
    const rows = named.flatMap(({ label, strategy }) => {
      const calls = strategies.create(strategy).modelCalls ?? [];
      if (calls.length === 0) return [];
      const tokens = (usual: boolean): number =>
        calls.reduce((sum, { atMost, promptTokens, completionTokens, expected }) => {
          const [count, prompt, completion] = usual
            ? [
                ...[expected?.calls ?? atMost, expected?.promptTokens ?? promptTokens],
                expected?.completionTokens ?? completionTokens,
              ]
            : [atMost, promptTokens, completionTokens];
          return sum + count! * (prompt! + completion!);
        }, 0);
      const roles = calls.map(({ role, atMost, expected }) =>
        expected?.calls === undefined
          ? `${role} ${atMost}`
          : `${role} ${atMost} (${expected.calls})`,
      );
      return [
        [label, roles.join(', '), ...[false, true].map(each => String(Math.round(tokens(each))))],
      ];
    });
    return rows.length === 0
      ? undefined
      : table(
          ['row', 'calls by role, at most (usually)', 'tokens, at most', 'tokens, usually'],
          rows,
          ['calls by role, at most (usually)'],
        );
  };

/** What each strategy lost without a language model, as its runs said. */
export const lossList =
  (sets: readonly GraphSteps[]): Block =>
  async results => {
    const losses = new Map<string, Set<string>>();
    for (const { rows } of sets)
      for (const { label, measured } of finishedRows(results, rows))
        for (const text of (await handedOver(measured)).losses)
          losses.set(label, (losses.get(label) ?? new Set()).add(text));
    const lines = [...losses].map(([label, texts]) => `- \`${label}\`: ${[...texts].join('; ')}`);
    return lines.length === 0 ? undefined : lines.join('\n');
  };

/** A row less another over the same questions, as it is printed. */
export function lessRow(
  a: MeasuredRow,
  b: MeasuredRow,
): { readonly difference: Estimated; readonly text: string } | undefined {
  const difference = differenceOf(RECALL, a, b);
  return difference && { difference, text: deltaText(RECALL, difference) };
}

export const recallText = (row: MeasuredRow): string => formatValue(RECALL, meanOf(row, RECALL));
