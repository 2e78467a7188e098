/**
 * Sub-questions of an earlier run, or MuSiQue's own, from a file: what
 * `query-decomposition(split=replayed)` is given.
 */
import { readFileSync } from 'node:fs';
import { InputError } from '../core/errors.ts';
import { readEntries } from '../documents/data-set-file.ts';
import {
  type RecordedSubQuestions,
  readRecordedSubQuestions,
} from '../planning/sub-questions/recorded-sub-questions.ts';
import { sha256 } from '../platform/sha256.ts';

export interface SubQuestionFile {
  readonly recorded: RecordedSubQuestions;
  readonly sha256: string;
  /** Tells whether a question has sub-questions; the clauses of one that has none are asked. */
  has(question: string): boolean;
}

/**
 * A JSON list, or one object a line. Throws `InputError`: the file is missing, no JSON, or holds no
 * sub-questions.
 */
export async function readSubQuestionFile(path: string): Promise<SubQuestionFile> {
  const problems: string[] = [];
  const entries = await readEntries(path, 'sub-questions', problems);
  if (problems.length > 0)
    throw new InputError('bad-sub-questions', `${path} holds something else too: ${problems[0]}`);
  const recorded = readRecordedSubQuestions(entries.map(({ fields }) => fields));
  return { recorded, sha256: sha256(readFileSync(path)), has: question => recorded.has(question) };
}

/** Before any work: a row that replays needs something to replay. */
export function checkReplayedSubQuestions(
  strategies: readonly string[],
  file: SubQuestionFile | undefined,
): void {
  const replaying = strategies.find(name => /\b(?:split|answers)=replayed\b/.test(name));
  if (replaying === undefined || file) return;
  throw new InputError(
    'no-sub-questions',
    `The strategy "${replaying}" replays recorded sub-questions`,
    {
      expected:
        '--sub-questions FILE, a list of { question, subQuestions: [{ question, answer }] } or the questions of MuSiQue',
    },
  );
}
