/** F1 of the default reader on open questions by data set, beside controls of its evidence. */
import type { RowResult } from '../../../src/evaluation/evaluation-result.ts';
import { formatCounted } from '../../../src/evaluation/report/format-value.ts';
import { ANSWERS_AT } from '../answers-at.ts';
import type { Block, Evaluation, MeasuredRow, Results, Row } from '../report.ts';
import { table } from '../tables.ts';

const MEASURE = 'AnswerF1(hotpot)';
const CONTROLS = ['question-only', 'swapped-evidence'];

/** Data sets by id, as tables name them. */
const SETS: Readonly<Record<string, string>> = {
  '2wikimultihopqa': '2WikiMultiHopQA, ten paragraphs a question',
  '2wikimultihopqa-open': '2WikiMultiHopQA, one open corpus',
  hotpotqa: 'HotpotQA, ten paragraphs a question',
  'hotpotqa-pooled': 'HotpotQA, one pooled corpus',
  musique: 'MuSiQue, twenty paragraphs a question',
  'musique-pooled': 'MuSiQue, one pooled corpus',
};

const stepOf = (set: string): string => `open.${set}`;

export const openQuestions = (rows: readonly Row[]): Evaluation[] =>
  Object.keys(SETS).map(dataSet => ({
    name: stepOf(dataSet),
    dataSet,
    rows,
    measures: [MEASURE, ...ANSWERS_AT],
    keeps: [],
    words: CONTROLS.flatMap(name => ['--control', name]),
  }));

/** The first row of each finished step, by its data set. */
export const openQuestionRows = (
  measured: Results['measured'],
): (readonly [string, MeasuredRow])[] =>
  Object.entries(SETS).flatMap(([set, says]) => {
    const row = measured.get(stepOf(set))?.rows[0];
    return row ? [[says, row] as const] : [];
  });

/** Columns of a control's rows: with the reader as given, or as the control changes it. */
const COLUMNS: readonly (readonly [string, (row: RowResult) => boolean])[] = [
  ['never refusing', ({ control }) => control?.name === 'own-evidence'],
  ['swapped', ({ control, reader }) => isSwapped(control) && !reader.includes('support=0')],
  [
    'swapped, never refusing',
    ({ control, reader }) => isSwapped(control) && reader.includes('support=0'),
  ],
  ['question-only', ({ reader }) => reader === 'question-only'],
];

const isSwapped = (control: RowResult['control']): boolean =>
  control?.name.startsWith('swapped-evidence') === true;

/** One data set a line: F1 with its own evidence, and of each control. */
export const openQuestionsTable: Block = ({ measured }) => {
  const found = Object.entries(SETS).flatMap(([set, says]) => {
    const step = measured.get(stepOf(set));
    return step ? [{ says, step }] : [];
  });
  if (found.length === 0) return undefined;
  const cell = (row: RowResult | undefined): string => {
    const estimate = row?.measures[MEASURE];
    return estimate ? formatCounted(MEASURE, estimate) : '–';
  };
  return table(
    ['data set', 'own evidence', ...COLUMNS.map(([name]) => name)],
    found.map(({ says, step: { rows, controls } }) => [
      says,
      cell(rows[0]?.result),
      ...COLUMNS.map(([, selects]) => cell(controls.find(selects))),
    ]),
  );
};
