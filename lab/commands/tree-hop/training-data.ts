/**
 * The data of a TreeHop training run: files found and hashed, questions with their graphs, and what
 * of them a checkpoint records.
 */

import { defined } from '../../../src/core/defined.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { nothingToLearn, readTrainingFiles, type TrainingFile } from '../../data/training-files.ts';
import { isMention } from '../../learning/tree-hop/mention-split.ts';
import { type TrainingSet, trainingSet } from '../../learning/tree-hop/training-set.ts';
import {
  countTrainingSet,
  type TrainingSetCounts,
} from '../../learning/tree-hop/training-set-counts.ts';

export interface TreeHopData {
  readonly set: TrainingSet;
  readonly files: readonly TrainingFile[];
  readonly counts: readonly TrainingSetCounts[];
  readonly problems: readonly string[];
}

/** Throws `InputError('no-training-data')`, and what reading throws. */
export async function readTreeHopData(
  paths: readonly string[],
  options: { readonly negatives: number; readonly seed: number; readonly mentions?: number },
): Promise<TreeHopData> {
  const read = await readTrainingFiles(paths);
  const set = trainingSet(read.questions, options);
  const { rejected } = set;
  if (set.examples.length === 0)
    throw nothingToLearn(
      read,
      `${rejected.length} questions, the first a "${rejected[0]?.reason}"`,
    );
  return { set, files: read.files, counts: countTrainingSet(set), problems: read.problems };
}

/**
 * For a checkpoint: which files, how many questions of each kind, how many paragraphs; questions
 * written of mentions are counted apart.
 */
export function trainedOn({ files, counts, set }: TreeHopData): object {
  const accepted = counts.filter(({ questions }) => questions > 0);
  const mentions = set.examples.filter(isMention).length;
  return defined({
    files,
    questions: set.examples.length - mentions,
    mentions: mentions > 0 ? mentions : undefined,
    paragraphs: set.paragraphs.length,
    updates: accepted.reduce((sum, { updates }) => sum + updates, 0),
    ownContext: accepted.reduce((sum, { ownContext }) => sum + ownContext, 0),
    kinds: Object.fromEntries(
      accepted.map(({ dataset, type, questions }) => [`${dataset}/${type}`, questions]),
    ),
  });
}

/** Changes with every question, path, positive and negative. */
export const dataHash = ({ set }: TreeHopData): string =>
  sha256(JSON.stringify([set.paragraphs, set.examples]));
