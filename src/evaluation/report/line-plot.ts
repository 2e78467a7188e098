/** Lines over an ordered axis: recall by cut-off. */

import { escapeHtml } from './escape.ts';
import {
  errorBar,
  number,
  plotSvg,
  type Scale,
  seriesClass,
  xAxis,
  xOf,
  yAxis,
  yOf,
} from './plot-frame.ts';

export interface LineSeries {
  readonly label: string;
  /** The place in the legend, which decides the colour. */
  readonly index: number;
  readonly points: readonly {
    readonly x: number;
    readonly y: number;
    /** Ends of the error bar of y; missing without an interval. */
    readonly low?: number;
    readonly high?: number;
    readonly text: string;
  }[];
}

export interface LinePlot {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly x: Scale;
  readonly y: Scale;
  readonly series: readonly LineSeries[];
  /** Marks points; true when missing. */
  readonly dots?: boolean;
  /** Adds a text to each point beside those of the description; true when missing. */
  readonly pointTexts?: boolean;
}

export function linePlot({
  id,
  title,
  description,
  xTitle,
  yTitle,
  x,
  y,
  series,
  dots: marked = true,
  pointTexts = true,
}: LinePlot): string {
  const lines = series.map(({ label, index, points }) => {
    const at = points.map(point => [number(xOf(x, point.x)), number(yOf(y, point.y))] as const);
    const path = at.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${px} ${py}`).join('');
    const textOf = (text: string): string =>
      pointTexts ? `<title>${escapeHtml(`${label}: ${text}`)}</title>` : '';
    const dots = at.map(
      ([px, py], i) =>
        `<circle class="dot" cx="${px}" cy="${py}" r="3.5">${textOf(points[i]!.text)}</circle>`,
    );
    const bars = points.map((point, i) =>
      point.low === undefined || point.high === undefined
        ? ''
        : errorBar(Number(at[i]![0]), yOf(y, point.low), yOf(y, point.high)),
    );
    const title = marked && pointTexts ? '' : `<title>${escapeHtml(label)}</title>`;
    return `<g class="${seriesClass(index)}">${title}<path class="line" d="${path}"/>${bars.join('')}${marked ? dots.join('') : ''}</g>`;
  });
  const ticks = x.ticks.map(tick => ({ x: xOf(x, tick), label: String(tick) }));
  return plotSvg(
    id,
    title,
    description,
    `${yAxis(y, yTitle)}${xAxis(ticks, xTitle)}${lines.join('')}`,
  );
}
