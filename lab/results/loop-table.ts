/** The loop of EfficientRAG beside the first K of its own first search, read from kept traces. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDataSet } from '../../src/documents/data-sets.ts';
import { drawResamples } from '../../src/evaluation/resamples.ts';
import { findData } from '../../src/experiments/find-data.ts';
import { recordedTraces } from '../../src/experiments/trace-reader.ts';
import {
  type LoopOutcome,
  loopOutcome,
  loopScores,
} from '../learning/efficient-rag/held-out-recall.ts';
import { type Block, of } from './report.ts';
import { percent, table } from './tables.ts';

/** The mean over questions with its 95 % percentile bootstrap interval. */
function meanText(
  outcomes: readonly LoopOutcome[],
  value: (outcome: LoopOutcome) => number,
): string {
  const { resamples, counts } = drawResamples(outcomes.length);
  const values = outcomes.map(value);
  const n = values.length;
  const means = Array.from(
    { length: resamples },
    (_, b) => values.reduce((sum, value, i) => sum + value * counts[b * n + i]!, 0) / n,
  ).sort((x, y) => x - y);
  const at = (share: number): string => percent(means[Math.floor(share * resamples)]!);
  return `${percent(values.reduce((sum, value) => sum + value, 0) / n)} [${at(0.025)}, ${at(0.975)}]`;
}

async function outcomesOf(
  file: string,
  gold: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<LoopOutcome[]> {
  const outcomes: LoopOutcome[] = [];
  for (const { asked, read } of await recordedTraces(file)) {
    const documents = gold.get(asked.question.id);
    if (documents !== undefined && documents.size > 0)
      outcomes.push(loopOutcome(await read(), documents));
  }
  return outcomes;
}

/** Each row: recall, K, rounds, and Direct-R at the mean K, at each question's K and at k. */
export const loopTable = (name: string, dataSet: string, data: string): Block =>
  of(name, async ({ rows, kept }) => {
    const { examples } = await readDataSet(dataSet, findData(dataSet, {}, data));
    const gold = new Map(
      examples.map(({ id, gold: items }) => [id, new Set(items.map(item => item.documentId))]),
    );
    const folder = join(kept, 'traces');
    const files = readdirSync(folder).sort();
    const lines: string[][] = [];
    for (const [index, row] of rows.entries()) {
      const outcomes = await outcomesOf(join(folder, files[index]!), gold);
      const k = Number(/k=(\d+)/.exec(row.strategy)![1]);
      const scores = loopScores(outcomes);
      const direct = ({ direct: at }: LoopOutcome): number => at[Math.min(k, at.length - 1)]!;
      lines.push([
        ...[row.retriever, String(k), meanText(outcomes, outcome => outcome.recall)],
        ...[scores.k, scores.rawK, scores.rounds].map(value => value.toFixed(2)),
        ...[scores.directAtMeanK, scores.directAtOwnK].map(percent),
        meanText(outcomes, ({ recall, directAtOwnK }) => recall - directAtOwnK),
        percent(outcomes.reduce((sum, outcome) => sum + direct(outcome), 0) / outcomes.length),
      ]);
    }
    return table(COLUMNS, lines);
  });

const COLUMNS = [
  ...['retriever', 'k', 'recall', 'K', 'K with repeats', 'rounds'],
  ...['Direct-R at the mean K', 'Direct-R at each question’s K', 'difference', 'Direct-R@k'],
];
