/** Tables of answers beside their controls: no evidence, and the evidence of another question. */
import { OWN_EVIDENCE } from '../../src/evaluation/answer-controls/controlled-rows.ts';
import { EVIDENCE_RELIANCE } from '../../src/evaluation/control-figures.ts';
import type { RowResult } from '../../src/evaluation/evaluation-result.ts';
import { formatCounted, formatValue } from '../../src/evaluation/report/format-value.ts';
import { type Block, type Measured, of } from './report.ts';
import { table } from './tables.ts';

const STRICT = 'QaAccuracy(strict)';
const [QUESTION_ONLY, SWAPPED] = ['question-only', 'swapped-evidence'];

/** Words of `eval` for both controls. */
export const BOTH_CONTROLS: readonly string[] = [QUESTION_ONLY, SWAPPED].flatMap(name => [
  '--control',
  name!,
]);

/** Says what the columns hold. */
export const CONTROLS_TEXT = `Strict accuracy. *question-only*: a classifier of the words of the question, fitted on other folds by
fact; it reads no document. *swapped*: the reader gets the evidence of another question of the same
type that has the sources, else a name, which the question names, and none of its gold articles;
questions without such a partner do not count. *always answers*: the reader without abstention.
\`EvidenceReliance\` is the difference of the last two over answerable questions with a partner, paired,
with its 95 % intervals over questions and over clusters of questions that share a gold article.`;

const COLUMNS: readonly string[] = [
  ...['question-only', 'own evidence', 'swapped'],
  ...['own, always answers', 'swapped, always answers', EVIDENCE_RELIANCE],
];

const strict = (row: RowResult | undefined): string =>
  formatValue(STRICT, row?.measures[STRICT]?.mean);

/** The cells of one row of a step that was run with both controls. */
function cellsOf(row: RowResult, { controls }: Measured): string[] {
  const ofRow = controls.filter(({ control }) => control?.of === row.id);
  const always = ofRow.find(({ control }) => control?.name === OWN_EVIDENCE) ?? row;
  const swapped = ofRow.filter(({ control }) => control?.name.startsWith(SWAPPED!));
  const by = (reader: string): string => strict(swapped.find(each => each.reader === reader));
  const reliance = row.measures[EVIDENCE_RELIANCE];
  return [
    strict(controls.find(({ reader }) => reader === QUESTION_ONLY)),
    ...[strict(row), by(row.reader), strict(always), by(always.reader)],
    reliance ? formatCounted(EVIDENCE_RELIANCE, reliance) : '–',
  ];
}

/** One row of the step a line. */
export const besideControls = (name: string): Block =>
  of(name, step =>
    table(
      ['row', ...COLUMNS],
      step.rows.map(({ label, result }) => [label, ...cellsOf(result, step)]),
    ),
  );

/** The first row of each finished step a line, by the label of the step. */
export const stepsBesideControls =
  (heading: string, steps: Readonly<Record<string, string>>): Block =>
  ({ measured }) => {
    const lines = Object.entries(steps).flatMap(([label, name]) => {
      const step = measured.get(name);
      return step ? [[label, ...cellsOf(step.rows[0]!.result, step)]] : [];
    });
    return lines.length === 0 ? undefined : table([heading, ...COLUMNS], lines);
  };
