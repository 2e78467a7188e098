/**
 * The data of a TreeHop training run: files found and hashed, questions with their graphs, and what
 * of them a checkpoint records.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { isMention } from '../../learning/tree-hop/mention-split.ts';
import { type TrainingSet, trainingSet } from '../../learning/tree-hop/training-set.ts';
import {
  countTrainingSet,
  type TrainingSetCounts,
} from '../../learning/tree-hop/training-set-counts.ts';
import { fileError } from '../formats/source.ts';
import { readTrainingQuestions } from '../formats/training-questions.ts';
import { sha256 } from '../sha256.ts';

export interface TrainingFile {
  /** Without its folder. */
  readonly name: string;
  readonly sha256: string;
}

export interface TreeHopData {
  readonly set: TrainingSet;
  readonly files: readonly TrainingFile[];
  readonly counts: readonly TrainingSetCounts[];
  readonly problems: readonly string[];
}

/**
 * Files, or all `.json` and `.jsonl` of folders. Throws `InputError`: 'missing-file',
 * 'no-training-data', what reading throws.
 */
export async function readTreeHopData(
  paths: readonly string[],
  options: { readonly negatives: number; readonly seed: number; readonly mentions?: number },
): Promise<TreeHopData> {
  const files = paths.flatMap(trainingFilesOf);
  const { questions, problems } = await readTrainingQuestions(files);
  const set = trainingSet(questions, options);
  if (set.examples.length === 0)
    throw new InputError('no-training-data', 'No question of the files can be learnt from', {
      expected: 'chains of 2WikiMultiHopQA, MuSiQue, HotpotQA or gold_chains.jsonl',
      received:
        problems[0] ?? `${set.rejected.length} questions, the first a "${set.rejected[0]?.reason}"`,
    });
  const hashed = files.map(path => ({ name: basename(path), sha256: sha256(readFileSync(path)) }));
  return { set, files: hashed, counts: countTrainingSet(set), problems };
}

export function trainingFilesOf(path: string): string[] {
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

/**
 * For a checkpoint: which files, how many questions of each kind, how many paragraphs; questions
 * written of mentions are counted apart.
 */
export function trainedOn({ files, counts, set }: TreeHopData): object {
  const accepted = counts.filter(({ questions }) => questions > 0);
  const mentions = set.examples.filter(isMention).length;
  return {
    files,
    questions: set.examples.length - mentions,
    ...(mentions > 0 ? { mentions } : {}),
    paragraphs: set.paragraphs.length,
    updates: accepted.reduce((sum, { updates }) => sum + updates, 0),
    ownContext: accepted.reduce((sum, { ownContext }) => sum + ownContext, 0),
    kinds: Object.fromEntries(
      accepted.map(({ dataset, type, questions }) => [`${dataset}/${type}`, questions]),
    ),
  };
}

/** Changes with every question, path, positive and negative. */
export const dataHash = ({ set }: TreeHopData): string =>
  sha256(JSON.stringify([set.paragraphs, set.examples]));
