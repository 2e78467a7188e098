/** Reads the graded answers of an evaluation, with what its reader said of their confidence. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../errors.ts';
import type { GradedAnswer } from '../../learning/answer-probability/fit-curves.ts';
import { readRecorded } from './replay.ts';

export interface GradedAnswers {
  readonly answers: readonly GradedAnswer[];
  /** Questions that have an answer. */
  readonly questions: number;
}

/** Graded answers of something else than `eval`: `{ dataset, questions, answers }`. */
export const GRADED_FILE = 'graded-answers.json';

interface GradedFile {
  readonly questions: number;
  readonly answers: readonly Omit<GradedAnswer, 'domain'>[];
}

const MEASURE = 'QaAccuracy(strict)';

interface Scores {
  readonly questions: readonly string[];
  readonly scores: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
}

/**
 * Returns the answers of a folder's only row that state their confidence. Throws `InputError` if
 * the folder is no evaluation of one row with `QaAccuracy(strict)`.
 */
export async function gradedAnswers(folder: string, domain: string): Promise<GradedAnswers> {
  const file = join(folder, GRADED_FILE);
  if (existsSync(file)) {
    const { questions, answers } = JSON.parse(readFileSync(file, 'utf8')) as GradedFile;
    return { questions, answers: answers.map(answer => ({ ...answer, domain })) };
  }
  const { questions, scores } = JSON.parse(
    readFileSync(join(folder, 'scores.json'), 'utf8'),
  ) as Scores;
  const rows = Object.values(scores).filter(row => Object.hasOwn(row, MEASURE));
  if (rows.length !== 1)
    throw new InputError('bad-results', `${folder} holds ${rows.length} rows with ${MEASURE}`, {
      expected: `one row, by multihop eval --measure "${MEASURE}" --out DIR`,
      received: `${rows.length}`,
    });
  const score = new Map(questions.map((id, at) => [id, rows[0]![MEASURE]![at]]));
  const answers: GradedAnswer[] = [];
  for (const { traces } of await readRecorded(folder))
    for (const trace of traces) {
      const { answer } = await trace.read();
      if (answer.kind !== 'answered' || !answer.confidence) continue;
      const right = score.get(trace.asked.question.id) === 1;
      answers.push({ domain, confidence: answer.confidence, right });
    }
  return { answers, questions: questions.length };
}
