/**
 * Prints `tree-hop`: the data, epochs as they end, and the figures of runs side by side.
 */

import type { Output } from '../../../src/cli/output.ts';
import { defined } from '../../../src/core/defined.ts';
import { textTable } from '../../../src/evaluation/report/text-table.ts';
import type { HeldOutScores } from '../../learning/tree-hop/held-out.ts';
import { isMention } from '../../learning/tree-hop/mention-split.ts';
import { REJECTIONS, type Rejection } from '../../learning/tree-hop/rejections.ts';
import type { EpochRecord } from '../../learning/tree-hop/training-run.ts';
import type { TreeHopFiles } from './run-files.ts';
import type { TreeHopData } from './training-data.ts';
import type { TrainingOutcome } from './training-to-files.ts';

export interface TrainedRun {
  readonly name: string;
  readonly files: TreeHopFiles;
  readonly outcome: TrainingOutcome;
  /** Questions. */
  readonly learnt: number;
  readonly heldOut: number;
}

const whole = (value: number): string => value.toLocaleString('en');

/** A line for each data set and type, then the reasons of what was left out. */
export function dataLines({ set, counts }: TreeHopData): string[] {
  const lines = counts
    .filter(({ questions }) => questions > 0)
    .map(({ dataset, type, questions, ownContext, pooled, updates, from }) => {
      const sources = Object.entries(from).map(([name, count]) => `${whole(count)} by ${name}`);
      const contexts =
        pooled === 0
          ? 'own context'
          : `${whole(ownContext)} own context, ${whole(pooled)} pooled negatives`;
      return `  ${`${dataset} ${type}`.padEnd(26)} ${whole(questions).padStart(7)} questions ${whole(updates).padStart(7)} updates  ${contexts}; ${sources.join(', ')}`;
    });
  const reasons = new Map<Rejection, number>();
  for (const { rejected } of counts)
    for (const [reason, count] of Object.entries(rejected))
      reasons.set(reason as Rejection, (reasons.get(reason as Rejection) ?? 0) + count);
  const out = [...reasons].map(
    ([reason, count]) => `  left out: ${whole(count)} ${reason}, ${REJECTIONS[reason]}`,
  );
  const updates = counts.reduce((sum, each) => sum + each.updates, 0);
  const total = `${whole(set.examples.length)} questions with ${whole(updates)} updates over ${whole(set.paragraphs.length)} distinct paragraphs; ${whole(set.rejected.length)} left out`;
  const mentions = set.examples.filter(isMention).length;
  const written =
    mentions === 0
      ? []
      : [
          `  of these, ${whole(mentions)} questions are written by rules of paragraphs that name others: learnt, never held out`,
        ];
  return [total, ...written, ...lines, ...out];
}

/** The same as an object. */
export function dataObject({ set, counts, files }: TreeHopData): object {
  return {
    questions: set.examples.length,
    mentions: set.examples.filter(isMention).length,
    paragraphs: set.paragraphs.length,
    rejected: set.rejected.length,
    kinds: counts,
    files,
  };
}

const loss = (value: number | null): string => (value === null ? '-' : value.toFixed(4));
const share = (value: number | undefined): string =>
  value === undefined ? '-' : (100 * value).toFixed(1);

export function epochLine(
  { epoch, trainingLoss, heldOutLoss, scores }: EpochRecord,
  isBest: boolean,
): string {
  const held = scores
    ? `; held out: loss ${loss(heldOutLoss)}, next hop ${share(scores.nextHop)} %, two hops ${share(scores.hop2)} %`
    : '';
  return `epoch ${epoch}: loss ${loss(trainingLoss)}${held}${isBest ? '; best' : ''}`;
}

const HEAD = ['run', 'epoch', 'loss', 'next hop', 'hop 1', 'hop 2', 'K', 'direct@K'];

const row = (
  name: string,
  epoch: string,
  lost: number | null,
  scores: HeldOutScores | null,
): string[] => [
  ...[name, epoch, loss(lost), share(scores?.nextHop), share(scores?.hop1), share(scores?.hop2)],
  ...[scores ? scores.averageK.toFixed(2) : '-', share(scores?.directAtEqualK)],
];

/** Runs beside h = q; of a single run also groups of questions. */
export function printTraining(output: Output, runs: readonly TrainedRun[]): void {
  if (output.json) {
    output.object({ runs: runs.map(runObject) });
    return;
  }
  const { baseline, groups } = runs[0]!.outcome;
  const rows = [
    row('h = q', '-', baseline.heldOutLoss, baseline.scores),
    ...runs.map(({ name, outcome: { best } }) =>
      row(name, String(best.epoch), best.heldOutLoss, best.scores),
    ),
    ...(runs.length > 1 ? [] : groups).flatMap(({ name, scores, baseline: without }) => [
      row(`  ${name} (${scores.questions})`, '', null, scores),
      row('    with h = q', '', null, without),
    ]),
  ];
  output.line(textTable({ id: 'runs', heading: '', notes: [], columns: HEAD, rows }));
  output.line();
  output.line(
    'Held-out questions, recall in %. next hop: from a gold passage the next is among the first K of all paragraphs. hop 1, hop 2: gold found by',
  );
  output.line(
    'the question, and after one layer. direct@K: gold found by the question alone, as many passages as two hops kept.',
  );
  for (const { files } of runs)
    output.line(`${files.checkpoint}; losses: ${files.picture}, ${files.curve}`);
}

function runObject({
  name,
  files,
  learnt,
  heldOut,
  outcome: { history, best, baseline, groups, resumedAt },
}: TrainedRun): object {
  return defined({
    name,
    files,
    learnt,
    heldOut,
    best,
    baseline,
    groups,
    epochs: history,
    resumedAt,
  });
}
