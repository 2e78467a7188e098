/**
 * Builds the parts that all plots share: size, scales, axes with ticks, and the SVG around them.
 * Colours are classes, so that the page can be light or dark.
 */
import { escapeHtml } from './escape.ts';

/** In SVG user units; the page scales plots to their column. */
export const PLOT = { width: 640, height: 380, left: 58, right: 18, top: 16, bottom: 52 } as const;

export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** Round ticks, about five, from at most `min` to at least `max`. */
export function niceScale(min: number, max: number): Scale {
  const span = max > min ? max - min : Math.abs(max) || 1;
  const raw = span / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find(factor => factor * power >= raw - 1e-12)!;
  const low = Math.floor(min / step + 1e-9) * step;
  const count = Math.max(1, Math.ceil((max - low) / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, index) =>
    Number((low + index * step).toPrecision(12)),
  );
  return { min: ticks[0]!, max: ticks.at(-1)!, ticks };
}

/** At most two decimals: enough for a screen, and the same text on every machine. */
export const number = (value: number): string => String(Number(value.toFixed(2)));

export const xOf = (scale: Scale, value: number): number =>
  PLOT.left +
  ((value - scale.min) / (scale.max - scale.min)) * (PLOT.width - PLOT.left - PLOT.right);
export const yOf = (scale: Scale, value: number): number =>
  PLOT.height -
  PLOT.bottom -
  ((value - scale.min) / (scale.max - scale.min)) * (PLOT.height - PLOT.top - PLOT.bottom);

/** Grid lines and labels of the vertical axis, and its title. */
export function yAxis(scale: Scale, title: string): string {
  const right = PLOT.width - PLOT.right;
  const lines = scale.ticks.map(tick => {
    const y = number(yOf(scale, tick));
    return `<line class="grid" x1="${PLOT.left}" x2="${right}" y1="${y}" y2="${y}"/><text class="tick" x="${PLOT.left - 8}" y="${y}" dy=".35em" text-anchor="end">${tick}</text>`;
  });
  const middle = (PLOT.top + PLOT.height - PLOT.bottom) / 2;
  return `${lines.join('')}<text class="axis" x="14" y="${middle}" text-anchor="middle" transform="rotate(-90 14 ${middle})">${escapeHtml(title)}</text>`;
}

/** Labels under the horizontal axis at given places, and its title. */
export function xAxis(
  places: readonly { readonly x: number; readonly label: string }[],
  title: string,
): string {
  const base = PLOT.height - PLOT.bottom;
  const labels = places.map(
    ({ x, label }) =>
      `<text class="tick" x="${number(x)}" y="${base + 18}" text-anchor="middle">${escapeHtml(label)}</text>`,
  );
  const line = `<line class="base" x1="${PLOT.left}" x2="${PLOT.width - PLOT.right}" y1="${base}" y2="${base}"/>`;
  const middle = (PLOT.left + PLOT.width - PLOT.right) / 2;
  return `${line}${labels.join('')}<text class="axis" x="${middle}" y="${PLOT.height - 10}" text-anchor="middle">${escapeHtml(title)}</text>`;
}

/** An upright error bar with its two ends, in user units. */
export function errorBar(x: number, low: number, high: number): string {
  const [middle, left, right] = [x, x - 3.5, x + 3.5].map(number) as [string, string, string];
  const [from, to] = [number(low), number(high)];
  return `<path class="error" d="M${middle} ${from}V${to}M${left} ${from}H${right}M${left} ${to}H${right}"/>`;
}

/** A series' classes: eight colours, then the same colours again with another dash. */
export const seriesClass = (index: number): string => `s${index % 8} d${Math.floor(index / 8) % 3}`;

/** The SVG with its title and description for those who do not see it. */
export function plotSvg(
  id: string,
  title: string,
  description: string,
  content: string,
  height: number = PLOT.height,
): string {
  return (
    `<svg viewBox="0 0 ${PLOT.width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">` +
    `<title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-desc">${escapeHtml(description)}</desc>${content}</svg>`
  );
}
