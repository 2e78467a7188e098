/** Places the values of a forward pass in a kernel's memory. */
import { padded, strideOf } from './kernel.ts';
import type { TreeHopShape } from './shape.ts';

/** Rows of floats; their padding is always zero. */
export interface Rows {
  readonly at: number;
  readonly stride: number;
}

/** Names as in the equations of forward.ts. */
export interface BlockActivations {
  /** The normalised t, before γ and β. */
  readonly normal: Rows;
  /** n, after them. */
  readonly n: Rows;
  /** U n + b, before the ReLU. */
  readonly p: Rows;
  /** 1 / √(variance + ε) of each row. */
  readonly inverse: Rows;
}

export interface HeadActivations {
  readonly q: Rows;
  readonly k: Rows;
  readonly v: Rows;
  readonly a: Rows;
  readonly t0: Rows;
  readonly t: Rows;
  readonly blocks: readonly BlockActivations[];
  /** This head's part of y. */
  readonly y: Rows;
}

export interface Activations {
  /** The number of rows that fit. */
  readonly rows: number;
  readonly queries: Rows;
  readonly passages: Rows;
  readonly heads: readonly HeadActivations[];
  /** The outputs of all heads, side by side. */
  readonly y: Rows;
  readonly h: Rows;
}

/** Hands out places one after another. */
export interface Room {
  take(rows: number, width: number): Rows;
  /** The first float that is free. */
  readonly end: number;
}

export function roomFrom(start: number): Room {
  let end = start;
  return {
    take: (rows, width) => {
      const place = { at: end, stride: width };
      end += padded(rows * width);
      return place;
    },
    get end() {
      return end;
    },
  };
}

/**
 * `kept`: heads and blocks keep their values for the backward pass; else each overwrites those of
 * the one before.
 */
export function placeActivations(
  room: Room,
  shape: TreeHopShape,
  rows: number,
  kept: boolean,
): Activations {
  const [d, g, m] = [strideOf(shape.d), strideOf(shape.g), strideOf(shape.m)];
  const block = (): BlockActivations => ({
    normal: room.take(rows, m),
    n: room.take(rows, m),
    p: room.take(rows, m),
    inverse: room.take(rows, 1),
  });
  const y = room.take(rows, shape.heads * g);
  const head = (): Omit<HeadActivations, 'y'> => ({
    q: room.take(rows, g),
    k: room.take(rows, g),
    v: room.take(rows, g),
    a: room.take(rows, g),
    t0: room.take(rows, g),
    t: room.take(rows, m),
    blocks: repeat(shape.nMlp, block, kept),
  });
  const heads = repeat(shape.heads, head, kept).map((each, index) => ({
    ...each,
    y: { at: y.at + index * g, stride: y.stride },
  }));
  return {
    rows,
    queries: room.take(rows, d),
    passages: room.take(rows, d),
    heads,
    y,
    h: room.take(rows, d),
  };
}

/** So many new ones, or one and the same so many times. */
function repeat<T>(count: number, make: () => T, anew: boolean): T[] {
  if (count === 0) return [];
  const first = make();
  return Array.from({ length: count }, (_, index) => (index === 0 || !anew ? first : make()));
}
