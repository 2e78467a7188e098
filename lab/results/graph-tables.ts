/** Tables of the report on graphs: rows of steps of one row each, beside the search of each. */

import type { Unit } from '../../src/core/ranking/ranking.ts';
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

/** Units of the rows of the step of searches, in their order. */
export const SEARCH_UNITS: readonly Unit[] = ['document', 'passage', 'sentence'];

/** A row of the report on one set. */
export interface GraphRow {
  readonly step: string;
  readonly label: string;
  /** It is one search, and has no other to be compared with. */
  readonly plain: boolean;
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
    const rows = finishedRows(results, steps.rows);
    const found = rows
      .flatMap(({ measured }) => measured.controls)
      .find(({ reader }) => reader === 'question-only');
    const value = found?.measures[F1]?.mean;
    if (value === undefined) return undefined;
    const fewer = rows.filter(({ row }) => (meanOf(row, F1) ?? 0) < value).length;
    return `${F1} of a classifier of the words of the question, which reads no document: ${formatValue(F1, value)}, more than ${fewer} of ${rows.length} rows reach with their evidence.`;
  };

/** A row beside the search alone that it starts from. */
export interface BesideSearch extends FinishedRow, Compared {
  readonly against: MeasuredRow;
  /** Questions with other documents among the first five, in whatever order. */
  readonly changed: number | undefined;
  readonly questions: number;
}

/** The rows of a set, each less the search of the unit that it searches first. */
export async function besideSearch(results: Results, steps: GraphSteps): Promise<BesideSearch[]> {
  const searches = results.measured.get(steps.searches);
  const found: BesideSearch[] = [];
  for (const finished of finishedRows(results, steps.rows)) {
    if (!searches || finished.plain) continue;
    const ranked = await handedOver(finished.measured);
    const at = SEARCH_UNITS.indexOf(ranked.unit ?? 'document');
    const against = searches.rows[at]!;
    const less = lessRow(finished.row, against);
    if (!less) continue;
    const changed = changedQuestions(ranked, await handedOver(searches, at));
    const set = steps.heading;
    found.push({ ...finished, ...less, against, set, changed, questions: ranked.first.size });
  }
  return found;
}

/** The search alone, of any unit, that finds most. */
export function bestSearch(results: Results, { searches }: GraphSteps): MeasuredRow | undefined {
  const rows = results.measured.get(searches)?.rows ?? [];
  const found = (row: MeasuredRow): number => meanOf(row, RECALL) ?? 0;
  return rows.length === 0
    ? undefined
    : rows.reduce((best, row) => (found(row) > found(best) ? row : best));
}

/** Each row less its own search at equal K, and how many questions have other first documents. */
export const pairedTable =
  (steps: GraphSteps): Block =>
  async results => {
    const rows = await besideSearch(results, steps);
    if (rows.length === 0) return undefined;
    const best = bestSearch(results, steps)!;
    return table(
      [
        ...['row', 'its own search', `${RECALL} less it`, 'so', 'other first five'],
        `less the best search, ${best.label.replace('search ', '')}`,
      ],
      rows.map(({ label, row, against, text, changed, questions, difference }) => [
        ...[label, against.label, text, verdictText(difference)],
        changed === undefined ? '–' : `${changed} of ${questions}`,
        lessRow(row, best)?.text ?? '–',
      ]),
      ['its own search', 'so'],
    );
  };

/** Costs of a question without a model, and the time of the first one. */
export const costTable =
  (steps: GraphSteps): Block =>
  results => {
    const rows = finishedRows(results, steps.rows);
    if (rows.length === 0) return undefined;
    const shown = ['Retrievals', 'ContextTokens', MEDIAN, 'Milliseconds(p95)'];
    const lines = rows.map(({ label, row }) => [
      label,
      ...shown.map(each => formatValue(each, meanOf(row, each))),
      firstSeconds(row),
    ]);
    const columns = ['row', ...shown, 'seconds of the first question'];
    return `${steps.heading}:\n\n${table(columns, lines)}`;
  };

const MEDIAN = 'Milliseconds(p50)';
export const COSTS: readonly string[] = [
  ...['Retrievals', 'ContextTokens', 'ModelCalls', 'ModelTokens', MEDIAN, 'Milliseconds(p95)'],
];

function firstSeconds({ scores }: MeasuredRow): string {
  const first = scores[MEDIAN]?.[0];
  return typeof first === 'number' ? (first / 1000).toFixed(2) : '–';
}

/** Says which rows had a language model to call: one that had none called none, at any time. */
export function modelUseText(results: Results, sets: readonly GraphSteps[]): string | undefined {
  const rows = sets.flatMap(({ rows: some }) => finishedRows(results, some));
  if (rows.length === 0) return undefined;
  const asked = rows.filter(
    ({ row, measured: { result } }) =>
      (meanOf(row, 'ModelCalls') ?? 0) > 0 ||
      (result.manifest as { readonly model?: unknown }).model !== undefined,
  );
  return asked.length === 0
    ? `None of the ${rows.length} rows had a language model: calls and tokens of all are 0, at index time and for a question.`
    : `A language model was at hand for: ${asked.map(({ label }) => `\`${label}\``).join(', ')}.`;
}

/** The calls that each strategy may make of a language model, by role: at most, and usually. */
export const plannedTable =
  (systems: readonly { readonly label: string; readonly strategy: string }[]): Block =>
  () => {
    const rows = systems.flatMap(({ label, strategy }) => {
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

/** Lists the losses of each strategy without a language model, as its runs state them. */
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

/** The means of a row, a measure a cell. */
export const cellsOf = (row: MeasuredRow, measures: readonly string[]): string[] =>
  measures.map(each => formatValue(each, meanOf(row, each)));

export const recallText = (row: MeasuredRow): string => formatValue(RECALL, meanOf(row, RECALL));
