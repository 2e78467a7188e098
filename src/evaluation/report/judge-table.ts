/**
 * A judge's accuracy in a report, beside the offline rules, with its agreement with them: who
 * judged, and what to make of it.
 */
import type { EvaluationResult } from '../evaluation-result.ts';
import type { ReportTable } from './report-table.ts';

export const isJudgeMeasure = (name: string): boolean =>
  /^Judge(?:Accuracy|Unparsed|Agreement|Kappa)\b/.test(name);

const BESIDE = ['QaAccuracy(strict)', 'QaAccuracy(clean)'];

/** `table` renders measures of all rows with intervals. Without a judge it has no rows. */
export function judgeTable(
  { rows, manifest }: EvaluationResult,
  table: (id: string, heading: string, names: readonly string[]) => ReportTable,
): ReportTable {
  const names = [...new Set(rows.flatMap(row => Object.keys(row.measures)))].filter(isJudgeMeasure);
  const beside = names.length === 0 ? [] : BESIDE;
  const made = table('judge', 'Answers by a judge, beside the offline rules', [
    ...names,
    ...beside,
  ]);
  return { ...made, notes: [...judgeNotes(manifest['judge']), ...made.notes] };
}

interface JudgeManifest {
  readonly id: string;
  readonly scripted?: boolean;
  readonly answersToo?: boolean;
  readonly verdicts: number;
  readonly missing: Readonly<Record<string, number>>;
}

function judgeNotes(given: unknown): string[] {
  if (typeof given !== 'object' || given === null) return [];
  const { id, scripted, answersToo, verdicts, missing = {} } = given as JudgeManifest;
  const without = Object.entries(missing).map(([why, count]) => `${why} ${count}`);
  return [
    `Judge: ${id}, ${verdicts} answers.`,
    ...(scripted
      ? [
          'The judge is a script, QaAccuracy(clean) in the place of a model: what it says is no second opinion.',
        ]
      : []),
    ...(answersToo
      ? ['The judge is the model that answers: models favour their own answers.']
      : []),
    ...(without.length > 0
      ? [
          `Answers without a verdict, left out of JudgeAccuracy and counted by JudgeUnparsed: ${without.join(', ')}.`,
        ]
      : []),
    'JudgeKappa is Cohen’s kappa with the rule: 1 full agreement, 0 what chance gives; an en dash where both always say the same.',
  ];
}
