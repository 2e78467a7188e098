/** The settings of a training run; runs with equal settings and data end with equal weights. */
import { InputError } from '../../../src/core/errors.ts';
import {
  checkShape,
  type TreeHopShape,
  type TreeHopVariant,
} from '../../../src/models/tree-hop/shape.ts';
import { PUBLISHED_ADAM_W } from './adam-w.ts';
import { TEMPERATURE } from './info-nce.ts';
import type { Schedule } from './rate-schedule.ts';
import type { NegativeChoice } from './training-batches.ts';

export interface TrainingSettings {
  readonly shape: TreeHopShape;
  readonly variant: TreeHopVariant;
  /** At most. */
  readonly epochs: number;
  /** Questions. */
  readonly batch: number;
  /** Epochs without a better one after which training ends; 0: never. */
  readonly patience: number;
  readonly seed: number;
  readonly rate: number;
  readonly weightDecay: number;
  readonly temperature: number;
  readonly lossNegatives: NegativeChoice;
  /** Shrinks the last map at the beginning; 1 is PyTorch's. */
  readonly outputScale: number;
  /** Multiplies W_V at the beginning; 1 is PyTorch's. See `initialParameters`. */
  readonly valueScale: number;
  /** The schedule of the learning rate over all steps of `epochs`. */
  readonly schedule: Schedule;
  /** Share of the residual blocks' outputs that is dropped in training; published: 0 in effect. */
  readonly dropout: number;
  /** Cut-off of the held-out recalls. */
  readonly k: number;
}

/** The published settings. */
export const PUBLISHED_TRAINING: Omit<TrainingSettings, 'shape'> = {
  variant: 'full',
  epochs: 20,
  batch: 64,
  patience: 3,
  seed: 1,
  rate: PUBLISHED_ADAM_W.learningRate,
  weightDecay: PUBLISHED_ADAM_W.weightDecay,
  temperature: TEMPERATURE,
  lossNegatives: 'own',
  outputScale: 1,
  valueScale: 1,
  schedule: 'constant',
  dropout: 0,
  k: 5,
};

/** Throws `InputError('bad-setting')`, or what shapes throw. Rates are the optimiser's to check. */
export function checkSettings(settings: TrainingSettings): void {
  checkShape(settings.shape);
  const least = { epochs: 1, batch: 1, patience: 0, seed: 0, k: 1 } as const;
  for (const [name, from] of Object.entries(least)) {
    const value = settings[name as keyof typeof least];
    if (!Number.isSafeInteger(value) || value < from)
      throw new InputError('bad-setting', `The setting "${name}" of a training run`, {
        expected: `a whole number of at least ${from}`,
        received: String(value),
      });
  }
  for (const name of ['outputScale', 'valueScale'] as const)
    if (!(settings[name] >= 0 && Number.isFinite(settings[name])))
      throw new InputError('bad-setting', `The setting "${name}" of a training run`, {
        expected: 'a number of at least 0',
        received: String(settings[name]),
      });
  if (!(settings.dropout >= 0 && settings.dropout < 1))
    throw new InputError('bad-setting', 'The setting "dropout" of a training run', {
      expected: 'at least 0 and below 1',
      received: String(settings.dropout),
    });
}

/**
 * Returns the settings that decide the weights after an epoch: the end of training does not, and
 * the number of epochs does only if the rate falls over them.
 */
export function decisiveSettings({
  epochs,
  patience: _,
  ...rest
}: TrainingSettings): Omit<TrainingSettings, 'epochs' | 'patience'> & { epochs?: number } {
  return rest.schedule === 'constant' ? rest : { ...rest, epochs };
}

/** The same by name, sizes beside the rest. */
export function fingerprintOf(settings: TrainingSettings): Readonly<Record<string, string>> {
  const { shape, ...rest } = decisiveSettings(settings);
  return Object.fromEntries(
    Object.entries({ ...shape, ...rest }).map(([name, value]) => [name, String(value)]),
  );
}
