/** Lists the models of servers that answer on this machine, or at an address that is asked for. */
import type { Secret } from '../../platform/secret.ts';
import { environmentKey } from '../environment-key.ts';
import { ollamaUrl } from '../model-servers.ts';
import { countOf, type LocalModel, licenceName } from './local-model.ts';

/** Usual ports of llama.cpp, vLLM and LM Studio. */
const PORTS = [8080, 8000, 1234];
/** A server on this machine that does not answer within this time is taken for none. */
const ANSWER_MS = 1500;

type Environment = Readonly<Record<string, string | undefined>>;

export interface AskedServer {
  readonly address: string;
  readonly answers: boolean;
  readonly models: readonly LocalModel[];
}

/** Asks Ollama, usual ports of this machine, and the address, if there is one. */
export async function askedServers(
  env: Environment,
  baseUrl: string | undefined,
): Promise<AskedServer[]> {
  const local = PORTS.map(port => `http://127.0.0.1:${port}/v1`);
  const others = [...new Set([...(baseUrl === undefined ? [] : [baseUrl]), ...local])];
  return Promise.all([
    ollama(ollamaUrl(env['OLLAMA_HOST'])),
    ...others.map(address => {
      const key =
        address === baseUrl ? environmentKey(address, env, 'MULTIHOP_MODEL_API_KEY') : undefined;
      return openAiCompatible(address, key);
    }),
  ]);
}

async function openAiCompatible(address: string, key: Secret | undefined): Promise<AskedServer> {
  const answer = await json(`${address.replace(/\/+$/, '')}/models`, undefined, key);
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return { address, answers: false, models: [] };
  const models = data.flatMap((entry: { readonly id?: unknown } | null): LocalModel[] =>
    typeof entry?.id === 'string'
      ? [{ name: `openai-compatible:${entry.id}`, kind: 'model', address }]
      : [],
  );
  return { address, answers: true, models };
}

interface OllamaModel {
  readonly name?: unknown;
  readonly size?: unknown;
}

async function ollama(v1: string): Promise<AskedServer> {
  const address = v1.replace(/\/v1$/, '');
  const answer = await json(`${address}/api/tags`);
  const { models } = (answer ?? {}) as { readonly models?: unknown };
  if (!Array.isArray(models)) return { address, answers: false, models: [] };
  const named = models.filter(
    (model: OllamaModel | null): model is { readonly name: string; readonly size?: unknown } =>
      typeof model?.name === 'string',
  );
  return {
    address,
    answers: true,
    models: await Promise.all(named.map(model => ollamaModel(address, model))),
  };
}

async function ollamaModel(
  address: string,
  { name, size }: { readonly name: string; readonly size?: unknown },
): Promise<LocalModel> {
  const shown = ((await json(`${address}/api/show`, { model: name })) ?? {}) as {
    readonly capabilities?: unknown;
    readonly license?: unknown;
    readonly model_info?: Readonly<Record<string, unknown>> | null;
  };
  const { capabilities, license, model_info: facts } = shown;
  const embeds = Array.isArray(capabilities) && !capabilities.includes('completion');
  const [, context] =
    Object.entries(facts ?? {}).find(([key]) => key.endsWith('.context_length')) ?? [];
  return {
    name: embeds ? `openai-compatible:${name}` : `ollama:${name}`,
    kind: embeds ? 'embedder' : 'model',
    bytes: countOf(size),
    licence: licenceName(license),
    contextTokens: countOf(context),
    address: embeds ? `${address}/v1` : undefined,
  };
}

const headersOf = (key: Secret | undefined): Record<string, string> => {
  const type = 'application/json';
  if (!key) return { 'content-type': type };
  return { 'content-type': type, authorization: `Bearer ${key.reveal()}` };
};

/** Returns undefined if nothing answers in time, or something that is no JSON. */
async function json(url: string, body?: object, key?: Secret): Promise<unknown> {
  try {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: headersOf(key),
      body: body ? JSON.stringify(body) : null,
      // A redirect would receive the key.
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
