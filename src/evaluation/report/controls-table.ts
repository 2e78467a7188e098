/** Tables of controls: how many questions each treats, and what its comparison shows by type. */
import type { ControlFigure, ControlSummary, EvaluationResult } from '../evaluation-result.ts';
import { formatCounted } from './format-value.ts';
import type { ReportTable } from './report-table.ts';

const NOTES = [
  'EvidenceReliance: strict accuracy with own evidence less that with the evidence of another question, on the same questions, answerable ones, the reader without abstention where it has one.',
  'FollowsEdit: share of questions whose answer becomes the new gold answer when a fact of the evidence is edited; beside it of those that were answered right before.',
  'Of two intervals the first resamples questions, the second clusters of questions that share a gold article.',
];

/** Returns the table of all summaries; without rows if there is none. */
export function controlsTable(
  { controls = [], groups }: EvaluationResult,
  labels: ReadonlyMap<string, string>,
): ReportTable {
  const types = Object.keys(groups.byType).filter(type =>
    controls.some(({ figures }) => Object.values(figures).some(({ byType }) => byType[type])),
  );
  const cells = (name: string, { all, byType }: ControlFigure): string[] =>
    [all, ...types.map(type => byType[type])].map(estimate =>
      estimate ? formatCounted(name, estimate) : '–',
    );
  return {
    id: 'controls',
    heading: 'What answers rest on',
    notes: NOTES,
    columns: ['row', 'figure', 'control', 'all', ...types],
    leftColumns: ['figure', 'control'],
    rows: controls.flatMap(summary =>
      Object.entries(summary.figures).map(([name, figure]) => [
        labels.get(summary.of) ?? summary.of,
        name,
        controlText(summary),
        ...cells(name, figure),
      ]),
    ),
  };
}

/** `swapped-evidence: 1,200 of 1,330 (sources 1,100, entities 100)`. */
export function controlText({ name, questions, treated, rules }: ControlSummary): string {
  const count = (value: number): string => value.toLocaleString('en-GB');
  const chosen = Object.entries(rules)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([rule, value]) => `${rule} ${count(value)}`);
  return `${name}: ${count(treated)} of ${count(questions)}${chosen.length > 0 ? ` (${chosen.join(', ')})` : ''}`;
}
