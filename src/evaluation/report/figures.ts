/**
 * The figures of a report: recall by k, context tokens against scores with the control line, bars
 * by type and by chain length.
 */
import { isControl } from '../controls.ts';
import type { EvaluationResult, RowResult } from '../evaluation-result.ts';
import { type Curves, curveFigure } from './abstention-section.ts';
import { barPlot } from './bar-plot.ts';
import type { Figure, LegendEntry } from './figure.ts';
import { formatValue } from './format-value.ts';
import { linePlot } from './line-plot.ts';
import { niceScale } from './plot-frame.ts';
import { rowLabels } from './row-labels.ts';
import { scatterPlot } from './scatter-plot.ts';

export interface Figures {
  /** One number and one colour a row, the same in every figure. */
  readonly key: readonly LegendEntry[];
  readonly figures: readonly Figure[];
}

/** A row with its label and its place in the legend: the same colour and number in every figure. */
interface Drawn extends LegendEntry {
  readonly row: RowResult;
}

const EM = 'RetrievalConditionedEM(answerable)';
const CUT_OFF = /^EvidenceRecall@(\d+)$/;
const percent = (value: number): number => value * 100;

/** All figures that the result has numbers for. */
export function figuresOf(result: EvaluationResult, curves: Curves = {}): Figures {
  const labels = rowLabels(result.rows);
  const drawn = result.rows
    .filter(row => !isControl(row))
    .map((row, index) => ({ row, index, label: labels.get(row.id)! }));
  const figures: (Figure | undefined)[] = [
    tokensFigure(drawn, 'FactRecall'),
    tokensFigure(drawn, EM),
    recallFigure(drawn),
    ...['FactRecall', EM].flatMap(name => [
      groupFigure(result, drawn, 'byType', name),
      groupFigure(result, drawn, 'byEvidence', name),
    ]),
    ...drawn.map(one => curveFigure(one, curves[one.row.id] ?? [])),
  ];
  return {
    key: drawn.map(({ index, label }) => ({ index, label })),
    figures: figures.filter(figure => figure !== undefined),
  };
}

/** Rows whose curves are printed the same share one line and one legend entry. */
function recallFigure(drawn: readonly Drawn[]): Figure | undefined {
  const cuts = [
    ...new Set(
      drawn.flatMap(({ row }) =>
        Object.keys(row.measures).flatMap(name => CUT_OFF.exec(name)?.[1] ?? []),
      ),
    ),
  ];
  const ks = cuts.map(Number).sort((a, b) => a - b);
  if (ks.length < 2) return undefined;
  const groups = new Map<string, Drawn[]>();
  for (const one of drawn) {
    const values = ks.map(k => one.row.measures[`EvidenceRecall@${k}`]?.mean);
    if (values.some(value => value === undefined)) continue;
    const curve = values.map(value => formatValue('EvidenceRecall', value)).join(' ');
    groups.set(curve, [...(groups.get(curve) ?? []), one]);
  }
  if (groups.size === 0) return undefined;
  const legend = [...groups.values()].map(same => ({
    index: same[0]!.index,
    label: `${same.length > 1 ? `${same.map(one => one.index + 1).join(', ')}: ` : ''}${same.map(one => one.label).join(' = ')}`,
  }));
  const series = [...groups.values()].map((same, at) => ({
    ...legend[at]!,
    points: ks.map(k => {
      const name = `EvidenceRecall@${k}`;
      const value = same[0]!.row.measures[name]!.mean;
      return { x: k, y: percent(value), text: `${name} ${formatValue(name, value)}` };
    }),
  }));
  const caption = 'EvidenceRecall@k: share of gold documents among the first k of the ranking';
  const description = `Lines for k = ${ks.join(', ')}: ${series.map(one => `${one.label} reaches ${one.points.at(-1)!.text}`).join('; ')}.`;
  const values = series.flatMap(one => one.points.map(point => point.y));
  const scales = {
    x: { min: ks[0]! - 0.4, max: ks.at(-1)! + 0.4, ticks: ks },
    y: niceScale(Math.min(...values), 100),
  };
  const svg = linePlot({
    id: 'recall-by-k',
    title: caption,
    description,
    xTitle: 'k, documents',
    yTitle: 'recall, %',
    ...scales,
    series,
  });
  return { id: 'recall-by-k', caption, svg, legend };
}

/**
 * Greedy top-k under one context, fixed or at an equal budget: what any cleverer choice of
 * documents must beat at the same cost.
 */
function controlLine(drawn: readonly Drawn[], name: string): { x: number; y: number }[] {
  const greedy = drawn.filter(({ row }) =>
    /^(?:fixed-top-k|equal-budget-top-k)\b/.test(row.strategy),
  );
  const contexts = greedy.map(({ row }) => row.context);
  const main = contexts.find(context => contexts.filter(other => other === context).length > 1);
  return greedy
    .filter(({ row }) => row.context === main)
    .map(({ row }) => ({
      x: row.measures['ContextTokens']!.mean,
      y: percent(row.measures[name]!.mean),
    }))
    .sort((a, b) => a.x - b.x);
}

function tokensFigure(drawn: readonly Drawn[], name: string): Figure | undefined {
  const measured = drawn.filter(({ row }) => row.measures[name] && row.measures['ContextTokens']);
  if (measured.length === 0) return undefined;
  const points = measured.map(({ row, index, label }) => {
    const [tokens, value] = [row.measures['ContextTokens']!.mean, row.measures[name]!.mean];
    const text = `${formatValue('ContextTokens', tokens)} tokens, ${name} ${formatValue(name, value)}`;
    return { index, label, x: tokens, y: percent(value), text };
  });
  const control = controlLine(measured, name);
  const caption = `ContextTokens against ${name}${control.length > 1 ? '; the dashed line is greedy top-k with the same scorer and context' : ''}`;
  const scales = {
    x: niceScale(0, Math.max(...points.map(point => point.x))),
    y: niceScale(0, Math.max(...points.map(point => point.y), 1)),
  };
  const id = `tokens-${name === EM ? 'em' : 'facts'}`;
  const description = points
    .map(point => `${point.index + 1} ${point.label}: ${point.text}`)
    .join('; ');
  const svg = scatterPlot({
    id,
    title: caption,
    description,
    xTitle: 'context tokens (word runs), mean',
    yTitle: `${name}, %`,
    ...scales,
    points,
    control,
  });
  return { id, caption, svg };
}

function groupFigure(
  result: EvaluationResult,
  drawn: readonly Drawn[],
  by: 'byType' | 'byEvidence',
  name: string,
): Figure | undefined {
  const groups = Object.keys(result.groups[by]).filter(key =>
    drawn.some(({ row }) => row[by][key]?.[name] !== undefined),
  );
  const measured = drawn.filter(({ row }) =>
    groups.some(key => row[by][key]?.[name] !== undefined),
  );
  if (groups.length === 0) return undefined;
  const series = measured.map(({ row, index, label }) => {
    const values = groups.map(key => row[by][key]?.[name]);
    return {
      index,
      label,
      values: values.map(value => (value === undefined ? undefined : percent(value))),
      texts: values.map(value => formatValue(name, value)),
    };
  });
  const what = by === 'byType' ? 'question type' : 'number of distinct gold documents';
  const caption = `${name} by ${what}`;
  const description = series
    .map(one => `${one.label}: ${groups.map((key, g) => `${key} ${one.texts[g]}`).join(', ')}`)
    .join('; ');
  const highest = Math.max(1, ...series.flatMap(one => one.values.map(value => value ?? 0)));
  const id = `${by}-${name === EM ? 'em' : 'facts'}`;
  const labels = groups.map(key => `${key} (${result.groups[by][key]})`);
  const svg = barPlot({
    id,
    title: caption,
    description,
    xTitle: `${what} (questions)`,
    yTitle: '%',
    y: niceScale(0, highest),
    groups: labels,
    series,
  });
  return { id, caption, svg };
}
