/**
 * The figures of a report: accuracy and evidence, context tokens against scores with the control
 * line, recall by k, values by type and by chain length.
 */
import { isControl } from '../controls.ts';
import type { EvaluationResult } from '../evaluation-result.ts';
import { type Curves, curveFigure } from './abstention-section.ts';
import type { DrawnRow, Figure, LegendEntry } from './figure.ts';
import { formatValue, LEAST_QUESTIONS } from './format-value.ts';
import { groupFigure, overallFigure } from './interval-figures.ts';
import { leadMeasures } from './lead-measures.ts';
import { linePlot } from './line-plot.ts';
import { niceScale } from './plot-frame.ts';
import { rowLabels } from './row-labels.ts';
import { scatterPlot } from './scatter-plot.ts';
import type { ScoredQuestions } from './scored-questions.ts';

export interface Figures {
  /** One number and one colour a row, the same in every figure. */
  readonly key: readonly LegendEntry[];
  /** Accuracy and evidence of each row. */
  readonly leading: readonly Figure[];
  readonly figures: readonly Figure[];
}

const CUT_OFF = /^EvidenceRecall@(\d+)$/;
const EVIDENCE_WORDS: Readonly<Record<string, string>> = {
  AllFacts: 'Questions whose gold facts all stand in the words that the reader got',
  FactRecall: 'Gold facts that stand in the words that the reader got',
  'AllRecall@10': 'Questions whose gold documents are all among the first 10',
  EvidenceRecall: 'Gold documents that are evidence',
};
const percent = (value: number): number => value * 100;

const isFigure = (figure: Figure | undefined): figure is Figure => figure !== undefined;

/** All figures that the result has numbers for; error bars of groups need `questions`. */
export function figuresOf(
  result: EvaluationResult,
  curves: Curves = {},
  questions?: ScoredQuestions,
): Figures {
  const labels = rowLabels(result.rows);
  const drawn = result.rows
    .filter(row => !isControl(row))
    .map((row, index) => ({ row, index, label: labels.get(row.id)! }));
  const { right, evidence, documents } = leadMeasures(result);
  const leading = [
    ...(right === undefined
      ? []
      : [overallFigure(drawn, 'accuracy', right, 'Right answers, of all questions')]),
    ...evidence.map((name, index) =>
      overallFigure(drawn, `evidence-${index + 1}`, name, EVIDENCE_WORDS[name] ?? name),
    ),
  ];
  const grouped = [...new Set([...(right === undefined ? [] : [right]), 'FactRecall', documents])];
  const figures = [
    tokensFigure(drawn, 'FactRecall', 'tokens-facts'),
    tokensFigure(drawn, documents, 'tokens-documents'),
    recallFigure(drawn),
    ...grouped.flatMap(name => [
      groupFigure(result, drawn, 'byType', name, questions),
      groupFigure(result, drawn, 'byEvidence', name, questions),
    ]),
    ...drawn.map(system => curveFigure(system, curves[system.row.id] ?? [])),
  ];
  return {
    key: drawn.map(({ index, label }) => ({ index, label })),
    leading: leading.filter(isFigure),
    figures: figures.filter(isFigure),
  };
}

/** Rows whose curves are printed the same share one line and one legend entry. */
function recallFigure(drawn: readonly DrawnRow[]): Figure | undefined {
  const cuts = [
    ...new Set(
      drawn.flatMap(({ row }) =>
        Object.keys(row.measures).flatMap(name => CUT_OFF.exec(name)?.[1] ?? []),
      ),
    ),
  ];
  const ks = cuts.map(Number).sort((a, b) => a - b);
  if (ks.length < 2) return undefined;
  const groups = new Map<string, DrawnRow[]>();
  for (const system of drawn) {
    const values = ks.map(k => system.row.measures[`EvidenceRecall@${k}`]?.mean);
    if (values.some(value => value === undefined)) continue;
    const curve = values.map(value => formatValue('EvidenceRecall', value)).join(' ');
    groups.set(curve, [...(groups.get(curve) ?? []), system]);
  }
  if (groups.size === 0) return undefined;
  const legend = [...groups.values()].map(same => ({
    index: same[0]!.index,
    label: `${same.length > 1 ? `${same.map(system => system.index + 1).join(', ')}: ` : ''}${same.map(system => system.label).join(' = ')}`,
  }));
  const series = [...groups.values()].map((same, at) => ({
    ...legend[at]!,
    points: ks.map(k => {
      const name = `EvidenceRecall@${k}`;
      const { mean, low, high, n } = same[0]!.row.measures[name]!;
      const text = `${name} ${formatValue(name, mean)}`;
      const bar = n < LEAST_QUESTIONS ? {} : { low: percent(low), high: percent(high) };
      return { x: k, y: percent(mean), text, ...bar };
    }),
  }));
  const caption = 'EvidenceRecall@k: share of gold documents among the first k of the ranking';
  const description = `Lines for k = ${ks.join(', ')}: ${series.map(system => `${system.label} reaches ${system.points.at(-1)!.text}`).join('; ')}.`;
  const scales = {
    x: { min: 0, max: ks.at(-1)! + 0.4, ticks: [0, ...ks] },
    y: niceScale(0, 100),
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
function controlLine(drawn: readonly DrawnRow[], name: string): { x: number; y: number }[] {
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

function tokensFigure(drawn: readonly DrawnRow[], name: string, id: string): Figure | undefined {
  const measured = drawn.filter(({ row }) => row.measures[name] && row.measures['ContextTokens']);
  if (measured.length === 0) return undefined;
  const points = measured.map(({ row, index, label }) => {
    const { mean: value, low, high, n } = row.measures[name]!;
    const tokens = row.measures['ContextTokens']!.mean;
    const text = `${formatValue('ContextTokens', tokens)} tokens, ${name} ${formatValue(name, value)}`;
    const bar = n < LEAST_QUESTIONS ? {} : { low: percent(low), high: percent(high) };
    return { index, label, x: tokens, y: percent(value), text, ...bar };
  });
  const control = controlLine(measured, name);
  const caption = `ContextTokens against ${name}${control.length > 1 ? '; the dashed line is greedy top-k with the same scorer and context' : ''}`;
  const scales = {
    x: niceScale(0, Math.max(...points.map(point => point.x))),
    y: niceScale(0, Math.max(...points.map(point => point.high ?? point.y), 1)),
  };
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
  const legend = points.map(({ index, label, text }) => ({ index, label: `${label}: ${text}` }));
  return { id, caption, svg, legend };
}
