/** The option `--answer-at` of `multihop ask`. */

import { checkAnswerAt } from '../readers/answer-at.ts';
import { DEFAULTS } from '../run/ask.ts';
import type { Option } from './command.ts';
import type { OptionValues } from './option-values.ts';

export const ANSWER_AT_OPTION: Option = {
  name: 'answer-at',
  value: 'P',
  default: String(DEFAULTS.answerAt),
  summary:
    'least probability of being right, from 0 to 1, of an answer that is given; below it the evidence alone is shown',
};

/** Returns the probability; undefined if the option was not given. Throws `InputError`. */
export function answerAtOf(options: Pick<OptionValues, 'text'>): number | undefined {
  const text = options.text('answer-at');
  if (text === undefined) return undefined;
  return checkAnswerAt(text.trim() === '' ? Number.NaN : Number(text));
}
