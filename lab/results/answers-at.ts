/** The second row of answers: how many are given from a probability on, and how many are right. */
import { formatCounted } from '../../src/evaluation/report/format-value.ts';
import type { Block, MeasuredRow } from './report.ts';
import { table } from './tables.ts';

/** The least probability of an answer that `ask` gives by default. */
const AT = 0.7;
const [ANSWERED, RIGHT] = [`AnsweredAt(${AT})`, `RightAt(${AT})`];

/** Measures of a step whose answers stand in the table. */
export const ANSWERS_AT: readonly string[] = [0, AT].flatMap(at => [
  `AnsweredAt(${at})`,
  `RightAt(${at})`,
]);

/** Says what the rows hold. */
export const ANSWERS_AT_TEXT: string = `Every answer is shown above (\`--answer-at 0\`). \`ask\` gives an answer only from a probability on, by
default ${AT}: the same answers once more, all of them and those that stand then. *answered* is the
share of answerable questions, *right* the share of the answers given, any answer to a null question
being wrong; n counts the questions behind each figure.`;

/** Two rows a measured row, by the label that it gets: all answers, and those from ${AT} on. */
export const answersAt =
  (
    heading: string,
    rowsOf: (
      measured: Parameters<Block>[0]['measured'],
    ) => readonly (readonly [string, MeasuredRow])[],
  ): Block =>
  ({ measured }) => {
    const rows = rowsOf(measured).filter(([, { result }]) => result.measures[ANSWERED!]);
    if (rows.length === 0) return undefined;
    const cell = ({ result: { measures } }: MeasuredRow, name: string): string =>
      measures[name] ? formatCounted(name, measures[name]) : '–';
    return table(
      [heading, 'answers from', 'answered', 'right when answered'],
      rows.flatMap(([label, row]) => [
        [label, '0', cell(row, 'AnsweredAt(0)'), cell(row, 'RightAt(0)')],
        [label, String(AT), cell(row, ANSWERED!), cell(row, RIGHT!)],
      ]),
    );
  };
