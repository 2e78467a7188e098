/**
 * Reads sub-questions of an earlier run, or of a data set that provides them, so that a measurement
 * needs no model.
 */
import { InputError } from '../../core/errors.ts';
import { isFields, textOf } from '../json-fields.ts';
import { placedSubQuestions } from './sub-question-list.ts';

export interface RecordedSubQuestion {
  readonly question: string;
  readonly answer?: string;
}

/** Sub-questions by the question's text. */
export type RecordedSubQuestions = ReadonlyMap<string, readonly RecordedSubQuestion[]>;

/**
 * Returns at most `parts` recorded sub-questions of a question, with references renumbered; none if
 * it was not recorded. Throws `InputError('no-sub-questions')` if nothing was.
 */
export function replayedSubQuestions(
  recorded: RecordedSubQuestions | undefined,
  question: string,
  parts: number,
  { strategy, instead }: { readonly strategy: string; readonly instead: string },
): RecordedSubQuestion[] {
  if (!recorded)
    throw new InputError(
      'no-sub-questions',
      `The strategy "${strategy}" has no recorded sub-questions`,
      {
        expected: 'the sub-questions of an earlier run',
        hint: `Choose ${instead}: only evaluations replay recorded sub-questions.`,
        remedy: { id: 'give-sub-questions' },
      },
    );
  const list = recorded.get(question) ?? [];
  const texts = list.map(item => item.question);
  return placedSubQuestions(texts, parts).map(({ text, place }) => ({
    ...list[place]!,
    question: text,
  }));
}

/**
 * Reads `[{ question, subQuestions: ["...", { question, answer }] }, ...]`, and MuSiQue's own
 * questions with their list `question_decomposition`. Throws `InputError('bad-sub-questions')`.
 */
export function readRecordedSubQuestions(json: unknown): RecordedSubQuestions {
  if (!Array.isArray(json)) throw badSubQuestions(json, '');
  return new Map(
    json.map((entry: unknown, index): [string, readonly RecordedSubQuestion[]] => {
      const question = textOf(entry, 'question', 'query');
      const list = isFields(entry)
        ? (entry['subQuestions'] ?? entry['question_decomposition'])
        : undefined;
      if (question === undefined || !Array.isArray(list))
        throw badSubQuestions(entry, ` (entry ${index})`);
      return [question, list.map((item: unknown) => recorded(item, `entry ${index}`))];
    }),
  );
}

function recorded(item: unknown, where: string): RecordedSubQuestion {
  const question = typeof item === 'string' ? item : textOf(item, 'question');
  const answer = textOf(item, 'answer');
  if (question === undefined) throw badSubQuestions(item, ` (${where})`);
  return answer === undefined ? { question } : { question, answer };
}

function badSubQuestions(received: unknown, where: string): InputError {
  return new InputError('bad-sub-questions', `Not recorded sub-questions${where}`, {
    expected:
      'a list of { question, subQuestions: [{ question, answer }] }, or the questions of MuSiQue',
    received: (JSON.stringify(received) ?? String(received)).slice(0, 120),
  });
}
