/**
 * Lists the servers of models: one entry has all that names of the command line, keys of the
 * environment and requests must know about one.
 */
import type { Embedder } from '../models/embedder.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { QuestionAnswerer } from '../models/question-answerer.ts';
import type { ReplyRoom } from '../models/reply-room.ts';
import type { Reranker } from '../models/reranker.ts';
import type { LoadLibrary } from '../platform/optional-package.ts';
import type { RequestOptions } from './ai-language-call.ts';
import type { EndpointOptions } from './endpoint.ts';
import type { GenerationLimits } from './generation-limits.ts';
import type { HttpLimits } from './http-exchange.ts';
import type { LocalTagger } from './transformers-tagger.ts';

/** Models that names open, by the port that they serve. */
export interface Models {
  readonly embedder: Embedder;
  readonly reranker: Reranker;
  readonly 'question-answerer': QuestionAnswerer;
  readonly 'entity-recogniser': LocalTagger;
  readonly model: LanguageModel;
}
export type Kind = keyof Models;

/** The question answerer in the package `@multihop/span-minilm`, which needs no download. */
export const SHIPPED_ANSWERER = 'span-minilm';

interface ServerModel extends Omit<EndpointOptions, 'limits'>, ReplyRoom {
  /** Its name on the server. */
  readonly model: string;
  readonly limits?: Partial<HttpLimits & GenerationLimits> | undefined;
  readonly load?: LoadLibrary | undefined;
  /** Further fields of each request to a language model. */
  readonly options?: RequestOptions | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelServer {
  /** Begins the names of its models: `SCHEME:MODEL`. */
  readonly scheme: string;
  /** Opens a model of each port that the server has. */
  readonly opens: {
    readonly [K in Kind]?: (options: ServerModel) => Promise<Models[K]>;
  };
  /** Returns the address if none is given; without it one must be. */
  readonly address?: (env: Environment) => string;
  /** The host that alone gets the key in this variable of the environment. */
  readonly key?: { readonly host: string; readonly variable: string };
}

/** Loaded with the first model of a server: commands read this list alone. */
const embedders = () => import('./openai-compatible-embedder.ts');
const rerankers = () => import('./http-rerankers.ts');
const openAiModel: ModelServer['opens']['model'] = async options =>
  (await import('./openai-compatible-language-model.ts')).openAiCompatibleModel(options);

export const MODEL_SERVERS: readonly ModelServer[] = [
  {
    scheme: 'ollama',
    opens: { model: openAiModel },
    address: env => ollamaUrl(env['OLLAMA_HOST']),
  },
  {
    scheme: 'openai-compatible',
    opens: {
      embedder: async options => (await embedders()).openAiCompatibleEmbedder(options),
      model: openAiModel,
    },
    key: { host: 'api.openai.com', variable: 'OPENAI_API_KEY' },
  },
  {
    scheme: 'tei',
    opens: { reranker: async options => (await rerankers()).teiReranker(options) },
  },
  {
    scheme: 'cohere',
    opens: { reranker: async options => (await rerankers()).cohereReranker(options) },
    address: () => 'https://api.cohere.com',
    key: { host: 'api.cohere.com', variable: 'COHERE_API_KEY' },
  },
  {
    scheme: 'jina',
    opens: { reranker: async options => (await rerankers()).jinaReranker(options) },
    address: () => 'https://api.jina.ai',
    key: { host: 'api.jina.ai', variable: 'JINA_API_KEY' },
  },
];

/** Returns the servers that have models of a kind. */
export const serversOf = (kind: Kind): readonly ModelServer[] =>
  MODEL_SERVERS.filter(({ opens }) => opens[kind] !== undefined);

/** Tells whether a language model of this name is behind a server, which may work on several. */
export const behindServer = (name: string | undefined): boolean =>
  serversOf('model').some(({ scheme }) => name?.startsWith(`${scheme}:`));

/** Returns the forms of names that servers have for models of a kind. */
export const serverForms = (kind: Kind): readonly string[] =>
  serversOf(kind).map(({ scheme }) => `${scheme}:MODEL`);

/**
 * Reads `OLLAMA_HOST` as Ollama's own commands do: `HOST`, `:PORT`, `HOST:PORT`, or a URL, whose
 * path is kept. A server that listens everywhere is asked here.
 */
export function ollamaUrl(host = ''): string {
  const text = host
    .trim()
    .replace(/^["']|["']$/g, '')
    .trim();
  const [, scheme, place = '', path = ''] = /^(?:(https?):\/\/)?([^/]*)(.*)$/is.exec(text)!;
  const [, name, port] = /^(\[[^\]]*\]|[^:]*|.*:.*:.*)(?::(-?\d*))?$/.exec(place) ?? [];
  const bare = name?.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  const address = /^(?:|0\.0\.0\.0|\[::\])$/.test(bare ?? '') ? '127.0.0.1' : bare;
  const own = scheme === undefined ? ':11434' : '';
  const isPort = port !== undefined && /^\d+$/.test(port) && Number(port) < 65_536;
  return `${scheme ?? 'http'}://${address}${isPort ? `:${port}` : own}${path.replace(/\/+$/, '')}/v1`;
}
