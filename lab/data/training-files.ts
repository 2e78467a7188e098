/** Finds and reads the files of a train split. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../../src/core/errors.ts';
import { fileError } from '../../src/platform/file-error.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { readTrainingQuestions, type TrainingQuestions } from './training-questions.ts';

export interface TrainingFile {
  /** Without its folder. */
  readonly name: string;
  readonly sha256: string;
}

export interface TrainingFiles extends TrainingQuestions {
  readonly files: readonly TrainingFile[];
}

/**
 * Reads files, or all `.json` and `.jsonl` of folders. Throws `InputError`: 'missing-file',
 * 'no-training-data', what reading throws.
 */
export async function readTrainingFiles(paths: readonly string[]): Promise<TrainingFiles> {
  const files = paths.flatMap(trainingFilesOf);
  return {
    ...(await readTrainingQuestions(files)),
    files: files.map(path => ({ name: basename(path), sha256: sha256(readFileSync(path)) })),
  };
}

/** The error that files hold nothing to learn from; `found`: what they hold. */
export const nothingToLearn = ({ problems }: TrainingFiles, found: string): InputError =>
  new InputError('no-training-data', 'No question of the files can be learnt from', {
    expected: 'chains of 2WikiMultiHopQA, MuSiQue, HotpotQA or gold_chains.jsonl',
    received: problems[0] ?? found,
  });

function trainingFilesOf(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path).filter(name => /\.jsonl?$/.test(name) && !name.startsWith('.'));
    if (names.length > 0) return names.sort().map(name => join(path, name));
  } catch (error) {
    throw fileError(path, error);
  }
  throw new InputError(
    'no-training-data',
    `The folder ${JSON.stringify(path)} holds no .json or .jsonl file`,
  );
}
