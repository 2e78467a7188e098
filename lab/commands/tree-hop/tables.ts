/**
 * Prints `tree-hop`: the data, epochs as they end, and the figures of runs side by side.
 */

import type { Output } from '../../../src/cli/output.ts';
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

/**
 * Runs beside h = q; the mean of several splits; then groups of questions. `final`: the run over
 * all questions after a cross-validation.
 */
export function printTraining(
  output: Output,
  runs: readonly TrainedRun[],
  final?: TrainedRun,
): void {
  if (output.json) {
    output.object({
      runs: runs.map(runObject),
      ...(final ? { mean: meanOf(runs), final: runObject(final) } : {}),
    });
    return;
  }
  const splits = final !== undefined;
  const { baseline } = runs[0]!.outcome;
  const rows = [
    ...(splits ? [] : [row('h = q', '-', baseline.heldOutLoss, baseline.scores)]),
    ...runs.map(({ name, outcome: { best } }) =>
      row(name, String(best.epoch), best.heldOutLoss, best.scores),
    ),
  ];
  if (splits) {
    const { loss: mean, scores } = meanOf(runs);
    rows.push(row('mean', '-', mean, scores));
  }
  if (!splits && runs.length === 1)
    for (const { name, scores, baseline: without } of runs[0]!.outcome.groups) {
      rows.push(row(`  ${name} (${scores.questions})`, '', null, scores));
      rows.push(row('    with h = q', '', null, without));
    }
  for (const line of table([HEAD, ...rows])) output.line(line);
  output.line();
  output.line(
    'Held-out questions, recall in %. next hop: from a gold passage the next is among the first K of all paragraphs. hop 1, hop 2: gold found by',
  );
  output.line(
    'the question, and after one layer. direct@K: gold found by the question alone, as many passages as two hops kept.',
  );
  if (splits) output.line('Each fold shows its own best epoch, which flatters it a little.');
  for (const { files } of final ? [final] : runs)
    output.line(`${files.checkpoint}; losses: ${files.picture}, ${files.curve}`);
}

/** Weighted by questions held out. */
function meanOf(runs: readonly TrainedRun[]): {
  loss: number | null;
  scores: HeldOutScores | null;
} {
  const scored = runs.flatMap(({ outcome: { best } }) =>
    best.scores ? [{ lost: best.heldOutLoss!, scores: best.scores }] : [],
  );
  const questions = scored.reduce((sum, { scores }) => sum + scores.questions, 0);
  if (questions === 0) return { loss: null, scores: null };
  const mean = (of: (one: (typeof scored)[number]) => number): number =>
    scored.reduce((sum, one) => sum + of(one) * one.scores.questions, 0) / questions;
  return {
    loss: mean(({ lost }) => lost),
    scores: {
      questions,
      updates: scored.reduce((sum, { scores }) => sum + scores.updates, 0),
      nextHop: mean(({ scores }) => scores.nextHop),
      hop1: mean(({ scores }) => scores.hop1),
      hop2: mean(({ scores }) => scores.hop2),
      averageK: mean(({ scores }) => scores.averageK),
      directAtEqualK: mean(({ scores }) => scores.directAtEqualK),
    },
  };
}

function runObject({
  name,
  files,
  learnt,
  heldOut,
  outcome: { history, best, baseline, groups, resumedAt },
}: TrainedRun): object {
  return {
    name,
    files,
    learnt,
    heldOut,
    best,
    baseline,
    groups,
    epochs: history,
    ...(resumedAt === undefined ? {} : { resumedAt }),
  };
}

/** The first column to the left, others to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(cells => cells[column]!.length)));
  return rows.map(cells =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}
