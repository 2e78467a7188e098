/**
 * Names the files of a TreeHop training run: checkpoint, state to resume from, and losses.
 */
import { existsSync } from 'node:fs';
import { InputError } from '../../../src/core/errors.ts';
import { readBytes } from '../../../src/platform/replace-file.ts';
import { readTrainingState, type TrainingState } from '../../learning/tree-hop/training-state.ts';

export interface TreeHopFiles {
  readonly checkpoint: string;
  /** Weights, moments and history after the last epoch. */
  readonly state: string;
  readonly curve: string;
  readonly picture: string;
}

const EXTENSION = '.safetensors';

/** Names beside the checkpoint's; `part` tells the runs of one command apart: "fold-2-of-5". */
export function treeHopFiles(out: string, part?: string): TreeHopFiles {
  const base = `${out.endsWith(EXTENSION) ? out.slice(0, -EXTENSION.length) : out}${part === undefined ? '' : `.${part}`}`;
  return {
    checkpoint: part === undefined ? out : `${base}${EXTENSION}`,
    state: `${base}.state${EXTENSION}`,
    curve: `${base}.loss.json`,
    picture: `${base}.loss.svg`,
  };
}

/**
 * The state to go on from; undefined where there is none yet. Throws `InputError('run-exists')`
 * where there is one and it was not asked for.
 */
export function stateToResume(
  { checkpoint, state }: TreeHopFiles,
  resume: boolean,
): TrainingState | undefined {
  if (resume) return existsSync(state) ? readTrainingState(readBytes(state)) : undefined;
  const there = [checkpoint, state].find(path => existsSync(path));
  if (there === undefined) return undefined;
  throw new InputError('run-exists', `There is a file ${JSON.stringify(there)} already`, {
    expected: 'a new name for --out',
    hint: 'With --resume the run goes on where it stopped.',
  });
}
