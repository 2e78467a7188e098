/** The data of a training run of EfficientRAG-lite: questions with their lessons. */
import { type LiteData, liteData } from '../learning/efficient-rag/lite-data.ts';
import { nothingToLearn, readTrainingFiles, type TrainingFiles } from './training-files.ts';

export type EfficientRagData = LiteData & Pick<TrainingFiles, 'files' | 'problems'>;

/** Throws `InputError('no-training-data')`, and what reading throws. */
export async function readEfficientRagData(paths: readonly string[]): Promise<EfficientRagData> {
  const read = await readTrainingFiles(paths);
  const data = liteData(read.questions);
  if (data.counts.every(({ sentences }) => sentences === 0))
    throw nothingToLearn(
      read,
      `${read.questions.length} questions, none of which is known to lead from one paragraph to another`,
    );
  return { ...data, files: read.files, problems: read.problems };
}
