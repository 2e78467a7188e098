/** Validates completions of a language model, and decorates models whose calls are validated. */
import { defined } from '../core/defined.ts';
import { PortError } from '../core/errors.ts';
import type { Cut } from '../core/trace/answer.ts';
import type { Completion, LanguageModel, Prompt, TokenUsage } from './language-model.ts';
import { promptTokens } from './prompt-tokens.ts';
import { withoutThinking } from './thoughts.ts';

/**
 * Maximum length of a completion, UTF-16 units. A longer text is cut and its `finish` is 'length'.
 */
export const MAX_COMPLETION = 262_144;

const FINISHES: readonly unknown[] = [
  'stop',
  'length',
  'filtered',
  'other',
] satisfies Completion['finish'][];

/**
 * Returns the completion as the port defines it. Throws `PortError('bad-completion')` if it has no
 * text. Invalid token counts (missing, negative, fractional) become the reserved amounts and are
 * marked as estimated, so that a provider without counts is not cheaper.
 */
export function checkedCompletion(
  { id }: Pick<LanguageModel, 'id'>,
  prompt: Prompt,
  received: Completion,
): Completion {
  const text: unknown = received?.text;
  if (typeof text !== 'string')
    throw new PortError(
      'model',
      'bad-completion',
      `The language model "${id}" returned an invalid completion`,
      { expected: 'a text', received: typeof text },
    );
  const finish = FINISHES.includes(received.finish) ? received.finish : 'other';
  const usage = checkedUsage(received.usage, prompt);
  if (text.length > MAX_COMPLETION)
    return {
      text: text.slice(0, MAX_COMPLETION),
      usage,
      finish: 'length',
      cut: { tokens: usage.output },
    };
  const cut = finish === 'length' ? (received.cut ?? cutOf(text, prompt.maxTokens)) : undefined;
  return defined({ text, usage, finish, cut });
}

/** Returns the cut of a reply that met a limit on its tokens. */
export const cutOf = (text: string, tokens: number): Cut =>
  defined({ tokens, thinking: withoutThinking(text).trim() === '' || undefined });

/** Calls a model. Returns as `checkedCompletion`. */
export const generateChecked = async (
  model: LanguageModel,
  ...call: Parameters<LanguageModel['generate']>
): Promise<Completion> => checkedCompletion(model, call[0], await model.generate(...call));

/** Returns a model with the same facts and the same tokenizer that generates otherwise. */
export const decorated = (
  model: Omit<LanguageModel, 'generate'>,
  generate: LanguageModel['generate'],
): LanguageModel =>
  defined<LanguageModel>({
    id: model.id,
    price: model.price,
    contextTokens: model.contextTokens,
    replyTokens: model.replyTokens && (maxTokens => model.replyTokens!(maxTokens)),
    countTokens: model.countTokens && (prompt => model.countTokens!(prompt)),
    startsInThought: model.startsInThought && (() => model.startsInThought!()),
    generate,
  });

function checkedUsage(usage: TokenUsage | undefined, prompt: Prompt): TokenUsage {
  const [input, output] = [usage?.input, usage?.output];
  const known = isCount(input) && isCount(output);
  const thoughts = known && isCount(usage?.thoughts) ? usage.thoughts : undefined;
  const counts = defined<TokenUsage>({
    input: isCount(input) ? input : promptTokens(prompt),
    output: isCount(output) ? output : prompt.maxTokens,
    thoughts,
    reused: known && isCount(usage?.reused) ? Math.min(usage.reused, input) : undefined,
  });
  return known && !usage?.estimated ? counts : { ...counts, estimated: true };
}

const isCount = (tokens: unknown): tokens is number =>
  typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0;
