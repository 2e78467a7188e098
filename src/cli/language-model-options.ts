/** The options that name a language model, its price, its cassette and its total budget. */
import type { LanguageModelOptions } from '../session/language-model.ts';
import type { CommandContext, Option } from './command.ts';
import { PRICE_OPTION, parsePrice } from './price-option.ts';
import { KEPT } from './written-files.ts';

export const CASSETTE_OPTION: Option = {
  name: 'cassette',
  value: 'FILE',
  access: { ...KEPT, onlyWith: 'model' },
  summary:
    'completions by the hash of their prompt: recorded with --model, replayed without it, when no model is asked',
};

export const CASSETTE_NOTE =
  'A cassette holds completions and no prompts. With --model it answers the prompts that it holds and records the others; without --model a prompt that it lacks is a failure. Model calls, tokens and usd of a run count every completion, including those of a cassette or a cache. A limit on usd counts language models; embedders and rerankers behind HTTP count in model-calls and model-tokens.';

export const MODEL_OPTION: Option = {
  name: 'model',
  value: 'NAME',
  summary:
    'the language model of strategies and readers that ask one: ollama:MODEL, openai-compatible:MODEL, hub:ORG/NAME, or a folder in MULTIHOP_MODELS',
};
export const MODEL_URL_OPTION: Option = {
  name: 'model-url',
  value: 'URL',
  summary:
    'address of an openai-compatible language model, such as http://localhost:8080/v1; its key comes from MULTIHOP_MODEL_API_KEY',
};

export const MODEL_TIMEOUT_OPTION: Option = {
  name: 'model-timeout',
  value: 'SECONDS',
  type: 'integer',
  min: 1,
  default: '90',
  summary: 'time limit of one answer of a language model or judge behind a server',
};

export const LANGUAGE_MODEL_OPTIONS: readonly Option[] = [
  MODEL_OPTION,
  MODEL_URL_OPTION,
  MODEL_TIMEOUT_OPTION,
  PRICE_OPTION,
  CASSETTE_OPTION,
];

/** For a command that runs many questions: `--budget` limits each of them. */
export const TOTAL_BUDGET_OPTION: Option = {
  name: 'total-budget',
  value: 'LIMITS',
  summary:
    'limits on the language model over all questions together: usd=5,model-calls=2000,model-tokens=1000000',
};

/** Returns the milliseconds of `--model-timeout`. */
export const answerTime = ({ options }: CommandContext): number =>
  1000 * options.integer('model-timeout', 90);

/** Returns the language model that the options name. Throws `InputError('bad-price')`. */
export function languageModelOptions(context: CommandContext): LanguageModelOptions {
  const { options, env, output } = context;
  return {
    env,
    model: options.text('model'),
    baseUrl: options.text('model-url'),
    answerMs: answerTime(context),
    price: parsePrice(options.text('price')),
    cassette: options.text('cassette'),
    notices: output,
  };
}
