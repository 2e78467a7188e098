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
    const dots = pointTexts ? circles(label, at, points) : roundDots(at);
    const bars = points.map((point, i) =>
      point.low === undefined || point.high === undefined
        ? ''
        : errorBar(Number(at[i]![0]), yOf(y, point.low), yOf(y, point.high)),
    );
    const title = marked && pointTexts ? '' : `<title>${escapeHtml(label)}</title>`;
    return `<g class="${seriesClass(index)}">${title}<path class="line" d="${path}"/>${bars.join('')}${marked ? dots : ''}</g>`;
  });
  const ticks = x.ticks.map(tick => ({ x: xOf(x, tick), label: String(tick) }));
  return plotSvg(
    id,
    title,
    description,
    `${yAxis(y, yTitle)}${xAxis(ticks, xTitle)}${lines.join('')}`,
  );
}

type Place = readonly [x: string, y: string];

/** Draws each point with its text. */
function circles(label: string, at: readonly Place[], points: LineSeries['points']): string {
  const dots = at.map(([x, y], i) => {
    const text = `<title>${escapeHtml(`${label}: ${points[i]!.text}`)}</title>`;
    return `<circle class="dot" cx="${x}" cy="${y}" r="3.5">${text}</circle>`;
  });
  return dots.join('');
}

/** Draws all points at once, as lines without length whose ends are round: fewer bytes. */
const roundDots = (at: readonly Place[]): string =>
  `<path class="dots" d="${at.map(([x, y]) => `M${x} ${y}h0`).join('')}"/>`;
