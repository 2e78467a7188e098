/**
 * Shows the progress of long work: a bar with rate and time left on a terminal, a line every ten
 * seconds elsewhere.
 */
import type { Output } from './output.ts';

export interface Step {
  /** Number of things done, for the rate. */
  readonly count: number;
  /** Amount done and total amount, in one unit, for bar and time left; no bar without them. */
  readonly done?: number;
  readonly total?: number;
  /**
   * Number of the count that took work, if others were there already: rate and time left count work
   * alone.
   */
  readonly worked?: number;
}

/** Shortest work that shows progress. */
const SHOW_AFTER_MS = 400;
const REDRAW_MS = 100;
const LINE_MS = 10_000;
const BAR = 24;
/** The work that is left is at most so many times the work that an estimate is made from. */
const MOST_TIMES = 49;
/** Or so many steps were taken, so that one that is slow or large says little, and warmed up. */
const SURE_AFTER_STEPS = 50;
const SURE_AFTER_MS = 2000;

export class Progress {
  private readonly output: Output;
  private readonly what: string;
  private readonly clock: () => number;
  /** Time of the start of the work. */
  private started: number;
  private last: number;
  private drawn = false;

  /** `what` names the counted things: "documents". */
  constructor(output: Output, what: string, clock: () => number = output.clock) {
    this.output = output;
    this.what = what;
    this.clock = clock;
    this.started = clock();
    this.last = this.started + SHOW_AFTER_MS - (output.watched ? REDRAW_MS : LINE_MS);
  }

  update(step: Step): void {
    const now = this.clock();
    if (step.worked === 0) this.started = now;
    if (now - this.last < (this.output.watched ? REDRAW_MS : LINE_MS)) return;
    this.last = now;
    const text = progressText(step, this.what, now - this.started);
    if (this.output.watched) {
      this.output.draw(text);
      this.drawn = true;
    } else this.output.note(text);
  }

  /** Clears the bar. */
  end(): void {
    if (this.drawn) this.output.draw('');
    this.drawn = false;
  }
}

/** Returns one line: `[######    ]  52%  31,204 of 60,008 documents  4,120/s  7 s left`. */
export function progressText(step: Step, what: string, ms: number): string {
  const { count, done, total, worked = count } = step;
  const counted = `${countText(step)} ${what}`;
  // A total below what is done counted other work: it tells nothing of what is left.
  const share = done === undefined || !total || done > total ? undefined : done / total;
  const known = isKnown(step, share, ms);
  const rate = known ? rateText((worked * 1000) / ms) : '';
  if (share === undefined) return [counted, rate].filter(word => word !== '').join('  ');
  const full = Math.round(share * BAR);
  const bar = `[${'#'.repeat(full)}${' '.repeat(BAR - full)}] ${String(Math.round(share * 100)).padStart(3)}%`;
  const left = known ? timeLeft(step, share, ms) : undefined;
  return [bar, counted, rate, left === undefined ? '' : `${duration(left)} left`]
    .filter(word => word !== '')
    .join('  ');
}

/** Names the total too if it is one of the counted things, and not of bytes. */
function countText({ count, done, total }: Step): string {
  const text = count.toLocaleString('en');
  const isOfCount = total !== undefined && done === count && total >= count;
  return isOfCount ? `${text} of ${total.toLocaleString('en')}` : text;
}

/** Tells if rate and time left are more than a guess from the first steps. */
function isKnown(step: Step, share: number | undefined, ms: number): boolean {
  const { count, worked = count, done, total } = step;
  if (worked === 0 || ms <= 0) return false;
  if (share !== undefined && share > 0) {
    const times = step.worked === undefined ? (1 - share) / share : (total! - done!) / worked;
    if (times <= MOST_TIMES) return true;
  }
  return worked >= SURE_AFTER_STEPS && ms >= SURE_AFTER_MS;
}

/** Things that were there already do not predict the rest. */
function timeLeft({ worked, done, total }: Step, share: number, ms: number): number | undefined {
  if (worked !== undefined) return (ms / worked) * (total! - done!);
  return share > 0 ? (ms / share) * (1 - share) : undefined;
}

/** Prints slow rates to the tenth. */
export const rateText = (rate: number): string =>
  `${rate > 0 && rate < 9.95 ? Number(rate.toFixed(1)) : Math.round(rate).toLocaleString('en')}/s`;

/** Prints milliseconds as `850 ms`, `7.2 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
