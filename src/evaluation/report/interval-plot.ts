/**
 * Values with their error bars, one under the other on one axis: each line bears the name of its
 * system above its mark and the value beside it.
 */
import { escapeHtml } from './escape.ts';
import { number, PLOT, plotSvg, type Scale, seriesClass } from './plot-frame.ts';

export interface IntervalLine {
  readonly label: string;
  /** The place in the legend, which decides the colour. */
  readonly index: number;
  readonly value: number;
  /** The ends of the error bar, in the unit of the value; missing without an interval. */
  readonly interval?: { readonly low: number; readonly high: number };
  /** The value and its interval in words. */
  readonly text: string;
}

export interface IntervalPlot {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly xTitle: string;
  readonly x: Scale;
  /** Lines under a heading each; an empty heading takes no room. */
  readonly groups: readonly { readonly heading: string; readonly lines: readonly IntervalLine[] }[];
}

const LEFT = 14;
/** Room for `100.00 [100.00, 100.00] (n=1,000)` right of the axis. */
const RIGHT = 190;
const LINE = 38;
const HEADING = 30;
const AXIS = 48;
/** Characters of a name that fit above its line. */
const NAME = 88;

const place = (scale: Scale, value: number): number =>
  LEFT + ((value - scale.min) / (scale.max - scale.min)) * (PLOT.width - LEFT - RIGHT);

export function intervalPlot({ id, title, description, xTitle, x, groups }: IntervalPlot): string {
  const content: string[] = [];
  let top = 4;
  for (const { heading, lines } of groups) {
    if (heading !== '') {
      top += HEADING;
      const at = `x="${LEFT}" y="${top - 10}"`;
      content.push(`<text class="axis group" ${at}>${escapeHtml(heading)}</text>`);
    }
    for (const line of lines) {
      content.push(lineOf(line, x, top));
      top += LINE;
    }
  }
  const grid = gridOf(x, top, xTitle);
  return plotSvg(id, title, description, `${grid}${content.join('')}`, top + AXIS);
}

function lineOf({ label, index, value, interval, text }: IntervalLine, x: Scale, top: number) {
  const y = top + 26;
  const name = label.length > NAME ? `${label.slice(0, NAME - 1)}…` : label;
  const range = interval
    ? `<path class="error" d="M${number(place(x, interval.low))} ${y}H${number(place(x, interval.high))}${[
        interval.low,
        interval.high,
      ]
        .map(end => `M${number(place(x, end))} ${y - 5}V${y + 5}`)
        .join('')}"/>`
    : '';
  return (
    `<g class="${seriesClass(index)}"><title>${escapeHtml(`${label}: ${text}`)}</title>` +
    `<text class="tick" x="${LEFT}" y="${top + 13}">${escapeHtml(name)}</text>` +
    `<path class="rail" d="M${LEFT} ${y}H${PLOT.width - RIGHT}"/>${range}` +
    `<circle class="mark" cx="${number(place(x, value))}" cy="${y}" r="5.5"/>` +
    `<text class="axis" x="${PLOT.width - RIGHT + 12}" y="${y}" dy=".35em">${escapeHtml(text)}</text></g>`
  );
}

function gridOf(x: Scale, bottom: number, title: string): string {
  const ticks = x.ticks.map(tick => {
    const at = number(place(x, tick));
    return `<line class="grid" x1="${at}" x2="${at}" y1="4" y2="${bottom}"/><text class="tick" x="${at}" y="${bottom + 16}" text-anchor="middle">${tick}</text>`;
  });
  return `${ticks.join('')}<text class="axis" x="${LEFT}" y="${bottom + 38}">${escapeHtml(title)}</text>`;
}
