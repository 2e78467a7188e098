/**
 * Dropout (Srivastava et al., 2014) on what the residual blocks add, inverted: what is kept is
 * scaled in training, and nothing is done elsewhere.
 */

export interface Dropout {
  /** The share that is dropped, at least 0 and below 1. */
  readonly share: number;
  /** The next number of [0, 1); one for each output of each block. */
  readonly random: () => number;
}

/** By what the kept are multiplied, forward and backward. */
export const keptScale = (dropout: Dropout | undefined): number =>
  dropout ? 1 / (1 - dropout.share) : 1;

/**
 * Drops of `width` values from `at` on. Before the ReLU instead of after it, which is the same, and
 * what is dropped is not above 0: the backward pass sees that it was not active.
 */
export function dropValues(
  floats: Float32Array,
  at: number,
  width: number,
  dropout: Dropout,
): void {
  const scale = keptScale(dropout);
  for (let i = 0; i < width; i++)
    floats[at + i] = dropout.random() < dropout.share ? 0 : floats[at + i]! * scale;
}
