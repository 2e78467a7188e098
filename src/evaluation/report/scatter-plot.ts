/** Numbered points in a plane, with a control line through those rows that every other row must beat: context tokens against a score. */
import { escapeHtml } from './escape.ts';
import { number, plotSvg, type Scale, seriesClass, xAxis, xOf, yAxis, yOf } from './plot-frame.ts';

export interface ScatterPoint {
  readonly label: string;
  /** The place in the legend, which decides colour and number. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  /** What is read out and shown when pointed at. */
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

/** Where each number is written: points that would cover one already placed step aside, with a thread to their true place. */
function placed(points: readonly { readonly x: number; readonly y: number }[]): { readonly x: number; readonly y: number }[] {
  const taken: { x: number; y: number }[] = [];
  const free = (x: number, y: number): boolean => taken.every(other => Math.hypot(other.x - x, other.y - y) >= 2 * RADIUS);
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

export function scatterPlot({ id, title, description, xTitle, yTitle, x, y, points, control }: ScatterPlot): string {
  const at = points.map(point => ({ x: xOf(x, point.x), y: yOf(y, point.y) }));
  const spots = placed(at);
  const marks = points.map((point, i) => {
    const [spot, true_] = [spots[i]!, at[i]!];
    const thread =
      spot.x === true_.x && spot.y === true_.y
        ? ''
        : `<line class="thread" x1="${number(true_.x)}" y1="${number(true_.y)}" x2="${number(spot.x)}" y2="${number(spot.y)}"/><circle class="dot" cx="${number(true_.x)}" cy="${number(true_.y)}" r="2.5"/>`;
    const circle = `<circle class="mark" cx="${number(spot.x)}" cy="${number(spot.y)}" r="${RADIUS}"/>`;
    const text = `<text class="number" x="${number(spot.x)}" y="${number(spot.y)}" dy=".35em" text-anchor="middle">${point.index + 1}</text>`;
    return `<g class="${seriesClass(point.index)}"><title>${escapeHtml(`${point.label}: ${point.text}`)}</title>${thread}${circle}${text}</g>`;
  });
  const corners = control.map(corner => `${number(xOf(x, corner.x))} ${number(yOf(y, corner.y))}`);
  const line = corners.length > 1 ? `<path class="control" d="M${corners.join('L')}"><title>Control: greedy top-k</title></path>` : '';
  const ticks = x.ticks.map(tick => ({ x: xOf(x, tick), label: String(tick) }));
  return plotSvg(id, title, description, `${yAxis(y, yTitle)}${xAxis(ticks, xTitle)}${line}${marks.join('')}`);
}
