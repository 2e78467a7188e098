/** Opens models by the names of the command line. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { type ReplyRoom, withReplyRoom } from '../models/reply-room.ts';
import type { LoadLibrary } from '../platform/optional-package.ts';
import { weightsPath } from '../platform/weights-package.ts';
import type { RequestOptions } from './ai-language-call.ts';
import type { EndpointOptions } from './endpoint.ts';
import { environmentKey, recordedKey } from './environment-key.ts';
import { GENERATION_LIMITS, type GenerationLimits } from './generation-limits.ts';
import type { HttpLimits } from './http-exchange.ts';
import { KNOWN_EMBEDDERS, KNOWN_RERANKERS } from './known-models.ts';
import { ggufForms, openNamedGguf } from './llama/open-gguf.ts';
import {
  type Kind,
  type ModelServer,
  type Models,
  SHIPPED_ANSWERER,
  SHIPPED_RANKER,
  serverForms,
  serversOf,
} from './model-servers.ts';
import { warnProcess } from './request-parameters.ts';
import { transformersEmbedder } from './transformers-embedder.ts';
import { transformersLanguageModel } from './transformers-language-model.ts';
import type { LocalModelOptions } from './transformers-library.ts';
import { transformersQuestionAnswerer } from './transformers-question-answerer.ts';
import { transformersReranker } from './transformers-reranker.ts';
import { transformersTagger } from './transformers-tagger.ts';

export interface ResolveOptions {
  /** Environment with `MULTIHOP_MODELS` and the keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The address of a server. */
  readonly baseUrl?: string | undefined;
  /** Marks a base URL that comes from a store's record and not from the user: see `recordedKey`. */
  readonly recorded?: boolean | undefined;
  readonly dtype?: string | undefined;
  readonly threads?: number | undefined;
  readonly load?: LoadLibrary | undefined;
  /**
   * `--model-timeout`, `--embedder-timeout`: time limit for one answer of a model behind a server.
   * Milliseconds.
   */
  readonly answerMs?: number | undefined;
  /** Further fields of each request to a model behind a server. */
  readonly modelOptions?: RequestOptions | undefined;
  /** Limits on the replies of a language model. */
  readonly room?: ReplyRoom | undefined;
  readonly endpoint?: Pick<EndpointOptions, 'limits' | 'retries' | 'onNote'>;
}

/** Folders of models that are packages of their own. */
const SHIPPED: { readonly [K in Kind]?: Readonly<Record<string, () => string>> } = {
  'question-answerer': { [SHIPPED_ANSWERER]: () => shippedAnswerer() },
};

/** Opens a model of a folder or of the hub. */
const LOCAL: {
  readonly [K in Kind]: (options: LocalModelOptions) => Promise<Models[K]>;
} = {
  embedder: transformersEmbedder,
  reranker: transformersReranker,
  'question-answerer': transformersQuestionAnswerer,
  'entity-recogniser': transformersTagger,
  model: transformersLanguageModel,
};

/** Models whose folders do not say all that reading them takes. */
const KNOWN: Readonly<Record<Kind, readonly string[]>> = {
  embedder: KNOWN_EMBEDDERS,
  reranker: KNOWN_RERANKERS,
  'question-answerer': [],
  'entity-recogniser': [],
  model: [],
};
const NOUNS: Readonly<Record<Kind, string>> = {
  embedder: 'an embedder',
  reranker: 'a reranker',
  'question-answerer': 'a question answerer',
  'entity-recogniser': 'an entity recogniser',
  model: 'a language model',
};
/** Options of `openStore` that give the address of a server. */
const URL_FIELD: { readonly [K in Kind]?: string } = {
  embedder: 'baseUrl',
  reranker: 'rerankerUrl',
  model: 'modelUrl',
};

const formsOf = (kind: Kind): readonly string[] => [
  ...Object.keys(SHIPPED[kind] ?? {}),
  ...(kind === 'reranker' ? [SHIPPED_RANKER, `${SHIPPED_RANKER}:FILE`] : []),
  ...ggufForms(kind),
  'hub:ORG/NAME',
  ...serverForms(kind),
];

/**
 * Returns the names that `resolveModel` takes: models whose folders exist first, then the forms of
 * other names.
 */
export function knownModels(kind: Kind, env: ResolveOptions['env']): readonly string[] {
  const present = KNOWN[kind].filter(
    name => env.MULTIHOP_MODELS !== undefined && existsSync(join(env.MULTIHOP_MODELS, name)),
  );
  return [...present, ...formsOf(kind)];
}

/**
 * Opens the model of a name: `gguf:PATH`, `hf:ORG/NAME:FILE`, `hub:ORG/NAME`, `ranker`,
 * `ranker:FILE`, the name of a server (`openai-compatible:MODEL`, `cohere:MODEL`), or a folder in
 * `MULTIHOP_MODELS`, such as `bge-small-en-v1.5`. Throws `InputError` for a name that opens no
 * model of this kind, and the errors of opening it.
 */
export async function resolveModel<K extends Kind>(
  kind: K,
  name: string,
  options: ResolveOptions,
): Promise<Models[K]> {
  const { scheme, rest } = partsOf(name);
  const { dtype, threads, load, env } = options;
  const open = async (local: LocalModelOptions): Promise<Models[K]> =>
    withRoom(kind, await LOCAL[kind](local), options);
  if (scheme === 'gguf' || scheme === 'hf')
    return withRoom(kind, await openNamedGguf(kind, { name, scheme, rest }, options), options);
  if (scheme === 'hub') checkNoOptions(name, options);
  if (scheme === 'hub') return open({ model: hubId(rest), dtype, threads, load });
  const server = serversOf(kind).find(candidate => candidate.scheme === scheme);
  if (server) return openServer(kind, server, { name, rest }, options);
  checkNoOptions(name, options);
  if (kind === 'reranker' && (scheme ?? name) === SHIPPED_RANKER)
    return (await import('./open-ranker-file.ts')).openRankerFile(scheme && rest) as Promise<
      Models[K]
    >;
  const folder = SHIPPED[kind]?.[name]?.() ?? folderOf(kind, name, env);
  return open({ model: name, folder, dtype, threads, load });
}

function checkNoOptions(name: string, { modelOptions }: ResolveOptions): void {
  if (modelOptions === undefined) return;
  throw new InputError('bad-model-option', `The model "${name.slice(0, 80)}" takes no options`, {
    expected: 'options for a model behind a server',
    received: Object.keys(modelOptions).join(', ').slice(0, 80),
  });
}

/** Leaves a language model of this process its room; that of a server leaves it itself. */
function withRoom<M>(kind: Kind, opened: M, { room = {}, endpoint }: ResolveOptions): M {
  if (kind !== 'model') return opened;
  const model = opened as LanguageModel & { close?(): Promise<void> };
  const close = (): Promise<void> | undefined => model.close?.();
  const roomy = withReplyRoom(model, room, endpoint?.onNote ?? warnProcess);
  return { ...model, ...roomy, close } as M;
}

async function openServer<K extends Kind>(
  kind: K,
  { address, opens, key }: ModelServer,
  { name, rest }: { readonly name: string; readonly rest: string },
  options: ResolveOptions,
): Promise<Models[K]> {
  const { env, answerMs, endpoint = {} } = options;
  const baseUrl = options.baseUrl ?? address?.(env) ?? missingUrl(kind, name);
  // A name of a provider says whose key it takes.
  const first = options.baseUrl === undefined && key ? key.variables : [];
  const others = kind === 'model' ? ['MULTIHOP_MODEL_API_KEY'] : [];
  return opens[kind]!({
    ...endpoint,
    ...options.room,
    options: options.modelOptions,
    model: nameOnServer(name, rest),
    baseUrl,
    apiKey: options.recorded
      ? recordedKey(baseUrl, env)
      : environmentKey(baseUrl, env, [...first, ...others]),
    load: options.load,
    limits: answerMs === undefined ? endpoint.limits : limitsOf(kind, answerMs),
  });
}

/** Share of the time of an answer for which a stream may pause. */
const PAUSE = GENERATION_LIMITS.pieceMs / GENERATION_LIMITS.totalMs;

/** A language model that may take longer over an answer may also pause longer within it. */
const limitsOf = (kind: Kind, ms: number): Partial<HttpLimits & GenerationLimits> =>
  defined({
    totalMs: ms,
    firstMs: ms,
    headersMs: ms,
    pieceMs: kind === 'model' ? Math.max(GENERATION_LIMITS.pieceMs, PAUSE * ms) : undefined,
  });

/** Returns the folder of the installed model. Throws `InputError('missing-weights')`. */
const shippedAnswerer = (): string =>
  dirname(
    weightsPath({
      name: '@multihop/span-minilm',
      file: 'config.json',
      of: 'the reader span',
      otherwise: 'Or name another model: span(hub:ORG/NAME)',
      remedy: { id: 'install-weights' },
    }),
  );

function partsOf(name: string): { readonly scheme: string | undefined; readonly rest: string } {
  const colon = name.indexOf(':');
  return colon < 0
    ? { scheme: undefined, rest: name }
    : { scheme: name.slice(0, colon), rest: name.slice(colon + 1) };
}

function hubId(rest: string): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(rest) && !rest.includes('..')) return rest;
  throw new InputError('bad-model', 'Invalid name of a hub model', {
    expected: 'hub:ORG/NAME',
    received: `"hub:${rest.slice(0, 80)}"`,
  });
}

function nameOnServer(name: string, rest: string): string {
  if (rest.trim() !== '') return rest;
  throw new InputError('bad-model', `The model "${name}" has no name`, {
    expected: `${name}MODEL, as the server calls it`,
  });
}

function missingUrl(kind: Kind, name: string): never {
  throw new InputError('no-base-url', `No server URL for "${name}"`, {
    expected: 'an address such as http://localhost:8080/v1',
    hint: `Give it: ${URL_FIELD[kind]} of openStore(), baseUrl elsewhere.`,
    remedy: { id: 'give-url', name: kind },
  });
}

/** Returns the folder of a known model, or of an unknown one that exists in `MULTIHOP_MODELS`. */
function folderOf(kind: Kind, name: string, env: ResolveOptions['env']): string {
  const models = env.MULTIHOP_MODELS;
  const known = KNOWN[kind].includes(name);
  const plain = /^[\w.-]+$/.test(name) && !/^\.+$/.test(name);
  const other = (Object.keys(KNOWN) as Kind[]).find(
    otherKind => otherKind !== kind && KNOWN[otherKind].includes(name),
  );
  if (other) throw unknown(kind, name, env, `It is ${NOUNS[other]}.`);
  if (known && models === undefined)
    throw new InputError('no-models-folder', `Unknown folder of the model "${name}"`, {
      expected: 'the folder that holds it in the environment variable MULTIHOP_MODELS',
      hint: 'Or download it: hub:ORG/NAME.',
    });
  if (models !== undefined && plain && (known || existsSync(join(models, name, 'config.json'))))
    return join(models, name);
  throw unknown(
    kind,
    name,
    env,
    didYouMean(name, [...KNOWN[kind], ...formsOf(kind).map(form => form.replace(/:.*/, ':'))]),
  );
}

function unknown(kind: Kind, name: string, env: ResolveOptions['env'], hint: string): InputError {
  const list = [
    ...new Set([
      ...KNOWN[kind],
      ...knownModels(kind, env),
      ...(KNOWN[kind].length === 0 ? ['a folder in MULTIHOP_MODELS'] : []),
    ]),
  ].join(', ');
  return new InputError(`unknown-${kind}`, `Unknown ${kind}`, {
    expected: list,
    received: `"${name.slice(0, 80)}"`,
    hint: hint || undefined,
  });
}
