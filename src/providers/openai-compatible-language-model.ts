/**
 * Implements language models over the OpenAI API `/chat/completions`, as served by Ollama,
 * llama.cpp, vLLM, LM Studio and many more, with `@ai-sdk/openai-compatible`.
 */
import { defined } from '../core/defined.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { ReplyRoom } from '../models/reply-room.ts';
import {
  type LoadLibrary,
  loadPackage,
  type OptionalPackage,
} from '../platform/optional-package.ts';
import type { RequestOptions } from './ai-language-call.ts';
import { languageModelOver } from './ai-language-model.ts';
import type { AiLanguageModel } from './ai-language-shapes.ts';
import type { ProviderOptions } from './ai-models.ts';
import { chatEvents, wholeAnswer } from './chat-events.ts';
import {
  addressHint,
  addressOf,
  type EndpointOptions,
  keyHint,
  notJson,
  secretOf,
  secretsOf,
} from './endpoint.ts';
import type { GenerationLimits } from './generation-limits.ts';
import { HTTP_LIMITS } from './http-exchange.ts';
import { redactedModel } from './redacted-model.ts';
import { sdkFetch } from './sdk-fetch.ts';

export interface OpenAiCompatibleModelOptions extends Omit<EndpointOptions, 'limits'>, ReplyRoom {
  /** Model name of the server. */
  readonly model: string;
  readonly limits?: Partial<
    GenerationLimits & { readonly connectMs: number; readonly answerBytes: number }
  >;
  /** Further fields of the request, under the name "openaiCompatible"; part of the model's id. */
  readonly providerOptions?: ProviderOptions;
  /** The same without that name: `{ top_k: 20 }`; `null` leaves a field out. */
  readonly options?: RequestOptions | undefined;
  readonly load?: LoadLibrary | undefined;
}

const PACKAGE: OptionalPackage = {
  name: '@ai-sdk/openai-compatible',
  user: 'Language models behind a server',
};

const PATH = '/chat/completions';

/** The part of the package that is used. */
interface OpenAiCompatiblePackage {
  createOpenAICompatible(settings: {
    name: string;
    baseURL: string;
    apiKey?: () => string;
    queryParams?: Record<string, string>;
    fetch: unknown;
    includeUsage: boolean;
    supportsStructuredOutputs: boolean;
    transformRequestBody?: (body: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  }): { chatModel(model: string): AiLanguageModel };
}

/**
 * Returns a language model over an OpenAI-compatible server, without calling it. Throws
 * `InputError` for invalid options, `PortError` if the package is missing.
 *
 * @example
 * <!-- not run: needs a server -->
 *
 * ```ts
 * import { ask, ingest } from 'multihop';
 * import { openAiCompatibleModel } from 'multihop/providers';
 *
 * const model = await openAiCompatibleModel({
 *   model: 'llama3.2',
 *   baseUrl: 'http://localhost:11434/v1',
 * });
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * await ask('Who built the engine?', { engine, reader: 'generative', resources: { model } });
 * ```
 */
export async function openAiCompatibleModel(
  options: OpenAiCompatibleModelOptions,
): Promise<LanguageModel> {
  const { model, limits = {} } = options;
  const url = addressOf(options.baseUrl, PATH);
  const secret = secretOf(options.apiKey);
  const secrets = secretsOf(url, secret);
  const label = `"${url.origin}${url.pathname}"`;
  const { createOpenAICompatible } = (await loadPackage(
    'model',
    PACKAGE,
    options.load,
  )) as OpenAiCompatiblePackage;
  const {
    connectMs = HTTP_LIMITS.connectMs,
    answerBytes = HTTP_LIMITS.answerBytes,
    ...generation
  } = limits;
  const unreadable = (text: string): Error =>
    notJson('model', label, text, secrets, addressHint(url, PATH));
  const settings = {
    name: 'openaiCompatible',
    baseURL: `${url.origin}${url.pathname.slice(0, -PATH.length)}`,
    apiKey: secret && (() => secret.reveal()),
    queryParams: url.search === '' ? undefined : Object.fromEntries(url.searchParams),
    fetch: sdkFetch({
      port: 'model',
      label,
      connectMs,
      answerBytes,
      events: pieces => chatEvents(pieces, unreadable),
      whole: text => wholeAnswer(text, unreadable),
    }),
    supportsStructuredOutputs: true,
  };
  const [schemas, jsonMode, ...withoutUsage] = [true, false]
    .map(includeUsage => ({ ...settings, includeUsage }))
    .flatMap(form => [form, { ...form, transformRequestBody: inJsonMode }])
    .map(form => createOpenAICompatible(defined(form)).chatModel(model));
  const hints = { keyHint: keyHint(secret), addressHint: addressHint(url, PATH) };
  const provider = { port: 'model', label, secret: secrets, ...hints } as const;
  const languageModel = languageModelOver(
    { schemas: [schemas!, jsonMode!], withoutUsage },
    provider,
    `openai-compatible:${model}`,
    {
      limits: generation,
      outputTokens: options.outputTokens,
      thinkingTokens: options.thinkingTokens,
      onNote: options.onNote,
      retries: options.retries,
      providerOptions: options.providerOptions,
      options: options.options,
    },
  );
  return redactedModel(languageModel, secrets);
}

/**
 * Rewrites `response_format` to `{ type: 'json_object', schema }`, the form of older llama.cpp
 * servers and some hosts; others at least return JSON.
 */
function inJsonMode(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { response_format: format, ...rest } = body as {
    response_format?: { json_schema?: { schema?: unknown } };
  };
  return {
    ...rest,
    response_format: format && { type: 'json_object', schema: format.json_schema?.schema },
  };
}
