/**
 * A training run as the bytes of one file: parameters and both moments as safetensors, the steps
 * taken and what the trainer's caller adds.
 */
import { InputError } from '../../../src/core/errors.ts';
import { readSafetensors, writeSafetensors } from '../../../src/models/safetensors/safetensors.ts';
import type { Tensor } from '../../../src/models/safetensors/tensor.ts';
import {
  type TreeHopParameters,
  treeHopParameters,
} from '../../../src/models/tree-hop/parameters.ts';
import { tensorShapes } from '../../../src/models/tree-hop/shape.ts';
import type { OptimiserState } from './trainer.ts';

export interface TrainingState {
  readonly parameters: TreeHopParameters;
  readonly optimiser: OptimiserState;
  /** Further state of a run: seed, epoch, best loss, ... */
  readonly notes: Readonly<Record<string, string>>;
}

const FORMAT = 'treehop-training';
const FIRST = 'adamw.first.';
const SECOND = 'adamw.second.';

/** Every number to the bit. */
export function writeTrainingState({ parameters, optimiser, notes }: TrainingState): Uint8Array {
  const shapes = tensorShapes(parameters);
  const group = (prefix: string, tensors: ReadonlyMap<string, Float32Array>): [string, Tensor][] =>
    shapes.map(({ name, shape }) => [prefix + name, { shape, data: tensors.get(name)! }]);
  const tensors = new Map([
    ...group('', parameters.tensors),
    ...group(FIRST, optimiser.first),
    ...group(SECOND, optimiser.second),
  ]);
  return writeSafetensors({
    metadata: { ...notes, format: FORMAT, step: String(optimiser.step) },
    tensors,
  });
}

/**
 * Throws `InputError`: 'bad-training-state', or what reading safetensors and TreeHop's tensors
 * throws.
 */
export function readTrainingState(bytes: Uint8Array): TrainingState {
  const { metadata, tensors } = readSafetensors(bytes);
  const { format, step: steps, ...notes } = metadata;
  if (format !== FORMAT)
    throw new InputError('bad-training-state', 'The format in the metadata', {
      expected: FORMAT,
      received: format ?? 'none',
    });
  const step = Number(steps);
  if (!/^\d+$/.test(steps ?? '') || !Number.isSafeInteger(step))
    throw new InputError('bad-training-state', 'The steps in the metadata', {
      expected: 'a whole number',
      received: steps ?? 'none',
    });
  const isMoment = (name: string): boolean => name.startsWith(FIRST) || name.startsWith(SECOND);
  const parameters = treeHopParameters(new Map([...tensors].filter(([name]) => !isMoment(name))));
  // Moments have the names and shapes of the parameters.
  const moments = (prefix: string): ReadonlyMap<string, Float32Array> =>
    treeHopParameters(
      new Map(
        [...tensors]
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, each]) => [name.slice(prefix.length), each]),
      ),
    ).tensors;
  return { parameters, optimiser: { step, first: moments(FIRST), second: moments(SECOND) }, notes };
}
