/**
 * The language model that a command names: resolved, and with its cassette, price and budget around
 * it.
 */
import type { LanguageModel } from '../../models/language-model.ts';
import { usageWords } from './answer-text.ts';
import { limitOption } from './budget-option.ts';
import type { CommandContext, Option } from './command.ts';
import {
  CASSETTE_OPTION,
  type DecoratedModel,
  type DecorateOptions,
  decorateModel,
  type TotalBudget,
} from './decorated-model.ts';
import type { Output } from './output.ts';
import { PRICE_OPTION } from './price-option.ts';

export const MODEL_OPTION: Option = {
  name: 'model',
  value: 'NAME',
  summary:
    'the language model of strategies and readers that ask one: openai-compatible:MODEL, hub:ORG/NAME, or a folder in MULTIHOP_MODELS',
};
export const MODEL_URL_OPTION: Option = {
  name: 'model-url',
  value: 'URL',
  summary:
    'where an openai-compatible language model is asked, as http://localhost:8080/v1; its key comes from MULTIHOP_MODEL_API_KEY',
};

export const MODEL_TIMEOUT_OPTION: Option = {
  name: 'model-timeout',
  value: 'SECONDS',
  type: 'integer',
  min: 1,
  default: '90',
  summary: 'how long a language model behind a server, a judge too, may take over one answer',
};

export const LANGUAGE_MODEL_OPTIONS: readonly Option[] = [
  MODEL_OPTION,
  MODEL_URL_OPTION,
  MODEL_TIMEOUT_OPTION,
  PRICE_OPTION,
  CASSETTE_OPTION,
];

/** Of a command that runs many questions: `--budget` is for each of them. */
export const TOTAL_BUDGET_OPTION: Option = {
  name: 'total-budget',
  value: 'LIMITS',
  summary:
    'what all questions together may use of the language model: usd=5,model-calls=2000,model-tokens=1000000',
};

/** What a provider may have beside its port. */
interface Closing {
  close?(): Promise<void>;
}

export interface OpenModel {
  /** Undefined where the command names none and replays none. */
  readonly decorated: DecoratedModel | undefined;
  close(): Promise<void>;
}

/**
 * Throws `InputError` for a name that is none, a price that cannot be read, a cassette that is
 * another model's.
 */
export async function openLanguageModel(
  context: CommandContext,
  more: Pick<DecorateOptions, 'cache' | 'total'> = {},
): Promise<OpenModel> {
  const { options, output } = context;
  const name = options.text('model');
  const provider = name === undefined ? undefined : await resolved(name, context);
  try {
    const given = { name, price: options.text('price'), cassette: options.text('cassette') };
    const decorated = await decorateModel(provider, output, { ...given, ...more });
    return {
      decorated,
      async close() {
        await decorated?.close();
        await provider?.close?.();
      },
    };
  } catch (error) {
    await provider?.close?.();
    throw error;
  }
}

async function resolved(
  name: string,
  { options, env }: CommandContext,
): Promise<LanguageModel & Closing> {
  const { resolveLanguageModel } = await import('../providers/resolve-model.ts');
  return resolveLanguageModel(name, {
    env,
    baseUrl: options.text('model-url'),
    answerMs: 1000 * options.integer('model-timeout', 90),
  });
}

/**
 * After an evaluation. Returns the exit code: a replay that lacked something is no replay of the
 * run that was recorded.
 */
export function tellSpending(
  models: {
    readonly answering: DecoratedModel | undefined;
    readonly judging: DecoratedModel | undefined;
  },
  { reached }: TotalBudget,
  output: Output,
): number {
  const { answering, judging } = models;
  if (answering && answering.spent.calls > 0)
    output.note(`The language model: ${spendingWords(answering)}`);
  if (judging) output.note(`The judge ${judging.model.id}: ${spendingWords(judging)}`);
  if (reached) {
    const limit = limitOption(reached);
    output.warn(
      `The total budget was reached (${limit}): what came after it was answered without the model, or not at all, and not judged`,
    );
  }
  const misses = (answering?.misses ?? 0) + (judging?.misses ?? 0);
  if (misses > 0)
    output.error(
      `${misses} prompts are not on the cassette: record them with --model NAME beside --cassette FILE (--judge beside --judge-cassette)`,
    );
  return misses > 0 ? 1 : reached ? 3 : 0;
}

/** `4 model calls, 120 model tokens, 0.156 USD`. */
function spendingWords({ spent: { calls, input, output, usd } }: DecoratedModel): string {
  return usageWords({
    modelCalls: calls,
    modelTokens: input + output,
    ...(usd === undefined ? {} : { usd }),
  }).join(', ');
}
