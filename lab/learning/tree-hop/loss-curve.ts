/** The losses of a training run by epoch as one self-contained picture. */
import { escapeHtml } from '../../../src/evaluation/report/escape.ts';
import { type LineSeries, linePlot } from '../../../src/evaluation/report/line-plot.ts';
import { FIGURE_STYLE } from '../../../src/evaluation/report/page-style.ts';
import { niceScale, PLOT, seriesClass } from '../../../src/evaluation/report/plot-frame.ts';
import type { EpochRecord } from './training-run.ts';

export interface LossCurve {
  /** The trained model, for the title. */
  readonly title: string;
  readonly history: readonly EpochRecord[];
  readonly best: number;
  /** The loss of the question itself as every next query. */
  readonly baseline: number | null;
}

const HEAD = 34;
const KEY = 26;

/** SVG: training, questions held out, and the loss that the question itself has. */
export function lossCurve({ title, history, best, baseline }: LossCurve): string {
  const lines: readonly (readonly [
    label: string,
    value: (record: EpochRecord) => number | null,
  ])[] = [
    ['training', ({ trainingLoss }) => trainingLoss],
    ['held out', ({ heldOutLoss }) => heldOutLoss],
    ['held out, h = q', () => baseline],
  ];
  const series = lines.flatMap(([label, value], index): LineSeries[] => {
    const points = history.flatMap(record => {
      const y = value(record);
      return y === null
        ? []
        : [{ x: record.epoch, y, text: `epoch ${record.epoch}: ${y.toFixed(4)}` }];
    });
    return points.length === 0 ? [] : [{ label, index, points }];
  });
  const losses = series.flatMap(({ points }) => points.map(({ y }) => y));
  const epochs = niceScale(0, Math.max(1, ...history.map(({ epoch }) => epoch)));
  const plot = linePlot({
    id: 'loss',
    title,
    series,
    xTitle: 'epoch',
    yTitle: 'InfoNCE loss of the updates',
    description: `Loss by epoch; epoch ${best} was kept`,
    x: { ...epochs, ticks: epochs.ticks.filter(Number.isInteger) },
    y: niceScale(Math.min(0, ...losses), Math.max(0.1, ...losses)),
  });
  const height = PLOT.height + HEAD + KEY;
  const key = series.map(({ label, index }, at) => {
    const x = PLOT.left + at * 150;
    return `<g class="${seriesClass(index)}"><circle class="mark" cx="${x}" cy="${height - 14}" r="6"/></g><text class="tick" x="${x + 12}" y="${height - 10}">${escapeHtml(label)}</text>`;
  });
  const heading = `${title}; epoch ${best} was kept`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PLOT.width}" height="${height}" viewBox="0 0 ${PLOT.width} ${height}" font-family="system-ui,sans-serif" role="img" aria-label="${escapeHtml(heading)}">`,
    `<style>${FIGURE_STYLE}</style>`,
    `<rect width="${PLOT.width}" height="${height}" style="fill:var(--paper)"/>`,
    `<text class="axis" x="12" y="22">${escapeHtml(heading)}</text>`,
    plot.replace('<svg ', `<svg x="0" y="${HEAD}" width="${PLOT.width}" height="${PLOT.height}" `),
    ...key,
    '</svg>\n',
  ].join('\n');
}
