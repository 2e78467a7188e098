/** Blocks of the report on graphs that say what the figures show: the goal, and the worth. */
import {
  besideSearch,
  bestSearch,
  finishedRows,
  type GraphSteps,
  lessRow,
  recallText,
} from '../graph-tables.ts';
import { type Block, type MeasuredRow, meanOf, type Results } from '../report.ts';
import {
  bestGainText,
  bestOf,
  type Compared,
  noLossText,
  type Rival,
  verdictText,
  worthSummary,
  worthText,
} from '../verdicts.ts';
import { BM25, DIRECT_R, FACT_LANES } from './graphs-rows.ts';

/** No row of the goal loses to its own search. */
export const noLoss =
  (sets: readonly GraphSteps[]): Block =>
  async results => {
    const compared: Compared[] = [];
    for (const steps of sets)
      compared.push(...(await besideSearch(results, steps)).filter(({ goal }) => goal));
    const done = new Set(compared.map(({ label, set }) => `${label} on ${set}`));
    const all = sets.flatMap(({ heading, rows }) =>
      rows.filter(({ goal }) => goal).map(({ label }) => `${label} on ${heading}`),
    );
    if (compared.length === 0) return undefined;
    const said = noLossText(
      compared,
      all.filter(name => !done.has(name)),
    );
    return `No row, run without a model, loses to its own search on any corpus:\n\n${said}`;
  };

/** The best row of the goal gains over BM25 on the set. */
export const bestGain =
  (steps: GraphSteps): Block =>
  results => {
    const rows = finishedRows(results, steps.rows);
    const plain = rows.find(({ label }) => label === BM25);
    if (!plain) return undefined;
    const compared = rows
      .filter(({ goal }) => goal)
      .flatMap(({ label, row }) => {
        const less = lessRow(row, plain.row);
        return less ? [{ label, set: steps.heading, row, ...less }] : [];
      });
    if (compared.length === 0) return undefined;
    return `The best row gains 8 points of Recall@5 over BM25 on ${steps.heading}:\n\n${bestGainText(compared)}${overBestSearch(bestOf(compared).row, bestSearch(results, steps))}`;
  };

/** BM25 over a smaller unit may find more than BM25 over documents. */
function overBestSearch(row: MeasuredRow, search: MeasuredRow | undefined): string {
  const less = search && lessRow(row, search);
  return less
    ? ` Over the best search alone, BM25 ${search.label.replace('search ', '')} (${recallText(search)}), it is ${less.text}: ${verdictText(less.difference)}.`
    : '';
}

/** The best graph row of a set beside the rows without a graph. */
function worthOf(
  results: Results,
  { heading, rows: all }: GraphSteps,
): { readonly text: string; readonly rivals: readonly Rival[] } | undefined {
  const rows = finishedRows(results, all);
  const graphs = rows.filter(({ graph }) => graph);
  if (graphs.length === 0) return undefined;
  const value = ({ row }: (typeof rows)[number]): number => meanOf(row, 'Recall@5') ?? 0;
  const best = graphs.reduce((a, b) => (value(b) > value(a) ? b : a));
  const rivals = [BM25, DIRECT_R, FACT_LANES].flatMap((label): Rival[] => {
    const rival = rows.find(row => row.label === label);
    const less = rival && lessRow(best.row, rival.row);
    return rival && less ? [{ row: label, value: recallText(rival.row), ...less }] : [];
  });
  if (rivals.length === 0) return undefined;
  const of = { row: best.label, value: recallText(best.row), of: graphs.length };
  return { text: worthText(heading, of, rivals), rivals };
}

/** Says what a graph is worth without a model, set by set and in sum. */
export const worth =
  (sets: readonly GraphSteps[]): Block =>
  results => {
    const found = sets.flatMap(steps => worthOf(results, steps) ?? []);
    if (found.length === 0) return undefined;
    return [
      worthSummary(found.map(({ rivals }) => rivals)),
      found.map(({ text }) => text).join('\n'),
    ].join('\n\n');
  };
