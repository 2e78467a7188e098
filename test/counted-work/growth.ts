/** The growth of counted work as an input doubles. */
import type { Hostile } from '../../bench/repeated-pieces.ts';
import { blocksSince } from './blocks.ts';
import { counting } from './characters.ts';

/** Work of one reading, by what is counted. */
export interface Work {
  readonly blocks: number;
  readonly steps: number;
  readonly characters: number;
  readonly elements: number;
}

export interface Measured extends Work {
  /** The expression with most steps, and the file with most blocks. */
  readonly most: string;
}

/** Counts the work of one reading; the caller reads once before, so that modules are loaded. */
export async function workOf(read: () => unknown): Promise<Measured> {
  blocksSince();
  const { byExpression, ...counts } = await counting(read);
  const byFile = blocksSince();
  const blocks = [...byFile.values()].reduce((sum, each) => sum + each, 0);
  return { ...counts, blocks, most: `${largest(byExpression)}, ${largest(byFile)}` };
}

const largest = (counts: ReadonlyMap<string, number>): string =>
  [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0])[0];

/**
 * The share of work at 4n that grows with the square: 0 for work that is constant or proportional
 * to n, 1 for n². Of work a + bn + cn² the sum w(4n) - 3 w(2n) + 2 w(n) is 6cn², whatever a and b.
 */
export function squareShare([small, middle, large]: readonly [number, number, number]): number {
  return ((16 / 6) * (large - 3 * middle + 2 * small)) / Math.max(1, large);
}

/** Counts that are so few say nothing. */
const LEAST = 2000;
/** n log n has some 0.1 of it. */
const MOST_SHARE = 0.25;
/** Most work at 4n of that at 2n: the share allows no more. */
const MOST_RATIO = 2.25;

/** Whoever passes a bound stops there: what grows too much is read again, so much longer. */
const LONGER = [1, 4, 16, 64];

/**
 * Returns what grows with more than the length of the input: an empty list if it is linear, or
 * bounded at some length.
 */
export async function tooMuch(
  read: (text: string) => unknown,
  { text }: Hostile,
  {
    size,
    longest = Number.POSITIVE_INFINITY,
  }: { readonly size: number; readonly longest?: number },
): Promise<string[]> {
  let found: string[] = [];
  for (const longer of LONGER) {
    if (4 * size * longer > longest) break;
    found = await grown(read, text, size * longer);
    if (found.length === 0) return [];
  }
  return found;
}

async function grown(
  read: (text: string) => unknown,
  text: Hostile['text'],
  size: number,
): Promise<string[]> {
  const works: Measured[] = [];
  for (const length of [size, 2 * size, 4 * size]) {
    const made = text(length);
    works.push(await workOf(() => read(made)));
  }
  const [a, b, c] = works as [Measured, Measured, Measured];
  return (['blocks', 'steps', 'characters', 'elements'] as const).flatMap(kind => {
    const counts = [a[kind], b[kind], c[kind]] as const;
    const share = squareShare(counts);
    // Work that a bound ends shows in the share alone, and not in the ratio.
    return c[kind] > LEAST && share > MOST_SHARE && c[kind] > MOST_RATIO * b[kind]
      ? [`${counts.join(', ')} ${kind} (${(100 * share).toFixed(0)} % quadratic; ${c.most})`]
      : [];
  });
}
