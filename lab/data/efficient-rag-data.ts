/**
 * The data of a training run of EfficientRAG-lite: files found and hashed, questions with their
 * lessons.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { InputError } from '../../src/core/errors.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { type LiteData, liteData } from '../learning/efficient-rag/lite-data.ts';
import { type TrainingFile, trainingFilesOf } from './training-files.ts';
import { readTrainingQuestions } from './training-questions.ts';

export interface EfficientRagData extends LiteData {
  readonly files: readonly TrainingFile[];
  readonly problems: readonly string[];
}

/**
 * Files, or all `.json` and `.jsonl` of folders. Throws `InputError`: 'missing-file',
 * 'no-training-data', what reading throws.
 */
export async function readEfficientRagData(paths: readonly string[]): Promise<EfficientRagData> {
  const files = paths.flatMap(trainingFilesOf);
  const { questions, problems } = await readTrainingQuestions(files);
  const data = liteData(questions);
  if (data.counts.every(({ sentences }) => sentences === 0))
    throw new InputError('no-training-data', 'No question of the files can be learnt from', {
      expected: 'chains of 2WikiMultiHopQA, MuSiQue, HotpotQA or gold_chains.jsonl',
      received:
        problems[0] ??
        `${questions.length} questions, none of which is known to lead from one paragraph to another`,
    });
  return {
    ...data,
    files: files.map(path => ({ name: basename(path), sha256: sha256(readFileSync(path)) })),
    problems,
  };
}
