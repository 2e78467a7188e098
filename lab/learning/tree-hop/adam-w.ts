/**
 * AdamW (Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019, algorithm 2) in the
 * order of PyTorch, with TreeHop's settings.
 */
import { InputError } from '../../../src/core/errors.ts';
import type { AdamWFactors } from '../../../src/models/tree-hop/matrix-kernel.ts';

export interface AdamWSettings {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly weightDecay: number;
}

/** The published settings. A weight times 1 - 6e-5 · 2e-8 is the same f32: the decay is none. */
export const PUBLISHED_ADAM_W: AdamWSettings = {
  learningRate: 6e-5,
  beta1: 0.9,
  beta2: 0.999,
  epsilon: 1e-8,
  weightDecay: 2e-8,
};

/** Throws `InputError('bad-optimiser')` for a setting out of range. */
export function checkAdamW(settings: AdamWSettings): void {
  const ranges = {
    learningRate: Infinity,
    beta1: 1,
    beta2: 1,
    epsilon: Infinity,
    weightDecay: Infinity,
  };
  for (const [name, end] of Object.entries(ranges)) {
    const value = settings[name as keyof AdamWSettings];
    if (!(value >= 0 && value < end))
      throw new InputError('bad-optimiser', `The setting "${name}" of AdamW`, {
        expected: end === 1 ? 'at least 0 and below 1' : 'a number of at least 0',
        received: String(value),
      });
  }
}

/**
 * The factors of step `t`, counted from 1: w ← w(1 - ηλ) - η (m / (1 - β₁ᵗ)) / (√v / √(1 - β₂ᵗ) +
 * ε).
 */
export function adamWFactors(
  { learningRate, beta1, beta2, epsilon, weightDecay }: AdamWSettings,
  t: number,
): AdamWFactors {
  return {
    decay: 1 - learningRate * weightDecay,
    beta1,
    rest1: 1 - beta1,
    beta2,
    rest2: 1 - beta2,
    rate: learningRate / (1 - beta1 ** t),
    root: Math.sqrt(1 - beta2 ** t),
    epsilon,
  };
}
