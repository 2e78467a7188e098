/**
 * Names the parameters of a language model as the OpenAI API does, and makes the AI SDK's call of
 * those that are sent.
 */
import { defined } from '../core/defined.ts';
import type { JsonSchema, Prompt } from '../models/language-model.ts';
import {
  type AiLanguageCall,
  type AiLanguageModel,
  aiPrompt,
  withoutSystem,
} from './ai-language-shapes.ts';
import type { ProviderOptions } from './ai-models.ts';
import { type Parameters, SYSTEM } from './request-parameters.ts';

/** The SDK's names of parameters. */
const SDK_NAMES = {
  max_tokens: 'maxOutputTokens',
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  stop: 'stopSequences',
  seed: 'seed',
} as const;

/** Tells if a name is that of a parameter which the SDK takes for every model. */
export const isParameter = (name: string): boolean => Object.hasOwn(SDK_NAMES, name);

/** Fields of requests by the names that the provider has for them; `null` leaves one out. */
export type RequestOptions = Readonly<Record<string, unknown>>;

/** Returns the options of the provider with further fields of its requests. */
export const withOptions = (
  { provider }: Pick<AiLanguageModel, 'provider'>,
  providerOptions: ProviderOptions | undefined,
  options: RequestOptions | undefined,
): ProviderOptions | undefined => {
  const name = optionsName(provider);
  return options
    ? { ...providerOptions, [name]: { ...providerOptions?.[name], ...options } }
    : providerOptions;
};

const optionsName = (provider: string): string => provider.split('.')[0]!.trim();

export interface CallForm {
  readonly providerOptions: ProviderOptions | undefined;
  readonly isStreamed: boolean;
  /** True if streams are asked to count their tokens. */
  readonly asksUsage: boolean;
}

/** Returns everything that a request may go without, the provider's options among it. */
export function parametersOf(
  { maxTokens, temperature = 0, stop = [], seed, schema, messages }: Prompt,
  { providerOptions = {}, isStreamed, asksUsage }: CallForm,
): Parameters {
  const options: Parameters = Object.assign({}, ...Object.values(providerOptions));
  const given = Object.entries(options).map(([name, value]) => [name, value ?? undefined]);
  return defined<Record<string, unknown>>({
    [SYSTEM]: messages.some(({ role }) => role === 'system') || undefined,
    max_tokens: maxTokens,
    temperature,
    stop: stop.length > 0 ? stop : undefined,
    seed,
    response_format: schema,
    stream: isStreamed || undefined,
    stream_options: (isStreamed && asksUsage) || undefined,
    ...Object.fromEntries(given),
  });
}

export interface SentCall {
  readonly prompt: Prompt;
  readonly sent: Parameters;
  readonly withSchema: boolean;
  readonly providerOptions: ProviderOptions | undefined;
  readonly abortSignal: AbortSignal;
}

export function aiCall({ provider }: AiLanguageModel, call: SentCall): AiLanguageCall {
  const { prompt, sent, withSchema, abortSignal } = call;
  const { schema } = prompt;
  const sentNames = Object.entries(SDK_NAMES).filter(([name]) => name in sent);
  const providerOptions = sentOptions(call, optionsName(provider));
  return defined<AiLanguageCall>({
    prompt: aiPrompt(SYSTEM in sent ? prompt : withoutSystem(prompt)),
    ...Object.fromEntries(sentNames.map(([name, as]) => [as, sent[name]])),
    responseFormat:
      schema && withSchema
        ? { type: 'json', name: schema.name, schema: sentSchema(schema.schema, provider) }
        : undefined,
    providerOptions,
    abortSignal,
  });
}

/**
 * Returns the schema without `oneOf` and, for OpenAI, `maxLength`, which it refuses: the
 * alternatives of our schemas exclude each other, so that `anyOf` says the same.
 */
const sentSchema = (schema: JsonSchema, provider: string): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === 'maxLength' && optionsName(provider) === 'openai') return undefined;
    if (typeof value !== 'object' || value === null || !('oneOf' in value)) return value;
    const { oneOf, ...rest } = value;
    return { ...rest, anyOf: oneOf };
  }) as JsonSchema;

/** Returns the provider's options that are sent, and with them what the SDK has no name for. */
function sentOptions(
  { sent, providerOptions }: SentCall,
  provider: string,
): ProviderOptions | undefined {
  const { max_completion_tokens: limit } = sent;
  if (providerOptions === undefined && limit === undefined) return undefined;
  const options = Object.entries(providerOptions ?? {}).map(([name, fields]) => [
    name,
    Object.fromEntries(Object.entries(fields).filter(([field]) => field in sent)),
  ]);
  const all: ProviderOptions = Object.fromEntries(options);
  return limit === undefined
    ? all
    : { ...all, [provider]: { ...all[provider], max_completion_tokens: limit } };
}
