/** Tells which lines of a PDF are headings, by the heights of their fonts. */
import { type PdfLine, rounded } from './lines.ts';

/** Returns the height of the font that most characters have; values of fields have none. */
export function bodySize(lines: readonly PdfLine[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of lines)
    if (size > 0) counts.set(rounded(size), (counts.get(rounded(size)) ?? 0) + text.length);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0])[0];
}

/** Returns the levels of heading fonts: 1 for the largest, 6 at most. */
export function headingLevels(
  lines: readonly PdfLine[],
  body: number,
): ReadonlyMap<number, number> {
  const sizes = new Set(
    lines.filter(line => isHeading(line, body)).map(({ size }) => rounded(size)),
  );
  return new Map([...sizes].sort((a, b) => b - a).map((size, at) => [size, Math.min(6, at + 1)]));
}

/** Tells whether a line is set in a larger font, and is no sentence. */
export function isHeading({ size, text }: PdfLine, body: number): boolean {
  return isLarge(size, body) && text.length <= 120 && /\p{L}/u.test(text) && !/[.;,]$/.test(text);
}

/** Tells whether a font is visibly larger than that of the body. */
export const isLarge = (size: number, body: number): boolean =>
  size > 0 && rounded(size) >= body * 1.15;
