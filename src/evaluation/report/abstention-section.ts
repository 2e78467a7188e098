/** The abstention curve in a report: a table of some of its points, and a figure a row. */
import type { CurvePoint } from '../abstention-curve.ts';
import type { Figure, LegendEntry } from './figure.ts';
import { formatValue } from './format-value.ts';
import { linePlot } from './line-plot.ts';
import { niceScale } from './plot-frame.ts';
import type { ReportTable } from './report-table.ts';

/** Abstention curves by row id, points in ascending order of threshold. */
export type Curves = Readonly<Record<string, readonly CurvePoint[]>>;

const LINES = [
  { key: 'abstainedNull', label: 'AbstainedNull' },
  { key: 'refusedAnswerable', label: 'RefusedAnswerable' },
  { key: 'accuracy', label: 'accuracy' },
] as const;

/** Points of a curve that are printed. */
const PRINTED = 12;

/** At most `count` points, evenly spread over the curve, its first and last among them. */
function thinned(points: readonly CurvePoint[], count: number): CurvePoint[] {
  if (points.length <= count) return [...points];
  return Array.from(
    { length: count },
    (_, i) => points[Math.round((i * (points.length - 1)) / (count - 1))]!,
  );
}

export function curveTable(curves: Curves, labels: ReadonlyMap<string, string>): ReportTable {
  const rows = Object.entries(curves).flatMap(([id, points]) =>
    thinned(points, PRINTED).map(point => [
      labels.get(id) ?? id,
      point.threshold === null ? 'all refused' : point.threshold.toFixed(3),
      ...LINES.map(({ key }) => formatValue('AbstainedNull', point[key])),
    ]),
  );
  return {
    id: 'abstention',
    heading: 'Abstention curve',
    notes: [
      'Answers with less support than the threshold are refused. Accuracy: null questions refused, the others answered and right.',
    ],
    columns: ['system', 'support below', ...LINES.map(({ label }) => label)],
    rows,
    folded: true,
  };
}

/**
 * One row's curve, with support on the horizontal axis. Undefined for fewer than two thresholds.
 */
export function curveFigure(
  { index, label }: LegendEntry,
  points: readonly CurvePoint[],
): Figure | undefined {
  const kept = thinned(
    points.filter(point => point.threshold !== null),
    120,
  );
  if (kept.length < 2) return undefined;
  const id = `abstention-${index + 1}`;
  const caption = `Abstention curve of row ${index + 1}, ${label}`;
  const legend = LINES.map((line, at) => ({ index: at, label: line.label }));
  const series = LINES.map(({ key, label: name }, at) => ({
    index: at,
    label: name,
    points: kept.map(point => ({
      x: point.threshold!,
      y: point[key] * 100,
      text: `${formatValue('AbstainedNull', point[key])} at threshold ${point.threshold!.toFixed(3)}`,
    })),
  }));
  const best = kept.reduce((a, b) => (b.accuracy > a.accuracy ? b : a));
  const description = `Best accuracy ${formatValue('AbstainedNull', best.accuracy)} at threshold ${best.threshold!.toFixed(3)}.`;
  const x = niceScale(0, Math.max(1, kept.at(-1)!.threshold!));
  const titles = { xTitle: 'threshold of support', yTitle: '%' };
  const svg = linePlot({
    id,
    title: caption,
    description,
    ...titles,
    x,
    y: niceScale(0, 100),
    series,
    dots: false,
  });
  return { id, caption, svg, legend, byMeasure: true };
}
