/**
 * Lists the servers of models: one entry has all that names of the command line, keys of the
 * environment and requests must know about one.
 */
import type { Embedder } from '../models/embedder.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { QuestionAnswerer } from '../models/question-answerer.ts';
import type { Reranker } from '../models/reranker.ts';
import type { ServerModel } from './server-model.ts';
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
/** The reranker in the package `@multihop/ranker`, and the scheme of such files. */
export const SHIPPED_RANKER = 'ranker';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ModelServer {
  /** Begins the names of its models: `SCHEME:MODEL`. */
  readonly scheme: string;
  /** Opens a model of each port that the server has. */
  readonly opens: {
    readonly [K in Kind]?: ((options: ServerModel) => Promise<Models[K]>) | undefined;
  };
  /** Returns the address if none is given; without it one must be. */
  readonly address?: (env: Environment) => string;
  /** The host that alone gets the key in the first of these variables that is set. */
  readonly key?: { readonly host: string; readonly variables: readonly string[] };
}

/** Loaded with the first model of a server: commands read this list alone. */
const embedders = () => import('./openai-compatible-embedder.ts');
const rerankers = () => import('./http-rerankers.ts');
const openAiModel: ModelServer['opens']['model'] = async options =>
  (await import('./openai-compatible-language-model.ts')).openAiCompatibleModel(options);

interface Hosted {
  readonly scheme: string;
  /** The function of the package `@ai-sdk/SCHEME` that makes a provider. */
  readonly create: string;
  readonly address: string;
  readonly variables: readonly string[];
  readonly embeds: boolean;
}

/** Returns the server of a provider that has a package for the AI SDK. */
function hosted({ scheme, create, address, variables, embeds }: Hosted): ModelServer {
  const opens = async () =>
    (await import('./provider-packages.ts')).hostedOpens({
      name: `@ai-sdk/${scheme}`,
      create,
      scheme,
      host: new URL(address).host,
      variables,
    });
  return {
    scheme,
    opens: {
      model: async options => (await opens()).model(options),
      embedder: embeds ? async options => (await opens()).embedder(options) : undefined,
    },
    address: () => address,
    key: { host: new URL(address).host, variables },
  };
}

export const MODEL_SERVERS: readonly ModelServer[] = [
  hosted({
    scheme: 'openai',
    create: 'createOpenAI',
    address: 'https://api.openai.com/v1',
    variables: ['OPENAI_API_KEY'],
    embeds: true,
  }),
  hosted({
    scheme: 'anthropic',
    create: 'createAnthropic',
    address: 'https://api.anthropic.com/v1',
    variables: ['ANTHROPIC_API_KEY'],
    embeds: false,
  }),
  hosted({
    scheme: 'google',
    create: 'createGoogleGenerativeAI',
    address: 'https://generativelanguage.googleapis.com/v1beta',
    variables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    embeds: true,
  }),
  hosted({
    scheme: 'mistral',
    create: 'createMistral',
    address: 'https://api.mistral.ai/v1',
    variables: ['MISTRAL_API_KEY'],
    embeds: true,
  }),
  hosted({
    scheme: 'groq',
    create: 'createGroq',
    address: 'https://api.groq.com/openai/v1',
    variables: ['GROQ_API_KEY'],
    embeds: false,
  }),
  {
    scheme: 'openrouter',
    opens: { model: openAiModel },
    address: () => 'https://openrouter.ai/api/v1',
    key: { host: 'openrouter.ai', variables: ['OPENROUTER_API_KEY'] },
  },
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
  },
  {
    scheme: 'tei',
    opens: { reranker: async options => (await rerankers()).teiReranker(options) },
  },
  {
    scheme: 'cohere',
    opens: { reranker: async options => (await rerankers()).cohereReranker(options) },
    address: () => 'https://api.cohere.com',
    key: { host: 'api.cohere.com', variables: ['COHERE_API_KEY'] },
  },
  {
    scheme: 'jina',
    opens: { reranker: async options => (await rerankers()).jinaReranker(options) },
    address: () => 'https://api.jina.ai',
    key: { host: 'api.jina.ai', variables: ['JINA_API_KEY'] },
  },
];

/** Returns the servers that have models of a kind. */
export const serversOf = (kind: Kind): readonly ModelServer[] =>
  MODEL_SERVERS.filter(({ opens }) => opens[kind] !== undefined);

/** Tells whether a language model of this name is behind a server, which may work on several. */
export const behindServer = (name: string | undefined): boolean =>
  serversOf('model').some(({ scheme }) => name?.startsWith(`${scheme}:`));

/** Tells if a name is that of a model of a kind behind a server. */
export const isServed = (kind: Kind, name: string): boolean =>
  serversOf(kind).some(({ scheme }) => name.startsWith(`${scheme}:`));

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
