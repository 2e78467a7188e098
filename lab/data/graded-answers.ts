/** Reads the graded answers of an evaluation, with what its reader said of their confidence. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../src/core/errors.ts';
import { parseJson } from '../../src/core/text/bounded-json.ts';
import { readRecorded, traceFiles } from '../../src/experiments/replay.ts';
import type { GradedAnswer } from '../learning/answer-probability/fit-curves.ts';

export interface GradedAnswers {
  readonly answers: readonly GradedAnswer[];
  /** Questions that have an answer. */
  readonly questions: number;
}

/** The measure that says whether an answer is right. */
export const GRADED_BY = 'QaAccuracy(strict)';

interface Scores {
  readonly questions: readonly string[];
  readonly scores: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;
}

/**
 * Returns the answers of a folder's only row that state their confidence. Throws `InputError` if
 * the folder is no evaluation of one row with `QaAccuracy(strict)`, or its traces do not verify.
 */
export async function gradedAnswers(folder: string, domain: string): Promise<GradedAnswers> {
  const { questions, scores } = readFields<Scores>(join(folder, 'scores.json'), [
    'questions',
    'scores',
  ]);
  const rows = Object.values(scores).filter(row => Object.hasOwn(row, GRADED_BY));
  if (rows.length !== 1)
    throw new InputError('bad-results', `${folder} holds ${rows.length} rows with ${GRADED_BY}`, {
      expected: `one row, by multihop eval --measure "${GRADED_BY}" --out DIR`,
      received: `${rows.length}`,
    });
  const score = new Map(questions.map((id, at) => [id, rows[0]![GRADED_BY]![at]]));
  const answers: GradedAnswer[] = [];
  for (const { traces } of await readRecorded(traceFiles(folder)))
    for (const trace of traces) {
      const { answer } = await trace.read();
      if (answer.kind !== 'answered' || !answer.confidence) continue;
      const right = score.get(trace.asked.question.id) === 1;
      answers.push({ domain, confidence: answer.confidence, right });
    }
  return { answers, questions: questions.length };
}

/** Reads a file that `eval --out` wrote. Throws `InputError('bad-results')`. */
function readFields<T extends object>(file: string, fields: readonly (keyof T & string)[]): T {
  let read: unknown;
  try {
    read = parseJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw notWritten(file, (error as Error).message);
  }
  const isThere = (field: string): boolean =>
    typeof read === 'object' && read !== null && Object.hasOwn(read, field);
  const missing = fields.find(field => !isThere(field));
  if (missing !== undefined) throw notWritten(file, `no "${missing}" in it`);
  return read as T;
}

const notWritten = (file: string, received: string): InputError =>
  new InputError('bad-results', `${file} holds no results`, {
    expected: `a folder written by multihop eval --measure "${GRADED_BY}" --out DIR`,
    received,
  });
