/** What a language model gave, held to its word before anybody counts or keeps it. */
import { PortError } from '../errors.ts';
import type { Completion, LanguageModel, Prompt, TokenUsage } from './language-model.ts';
import { promptTokens } from './prompt-tokens.ts';

/**
 * The longest text that is taken; UTF-16 units. What comes after it is cut off, and the completion
 * says so by `finish: 'length'`.
 */
export const LONGEST_COMPLETION = 262_144;

const FINISHES: readonly unknown[] = [
  'stop',
  'length',
  'filtered',
  'other',
] satisfies Completion['finish'][];

/**
 * The completion as the port promises it. A text that is none is a `PortError`; counts that cannot
 * be (missing, negative, fractions) are replaced by what was reserved for them, and marked as
 * estimated: a provider that does not count is not cheaper for it.
 */
export function checkedCompletion(
  { id }: Pick<LanguageModel, 'id'>,
  prompt: Prompt,
  given: Completion,
): Completion {
  const text: unknown = given?.text;
  if (typeof text !== 'string')
    throw new PortError(
      'model',
      'bad-completion',
      `The language model "${id}" gave what cannot be used`,
      {
        expected: 'a text',
        received: typeof text,
      },
    );
  const finish = FINISHES.includes(given.finish) ? given.finish : 'other';
  const usage = checkedUsage(given.usage, prompt);
  if (text.length <= LONGEST_COMPLETION) return { text, usage, finish };
  return { text: text.slice(0, LONGEST_COMPLETION), usage, finish: 'length' };
}

function checkedUsage(usage: TokenUsage | undefined, prompt: Prompt): TokenUsage {
  const [input, output] = [usage?.input, usage?.output];
  const known = isCount(input) && isCount(output);
  const counts = {
    input: isCount(input) ? input : promptTokens(prompt),
    output: isCount(output) ? output : prompt.maxTokens,
  };
  return known && !usage?.estimated ? counts : { ...counts, estimated: true };
}

const isCount = (tokens: unknown): tokens is number =>
  typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0;
