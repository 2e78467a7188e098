/** Resolves model names of the command line to embedders, rerankers and other models. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/naming/nearest.ts';
import type { Embedder } from '../models/embedder.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { QuestionAnswerer } from '../models/question-answerer.ts';
import type { Reranker } from '../models/reranker.ts';
import { weightsPath } from '../platform/weights-package.ts';
import type { EndpointOptions } from './endpoint.ts';
import { environmentKey, recordedKey } from './environment-key.ts';
import { cohereReranker, jinaReranker, teiReranker } from './http-rerankers.ts';
import { KNOWN_EMBEDDERS, KNOWN_RERANKERS } from './known-models.ts';
import { openAiCompatibleEmbedder } from './openai-compatible-embedder.ts';
import { openAiCompatibleModel } from './openai-compatible-language-model.ts';
import type { LoadLibrary } from './optional-package.ts';
import { transformersEmbedder } from './transformers-embedder.ts';
import { transformersLanguageModel } from './transformers-language-model.ts';
import { transformersQuestionAnswerer } from './transformers-question-answerer.ts';
import { transformersReranker } from './transformers-reranker.ts';
import { type LocalTagger, transformersTagger } from './transformers-tagger.ts';

export interface ResolveOptions {
  /** Environment with `MULTIHOP_MODELS` and the keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `--base-url`; `--reranker-url` for rerankers, `--model-url` for language models. */
  readonly baseUrl?: string | undefined;
  /** Marks a base URL that comes from a store's record and not from the user: see `recordedKey`. */
  readonly recorded?: boolean | undefined;
  readonly dtype?: string | undefined;
  readonly threads?: number | undefined;
  readonly load?: LoadLibrary | undefined;
  /**
   * `--model-timeout`: time limit for one answer of a language model behind a server. Milliseconds.
   */
  readonly answerMs?: number | undefined;
  readonly endpoint?: Pick<EndpointOptions, 'limits' | 'retries' | 'onNote'>;
}

type Kind = 'embedder' | 'reranker' | 'question-answerer' | 'entity-recogniser' | 'model';

/** The question answerer in the package `@multihop/span-minilm`. */
const SHIPPED_ANSWERER = 'span-minilm';

/** Kinds whose folders are self-describing and need no list. */
const FOLDERS: readonly Kind[] = ['question-answerer', 'entity-recogniser', 'model'];

/** Known models by kind. */
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
const URL_FIELD: Readonly<Record<Kind, string>> = {
  embedder: 'baseUrl',
  reranker: 'rerankerUrl',
  'question-answerer': 'baseUrl',
  'entity-recogniser': 'baseUrl',
  model: 'modelUrl',
};
const SCHEMES = {
  embedder: ['hub:ORG/NAME', 'openai-compatible:MODEL'],
  reranker: ['hub:ORG/NAME', 'tei:MODEL', 'cohere:MODEL', 'jina:MODEL'],
  'question-answerer': [SHIPPED_ANSWERER, 'hub:ORG/NAME'],
  'entity-recogniser': ['hub:ORG/NAME'],
  model: ['ollama:MODEL', 'hub:ORG/NAME', 'openai-compatible:MODEL'],
} as const;

/**
 * Returns the names that `resolveEmbedder`, `resolveReranker` and the others accept:
 * models whose folders exist first, then the forms of other names.
 */
export function knownModels(kind: Kind, env: ResolveOptions['env']): readonly string[] {
  const present = KNOWN[kind].filter(
    name => env.MULTIHOP_MODELS !== undefined && existsSync(join(env.MULTIHOP_MODELS, name)),
  );
  return [...present, ...SCHEMES[kind]];
}

/**
 * Resolves `bge-small-en-v1.5`, `hub:ORG/NAME` or `openai-compatible:MODEL`. Throws `InputError`,
 * or the errors of creating the embedder.
 */
export async function resolveEmbedder(name: string, options: ResolveOptions): Promise<Embedder> {
  const { scheme, rest } = partsOf(name);
  const { dtype, threads, load } = options;
  if (scheme === 'hub') return transformersEmbedder({ model: hubId(rest), dtype, threads, load });
  if (scheme === 'openai-compatible') {
    const baseUrl = needBaseUrl('embedder', name, options);
    return openAiCompatibleEmbedder({
      ...options.endpoint,
      model: named(name, rest),
      baseUrl,
      apiKey: (options.recorded ? recordedKey : environmentKey)(baseUrl, options.env),
    });
  }
  const folder = folderOf('embedder', name, options.env);
  return transformersEmbedder({ model: name, folder, dtype, threads, load });
}

/**
 * Resolves `ms-marco-MiniLM-L-12-v2`, `hub:ORG/NAME`, `tei:MODEL`, `cohere:MODEL` or `jina:MODEL`.
 * Throws as `resolveEmbedder`.
 */
export async function resolveReranker(name: string, options: ResolveOptions): Promise<Reranker> {
  const { scheme, rest } = partsOf(name);
  const { dtype, threads, load, baseUrl, env } = options;
  if (scheme === 'hub') return transformersReranker({ model: hubId(rest), dtype, threads, load });
  if (scheme === 'tei') {
    const url = needBaseUrl('reranker', name, options);
    return teiReranker({
      ...options.endpoint,
      model: named(name, rest),
      baseUrl: url,
      apiKey: environmentKey(url, env),
    });
  }
  if (scheme === 'cohere' || scheme === 'jina') {
    const home = scheme === 'cohere' ? 'https://api.cohere.com' : 'https://api.jina.ai';
    const reranker = scheme === 'cohere' ? cohereReranker : jinaReranker;
    return reranker({
      ...options.endpoint,
      model: named(name, rest),
      baseUrl: baseUrl ?? home,
      apiKey: environmentKey(baseUrl ?? home, env),
    });
  }
  const folder = folderOf('reranker', name, env);
  return transformersReranker({ model: name, folder, dtype, threads, load });
}

/**
 * Resolves `hub:ORG/NAME`, a folder in `MULTIHOP_MODELS`, or `span-minilm`, which is a package of
 * its own. Throws as `resolveEmbedder`.
 */
export async function resolveQuestionAnswerer(
  name: string,
  options: ResolveOptions,
): Promise<QuestionAnswerer> {
  const { scheme, rest } = partsOf(name);
  const { dtype, threads, load, env } = options;
  if (scheme === 'hub')
    return transformersQuestionAnswerer({ model: hubId(rest), dtype, threads, load });
  const folder =
    name === SHIPPED_ANSWERER ? shippedAnswerer() : folderOf('question-answerer', name, env);
  return transformersQuestionAnswerer({ model: name, folder, dtype, threads, load });
}

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

/**
 * Resolves `hub:ORG/NAME` or a folder in `MULTIHOP_MODELS`: a model of token classification. Throws
 * as `resolveEmbedder`.
 */
export async function resolveTagger(name: string, options: ResolveOptions): Promise<LocalTagger> {
  const { scheme, rest } = partsOf(name);
  const { dtype, threads, load, env } = options;
  if (scheme === 'hub') return transformersTagger({ model: hubId(rest), dtype, threads, load });
  const folder = folderOf('entity-recogniser', name, env);
  return transformersTagger({ model: name, folder, dtype, threads, load });
}

/**
 * Resolves `ollama:MODEL` (at `OLLAMA_HOST` or on this machine), `hub:ORG/NAME`,
 * `openai-compatible:MODEL`, or a folder in `MULTIHOP_MODELS`. Throws as `resolveEmbedder`.
 */
export async function resolveLanguageModel(
  name: string,
  options: ResolveOptions,
): Promise<LanguageModel> {
  const { scheme, rest } = partsOf(name);
  const { dtype, threads, load, env, answerMs } = options;
  if (scheme === 'hub')
    return transformersLanguageModel({ model: hubId(rest), dtype, threads, load });
  if (scheme === 'openai-compatible' || scheme === 'ollama') {
    const baseUrl =
      scheme === 'ollama'
        ? (options.baseUrl ?? ollamaUrl(env['OLLAMA_HOST']))
        : needBaseUrl('model', name, options);
    const { retries, onNote } = options.endpoint ?? {};
    const apiKey = environmentKey(baseUrl, env, 'MULTIHOP_MODEL_API_KEY');
    const limits = answerMs === undefined ? {} : { totalMs: answerMs, firstMs: answerMs };
    return openAiCompatibleModel({
      model: named(name, rest),
      baseUrl,
      apiKey,
      load,
      limits,
      onNote,
      ...(retries ? { retries } : {}),
    });
  }
  return transformersLanguageModel({
    model: name,
    folder: folderOf('model', name, env),
    dtype,
    threads,
    load,
  });
}

/** Reads the address as Ollama's own commands do: `HOST`, `HOST:PORT` or a URL. */
function ollamaUrl(host = '127.0.0.1:11434'): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const address = /:\d+\/?$/.test(url) ? url : `${url.replace(/\/$/, '')}:11434`;
  return `${address.replace(/\/$/, '').replace('//0.0.0.0:', '//127.0.0.1:')}/v1`;
}

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

function named(name: string, rest: string): string {
  if (rest.trim() !== '') return rest;
  throw new InputError('bad-model', `The model "${name}" has no name`, {
    expected: `${name}MODEL, as the server calls it`,
  });
}

function needBaseUrl(kind: Kind, name: string, { baseUrl }: ResolveOptions): string {
  if (baseUrl !== undefined) return baseUrl;
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
    one => one !== kind && KNOWN[one].includes(name),
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
    didYouMean(name, [...KNOWN[kind], ...SCHEMES[kind].map(form => form.replace(/:.*/, ':'))]),
  );
}

function unknown(kind: Kind, name: string, env: ResolveOptions['env'], hint: string): InputError {
  const list = [
    ...new Set([
      ...KNOWN[kind],
      ...knownModels(kind, env),
      ...(FOLDERS.includes(kind) ? ['a folder in MULTIHOP_MODELS'] : []),
    ]),
  ].join(', ');
  return new InputError(`unknown-${kind}`, `Unknown ${kind}`, {
    expected: list,
    received: `"${name.slice(0, 80)}"`,
    ...(hint === '' ? {} : { hint }),
  });
}
