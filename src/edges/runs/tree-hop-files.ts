/**
 * The files of a TreeHop training run: the checkpoint, what is needed to go on, and the losses;
 * each is replaced as a whole or not at all.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { InputError, PortError } from '../../errors.ts';
import { readTrainingState, type TrainingState } from '../../learning/tree-hop/training-state.ts';
import { fileError } from '../formats/source.ts';

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

/** Returns once content and name are on the disk. Throws `PortError`. */
export function replaceFile(path: string, content: Uint8Array | string): void {
  const draft = `${path}.part`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(draft, 'w');
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    // Windows cannot open a folder; there a rename is written through.
    if (process.platform === 'win32') return;
    const folder = openSync(dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const full = code === 'ENOSPC' || code === 'EDQUOT';
    throw new PortError(
      'store',
      full ? 'store-full' : 'store-not-writable',
      `Cannot write ${JSON.stringify(path)}: ${message}`,
      {
        cause: error,
      },
    );
  }
}

/** The bytes of a file that the caller named. Throws `InputError`. */
export function readBytes(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw fileError(path, error);
  }
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
