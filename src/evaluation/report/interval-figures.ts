/**
 * Builds the figures of values with error bars: accuracy and evidence of all rows, and measures by
 * question type or number of gold documents.
 */

import { defined } from '../../core/defined.ts';
import type { Estimate, EvaluationResult } from '../evaluation-result.ts';
import type { AskedQuestion } from '../question-records.ts';
import type { DrawnRow, Figure } from './figure.ts';
import { formatEstimate, formatValue, inPercent, LEAST_QUESTIONS } from './format-value.ts';
import { type IntervalLine, intervalPlot } from './interval-plot.ts';
import { niceScale } from './plot-frame.ts';
import { groupIntervals, type ScoredQuestions } from './scored-questions.ts';

type Range = Pick<Estimate, 'low' | 'high'>;

const scaled = (name: string, value: number): number => (inPercent(name) ? value * 100 : value);

function lineOf(
  { index, label }: DrawnRow,
  name: string,
  { value, range, n }: { readonly value: number; readonly range?: Range; readonly n: number },
): IntervalLine {
  const { low, high } = range ?? { low: value, high: value };
  const drawn = n >= LEAST_QUESTIONS && low < high;
  return defined({
    index,
    label,
    value: scaled(name, value),
    interval: drawn ? { low: scaled(name, low), high: scaled(name, high) } : undefined,
    text: range
      ? formatEstimate(name, { mean: value, low, high, n })
      : `${formatValue(name, value)} (n=${n})`,
  });
}

/** Axes of shares are whole, so that figures can be compared by eye. */
function figureOf(
  id: string,
  name: string,
  caption: string,
  groups: readonly { readonly heading: string; readonly lines: readonly IntervalLine[] }[],
): Figure {
  const lines = groups.flatMap(group => group.lines);
  const highest = Math.max(...lines.map(line => line.interval?.high ?? line.value), 0);
  const withBars = lines.some(line => line.interval !== undefined);
  const described = groups.map(
    ({ heading, lines: inside }) =>
      `${heading === '' ? '' : `${heading}: `}${inside.map(line => `${line.label} ${line.text}`).join('; ')}`,
  );
  const svg = intervalPlot({
    id,
    title: caption,
    description: described.join('. '),
    xTitle: `${name}${inPercent(name) ? ', %' : ''}${withBars ? ', with 95 % intervals' : ''}`,
    x: inPercent(name) ? niceScale(0, 100) : niceScale(0, highest || 1),
    groups,
  });
  return { id, caption, svg };
}

/** One measure over all questions; undefined if no row has it. */
export function overallFigure(
  drawn: readonly DrawnRow[],
  id: string,
  name: string,
  caption: string,
): Figure | undefined {
  const lines = drawn.flatMap(system => {
    const estimate = system.row.measures[name];
    return estimate
      ? [lineOf(system, name, { value: estimate.mean, range: estimate, n: estimate.n })]
      : [];
  });
  return lines.length === 0 ? undefined : figureOf(id, name, caption, [{ heading: '', lines }]);
}

const GROUPS = {
  byType: {
    words: 'question type',
    of: (question: AskedQuestion): string => question.type ?? 'untyped',
  },
  byEvidence: {
    words: 'number of distinct gold documents',
    of: (question: AskedQuestion): string =>
      String(new Set(question.gold.map(({ documentId }) => documentId)).size),
  },
} as const;

/** One measure by group; undefined with fewer than two groups. Error bars need `questions`. */
export function groupFigure(
  result: EvaluationResult,
  drawn: readonly DrawnRow[],
  by: keyof typeof GROUPS,
  name: string,
  questions?: ScoredQuestions,
): Figure | undefined {
  const keys = Object.keys(result.groups[by]).filter(key =>
    drawn.some(({ row }) => row[by][key]?.[name] !== undefined),
  );
  if (keys.length < 2) return undefined;
  const { words, of } = GROUPS[by];
  const groups = keys.map(key => {
    const n = result.groups[by][key]!;
    const ranges = questions && groupIntervals(questions, name, system => of(system) === key);
    const lines = drawn.flatMap(system => {
      const value = system.row[by][key]?.[name];
      const range = ranges?.get(system.row.id);
      return value === undefined ? [] : [lineOf(system, name, { value, range, n })];
    });
    return { heading: `${key} (n=${n.toLocaleString('en-GB')})`, lines };
  });
  const id = `${by}-${name.replace(/[^\w-]+/g, '-')}`;
  return figureOf(id, name, `${name} by ${words}`, groups);
}
