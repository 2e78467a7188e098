/**
 * Numbered points in a plane, with a control line through those rows that every other row must
 * beat: context tokens against a score.
 */
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

export interface ScatterPoint {
  readonly label: string;
  /** The place in the legend, which decides colour and number. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** Ends of the error bar of y; missing without an interval. */
  readonly low?: number;
  readonly high?: number;
  /** Text that is read out, and shown when pointed at. */
  readonly text: string;
}

export interface ScatterPlot {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly x: Scale;
  readonly y: Scale;
  readonly points: readonly ScatterPoint[];
  /** The control line's corners, in data units, ascending in x. */
  readonly control: readonly { readonly x: number; readonly y: number }[];
}

const RADIUS = 9;

/**
 * Places each number: points that would cover one already placed step aside, with a thread to their
 * true place.
 */
function placed(points: readonly Spot[]): Spot[] {
  const taken: Spot[] = [];
  const free = (x: number, y: number): boolean =>
    taken.every(other => Math.hypot(other.x - x, other.y - y) >= 2 * RADIUS);
  for (const { x, y } of points) {
    let spot = { x, y };
    for (let turn = 0; !free(spot.x, spot.y) && turn < 48; turn++) {
      const angle = (turn % 8) * (Math.PI / 4) + Math.PI / 4;
      const distance = 2.1 * RADIUS * (1 + Math.floor(turn / 8) / 2);
      spot = { x: x + distance * Math.cos(angle), y: y - distance * Math.sin(angle) };
    }
    taken.push(spot);
  }
  return taken;
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** From a point's true place to where its number had to be written. */
function threadOf(from: Spot, to: Spot, index: number): string {
  if (from.x === to.x && from.y === to.y) return '';
  const [x, y] = [number(from.x), number(from.y)];
  const line = `<line class="thread" x1="${x}" y1="${y}" x2="${number(to.x)}" y2="${number(to.y)}"/>`;
  return `<g class="${seriesClass(index)}">${line}<circle class="dot" cx="${x}" cy="${y}" r="2.5"/></g>`;
}

export function scatterPlot({
  id,
  title,
  description,
  xTitle,
  yTitle,
  x,
  y,
  points,
  control,
}: ScatterPlot): string {
  const at = points.map(point => ({ x: xOf(x, point.x), y: yOf(y, point.y) }));
  const spots = placed(at);
  // Threads lie under all marks, so that none is crossed out.
  const threads = points.map((point, i) => threadOf(at[i]!, spots[i]!, point.index));
  const bars = points.map(({ index, low, high }, i) =>
    low === undefined || high === undefined
      ? ''
      : `<g class="${seriesClass(index)}">${errorBar(at[i]!.x, yOf(y, low), yOf(y, high))}</g>`,
  );
  const marks = points.map((point, i) => {
    const [x0, y0] = [number(spots[i]!.x), number(spots[i]!.y)];
    const circle = `<circle class="mark" cx="${x0}" cy="${y0}" r="${RADIUS}"/>`;
    const text = `<text class="number" x="${x0}" y="${y0}" dy=".35em" text-anchor="middle">${point.index + 1}</text>`;
    return `<g class="${seriesClass(point.index)}"><title>${escapeHtml(`${point.label}: ${point.text}`)}</title>${circle}${text}</g>`;
  });
  const corners = control.map(corner => `${number(xOf(x, corner.x))} ${number(yOf(y, corner.y))}`);
  const line =
    corners.length > 1
      ? `<path class="control" d="M${corners.join('L')}"><title>Control: greedy top-k</title></path>`
      : '';
  const ticks = x.ticks.map(tick => ({ x: xOf(x, tick), label: String(tick) }));
  return plotSvg(
    id,
    title,
    description,
    `${yAxis(y, yTitle)}${xAxis(ticks, xTitle)}${line}${bars.join('')}${threads.join('')}${marks.join('')}`,
  );
}
