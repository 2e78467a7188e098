/** Opens the models of hosted providers by name, through their packages for the AI SDK. */
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import type { Embedder } from '../models/embedder.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { loadPackage } from '../platform/optional-package.ts';
import { embedderOver } from './ai-embedder.ts';
import { isParameter } from './ai-language-call.ts';
import { languageModelOver } from './ai-language-model.ts';
import type { AiLanguageModel } from './ai-language-shapes.ts';
import type { AiEmbeddingModel } from './ai-models.ts';
import { addressOf, keyHint, secretOf, secretsOf } from './endpoint.ts';
import { HTTP_LIMITS } from './http-exchange.ts';
import { redactedModel } from './redacted-model.ts';
import { type OnNote, warnProcess } from './request-parameters.ts';
import { sdkFetch } from './sdk-fetch.ts';
import { inSdkNames, withSentOptions } from './sent-options.ts';
import type { ServerModel } from './server-model.ts';

interface HostedProvider {
  /** The name of the package, and of its function that makes a provider. */
  readonly name: string;
  readonly create: string;
  /** The provider's scheme in names, its host, and the variables that its key is read from. */
  readonly scheme: string;
  readonly host: string;
  readonly variables: readonly string[];
}

/** The part of a provider that is used; the names of the maker of embedders differ by version. */
type Provider = ((model: string) => AiLanguageModel) & {
  readonly [K in 'embeddingModel' | 'textEmbeddingModel']?: (model: string) => AiEmbeddingModel;
};
type CreateProvider = (settings: {
  readonly apiKey: string;
  readonly baseURL: string;
  readonly fetch: unknown;
}) => Provider;

/** Returns the openers of a provider's models. */
export const hostedOpens = (hosted: HostedProvider): HostedOpens => ({
  async model(options) {
    const { provider, about, url } = await opened('model', hosted, options);
    const { model, limits, outputTokens, thinkingTokens, onNote, retries } = options;
    const languageModel = languageModelOver(
      { schemas: [provider(model)] },
      { ...about, label: `"${url.origin}${url.pathname}"` },
      `${hosted.scheme}:${model}`,
      {
        limits,
        outputTokens,
        thinkingTokens,
        onNote,
        retries,
        options: sdkOptions(options.options),
      },
    );
    return redactedModel(languageModel, about.secret);
  },
  async embedder(options) {
    const { provider, about, url } = await opened('embedder', hosted, options);
    const { model, limits, onNote, retries } = options;
    const make = provider.embeddingModel ?? provider.textEmbeddingModel;
    if (make === undefined)
      throw new InputError('bad-model', `The package ${hosted.name} has no embedders`, {
        expected: 'another provider of embedders',
        received: `"${hosted.scheme}:${model}"`,
      });
    return embedderOver(
      make.call(provider, model),
      { ...about, label: `"${url.origin}${url.pathname}"` },
      `${hosted.scheme}:${model}`,
      { totalMs: limits?.totalMs, onNote, retries },
    );
  },
});

/** A provider's own variables are for its own host: another address gets what is for any. */
const expectedKeys = (port: 'model' | 'embedder', variables: readonly string[]): string =>
  variables.length > 0
    ? variables.join(', or ')
    : port === 'model'
      ? 'MULTIHOP_MODEL_API_KEY, or MULTIHOP_API_KEY'
      : 'MULTIHOP_API_KEY';

/** Returns options under the names that the SDK knows; parameters of every model have their own. */
const sdkOptions = (options: ServerModel['options']): ServerModel['options'] =>
  options &&
  Object.fromEntries(
    Object.entries(options).map(entry =>
      isParameter(entry[0])
        ? entry
        : Object.entries(inSdkNames(Object.fromEntries([entry])) as object)[0]!,
    ),
  );

/** Returns what completes the bodies of requests by the options; undefined without options. */
function completing(
  options: ServerModel['options'],
  { name, onNote = warnProcess }: { readonly name: string; readonly onNote?: OnNote | undefined },
): ((body: string) => string) | undefined {
  const said = new Set<string>();
  const onUnsent = (option: string): void => {
    if (said.has(option)) return;
    said.add(option);
    onNote(`The request does not hold the option ${option}: only ${name} may read it`);
  };
  return options && (body => withSentOptions(body, options, onUnsent));
}

interface HostedOpens {
  model(options: ServerModel): Promise<LanguageModel>;
  embedder(options: ServerModel): Promise<Embedder>;
}

async function opened(
  port: 'model' | 'embedder',
  { name, create, scheme, host, variables }: HostedProvider,
  options: ServerModel,
) {
  const url = addressOf(options.baseUrl, '');
  const secret = secretOf(options.apiKey);
  if (secret === undefined)
    throw new InputError('no-model-key', `No key for "${scheme}:${options.model.slice(0, 80)}"`, {
      expected: `a key in the environment: ${expectedKeys(port, url.host === host ? variables : [])}`,
    });
  const label = `"${url.origin}${url.pathname}"`;
  const user = `Models of ${scheme}:`;
  const library = (await loadPackage(port, { name, user }, options.load)) as Readonly<
    Record<string, CreateProvider>
  >;
  const { connectMs = HTTP_LIMITS.connectMs, answerBytes = HTTP_LIMITS.answerBytes } =
    options.limits ?? {};
  const provider = library[create]!({
    apiKey: secret.reveal(),
    baseURL: `${url.origin}${url.pathname.replace(/\/$/, '')}`,
    fetch: sdkFetch(
      defined({
        port,
        label,
        connectMs,
        answerBytes,
        body: completing(options.options, { name, onNote: options.onNote }),
      }),
    ),
  });
  return {
    provider,
    url,
    about: { port, secret: secretsOf(url, secret), keyHint: keyHint(secret) } as const,
  };
}
