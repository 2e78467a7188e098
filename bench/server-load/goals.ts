/**
 * The goals of a server under load, by the numbers of the project's reliability plan: each has a
 * floor, below which the benchmark fails, and an aim.
 */
import { machine, type Peer, type Result } from '../measure.ts';

export interface Bounds {
  /** None for a figure that has an aim alone. */
  readonly floor?: number;
  readonly aim?: number;
}

export interface Figure extends Bounds {
  /** The number of the goal and what is measured, such as `L1: /health, p99`. */
  readonly what: string;
  /** Requests, runs or streams that it stands on. */
  readonly n: number;
  readonly unit: string;
  readonly value: number;
  readonly note?: string;
}

/** A figure that should be small. */
export const atMost = (figure: Figure): Result =>
  resultOf(figure, bound => {
    // A bound of nothing is kept or not.
    if (bound === 0) return figure.value <= 0 ? 1 : 0;
    return figure.value <= 0 ? MOST_RATIO : Math.min(MOST_RATIO, bound / figure.value);
  });

/** A figure that should be large. */
export const atLeast = (figure: Figure): Result => resultOf(figure, bound => figure.value / bound);

/** JSON has no infinity. */
const MOST_RATIO = 1000;

/** Tells whether a result stands on the wrong side of its floor, or could not be measured. */
export const isBelowFloor = ({ ours, peers }: Result): boolean =>
  !Number.isFinite(ours) || peers.some(({ name, ratio }) => name === FLOOR && !(ratio! >= 1));

const FLOOR = 'floor';

function resultOf(figure: Figure, ratioTo: (bound: number) => number): Result {
  const { what, n, unit, value, floor, aim, note } = figure;
  const bounds = { [FLOOR]: floor, aim };
  const peers = Object.entries(bounds).flatMap(([name, bound]): Peer[] =>
    bound === undefined ? [] : [{ name, version: '', value: bound, ratio: ratioTo(bound) }],
  );
  const result = { task: `server ${what}`, n, unit, ours: value, peers, machine: machine() };
  return note === undefined ? result : { ...result, note };
}
