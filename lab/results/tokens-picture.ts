/** Draws a measure by context tokens, a line a system, as a self-contained SVG. */
import { escapeHtml } from '../../src/evaluation/report/escape.ts';
import { formatValue } from '../../src/evaluation/report/format-value.ts';
import { linePlot } from '../../src/evaluation/report/line-plot.ts';
import { FIGURE_STYLE } from '../../src/evaluation/report/page-style.ts';
import { niceScale, PLOT, seriesClass } from '../../src/evaluation/report/plot-frame.ts';
import type { MeasuredRow } from './report.ts';

export interface Line {
  readonly label: string;
  /** At ascending tokens. */
  readonly rows: readonly MeasuredRow[];
}

const KEY_WIDTH = 430;
const ROW_HEIGHT = 18;
const HEAD = 34;

/**
 * Draws each row at the tokens that it used, not at its limit. The key lists lines in the order of
 * their last points, the highest first. Returns an empty text if there is no point.
 */
export function tokensPicture(
  title: string,
  name: string,
  ticks: readonly number[],
  lines: readonly Line[],
): string {
  const series = lines
    .map(({ label, rows }) => ({ label, points: rows.flatMap(row => pointOf(row, name)) }))
    .filter(({ points }) => points.length > 0)
    .sort((a, b) => b.points.at(-1)!.y - a.points.at(-1)!.y)
    .map((curve, index) => ({ ...curve, index }));
  if (series.length === 0) return '';
  const points = series.flatMap(curve => curve.points);
  const most = Math.max(ticks.at(-1)!, ...points.map(({ x }) => x));
  const plot = linePlot({
    id: 'tokens',
    title,
    description: series
      .map(curve => `${curve.label}: ${curve.points.map(({ text }) => text).join(', ')}`)
      .join('; '),
    pointTexts: false,
    xTitle: 'context tokens (word runs), mean',
    yTitle: `${name}, %`,
    x: { min: 0, max: most, ticks },
    y: niceScale(0, Math.max(1, ...points.map(({ y }) => y))),
    series,
  });
  return framed(title, plot, series);
}

function pointOf(row: MeasuredRow, name: string): { x: number; y: number; text: string }[] {
  const [tokens, value] = [
    row.result.measures['ContextTokens']?.mean,
    row.result.measures[name]?.mean,
  ];
  if (tokens === undefined || value === undefined) return [];
  return [
    {
      x: tokens,
      y: 100 * value,
      text: `${formatValue(name, value)} at ${formatValue('ContextTokens', tokens)} tokens`,
    },
  ];
}

/** The plot with its key beside it: colour and dash of each line. */
function framed(
  title: string,
  plot: string,
  series: readonly { readonly index: number; readonly label: string }[],
): string {
  const width = PLOT.width + KEY_WIDTH;
  const height = Math.max(PLOT.height, HEAD + (series.length + 1) * ROW_HEIGHT) + HEAD;
  const entries = series.map(({ index, label }, at) => {
    const y = HEAD + 20 + at * ROW_HEIGHT;
    const line = `<path class="line" d="M${PLOT.width + 6} ${y}h26"/>`;
    return `<g class="${seriesClass(index)}">${line}</g><text class="tick" x="${PLOT.width + 40}" y="${y}" dy=".35em">${escapeHtml(label)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui,sans-serif" role="img" aria-label="${escapeHtml(title)}">`,
    `<style>${FIGURE_STYLE}</style>`,
    `<rect width="${width}" height="${height}" style="fill:var(--paper)"/>`,
    `<text class="axis" x="12" y="22">${escapeHtml(title)}</text>`,
    plot.replace('<svg ', `<svg x="0" y="${HEAD}" width="${PLOT.width}" height="${PLOT.height}" `),
    ...entries,
    '</svg>\n',
  ].join('\n');
}
