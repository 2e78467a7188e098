/**
 * Grouped bars: a measure by question type or by chain length, one bar a row, each with its row's
 * number where there is room.
 */
import { escapeHtml } from './escape.ts';
import { number, PLOT, plotSvg, type Scale, seriesClass, xAxis, yAxis, yOf } from './plot-frame.ts';

export interface BarSeries {
  readonly label: string;
  /** The place in the legend, which decides the colour. */
  readonly index: number;
  /** One value a group; undefined where there is none. */
  readonly values: readonly (number | undefined)[];
  readonly texts: readonly string[];
}

export interface BarPlot {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly y: Scale;
  readonly groups: readonly string[];
  readonly series: readonly BarSeries[];
}

export function barPlot({
  id,
  title,
  description,
  xTitle,
  yTitle,
  y,
  groups,
  series,
}: BarPlot): string {
  const slot = (PLOT.width - PLOT.left - PLOT.right) / Math.max(1, groups.length);
  const width = (slot * 0.84) / Math.max(1, series.length);
  const bottom = yOf(y, y.min);
  const bars = series.map(({ label, index, values, texts }, s) => {
    const rects = values.map((value, g) => {
      if (value === undefined) return '';
      const left = PLOT.left + g * slot + slot * 0.08 + s * width;
      const top = yOf(y, value);
      const gap = Math.min(1.5, width * 0.12);
      const tag =
        width < 9
          ? ''
          : `<text class="tag" x="${number(left + width / 2)}" y="${number(top - 3)}" text-anchor="middle">${index + 1}</text>`;
      return `${tag}<rect class="bar" x="${number(left + gap / 2)}" y="${number(top)}" width="${number(width - gap)}" height="${number(bottom - top)}"><title>${escapeHtml(`${label}, ${groups[g]}: ${texts[g]}`)}</title></rect>`;
    });
    return `<g class="${seriesClass(index)}">${rects.join('')}</g>`;
  });
  const labels = groups.map((label, g) => ({ x: PLOT.left + (g + 0.5) * slot, label }));
  return plotSvg(
    id,
    title,
    description,
    `${yAxis(y, yTitle)}${bars.join('')}${xAxis(labels, xTitle)}`,
  );
}
