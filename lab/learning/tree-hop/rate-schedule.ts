/** The learning rate from the first step of a run to its last. */

/**
 * Constant as published, or half a cosine from the rate to 0 (Loshchilov and Hutter, SGDR, 2017,
 * equation 5, without restarts).
 */
export const SCHEDULES = ['constant', 'cosine'] as const;
export type Schedule = (typeof SCHEDULES)[number];

/** Returns the factor of the rate at step `step` of `steps`, counted from 1. */
export const rateFactor = (schedule: Schedule, step: number, steps: number): number =>
  schedule === 'constant' ? 1 : 0.5 * (1 + Math.cos((Math.PI * step) / steps));
