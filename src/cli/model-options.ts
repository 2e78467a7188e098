/** The options that name embedders, rerankers, learned parts of strategies, and language models. */

import type { ReplyRoom } from '../models/reply-room.ts';
import type { RequestOptions } from '../providers/ai-language-call.ts';
import { serverForms } from '../providers/model-servers.ts';
import type { OpenStoreOptions } from '../session/document-store.ts';
import type { LanguageModelOptions } from '../session/language-model.ts';
import type { GivenPrice } from '../session/model-price.ts';
import type { ModelSources } from '../session/models.ts';
import type { GraphModelSource } from '../session/recognisers.ts';
import { FILE_PORTS, type ResourceFiles } from '../session/resource-files.ts';
import type { CommandContext } from './command.ts';
import { parseModelOption } from './model-option.ts';
import type { Option } from './option.ts';
import { TOTAL_BUDGET_OPTION } from './options.ts';
import { parsePrice } from './price.ts';

export const EMBEDDER_OPTION: Option = {
  name: 'embedder',
  value: 'NAME',
  repeatable: true,
  summary: `bge-small-en-v1.5 (a folder in MULTIHOP_MODELS), gguf:PATH, hub:ORG/NAME or ${serverForms('embedder').join(' or ')}; its space is dense(NAME)`,
};
export const BASE_URL_OPTION: Option = {
  name: 'base-url',
  value: 'URL',
  summary: 'address of an openai-compatible embedder; its key comes from MULTIHOP_API_KEY',
};
/** For commands that know an address from the store. */
export const STORED_URL_OPTION: Option = {
  ...BASE_URL_OPTION,
  summary:
    'address of an openai-compatible embedder, asked with the key in MULTIHOP_API_KEY; without it the address in the store’s record, if MULTIHOP_ALLOWED_ORIGINS lists its origin',
};
export const RERANKER_URL_OPTION: Option = {
  name: 'reranker-url',
  value: 'URL',
  summary: `address of a reranker ${serverForms('reranker').join(' or ')}`,
};

export const EMBEDDER_TIMEOUT_OPTION: Option = {
  name: 'embedder-timeout',
  value: 'SECONDS',
  type: 'integer',
  min: 1,
  default: '90',
  summary: 'time limit of one answer of an embedder or reranker behind a server',
};

/** For commands that embed by the models that their options name alone. */
export const EMBEDDING_OPTIONS: readonly Option[] = [
  EMBEDDER_OPTION,
  BASE_URL_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
];

export const GRAPH_OPTION: Option = {
  name: 'graph',
  value: 'NAME',
  summary:
    'keep a graph of sentences by the entities that this recogniser finds: names, which goes by spelling; ner(MODEL), a local model of token classification; or triples(MODEL), by two calls of a language model a passage',
};

export const CLAIMS_OPTION: Option = {
  name: 'claims',
  value: 'NAME',
  summary:
    'keep a claim base, which bridge-claims searches: rules; a language model, such as gguf:PATH or ollama:MODEL, by a call or two a sentence that states a fact; or cassette, the replies of --cassette alone',
};

export const QUERY_UPDATER_OPTION: Option = {
  name: 'query-updater',
  value: 'FILE',
  access: 'read',
  repeatable: true,
  summary: 'a checkpoint for the strategy tree-hop; NAME=FILE for tree-hop(model=NAME)',
};

export const TOKEN_CLASSIFIERS_OPTION: Option = {
  name: 'token-classifiers',
  value: 'FILE',
  access: 'read',
  repeatable: true,
  summary:
    'a checkpoint of EfficientRAG-lite, instead of that of the package @multihop/efficient-rag-lite; NAME=FILE for efficient-rag(model=NAME)',
};

/** For the help of commands that ask. */
export const QUERY_UPDATER_NOTE =
  'tree-hop(k=5, hops=2) uses the weights of the package @multihop/tree-hop-bge-small for vectors of bge-small-en-v1.5, or the checkpoint of --query-updater PATH: a file as multihop treehop import writes it, or the folder of a weights package. The checkpoint names its embedder: without --retriever its space dense(EMBEDDER) is searched; any other space is refused.';

/** For the help of commands that search a store. */
export const DENSE_NOTE =
  'dense(NAME) searches the vectors that multihop ingest --embedder NAME made, and embeds the query by the same model. If the retriever names no unit and the store has vectors of passages alone, it searches passages, and its lexical parts do too; fact-lanes always searches sentences. Other units, dense(NAME, unit=sentence), are embedded when they are first searched.';

export const CASSETTE_OPTION: Option = {
  name: 'cassette',
  value: 'FILE',
  access: 'keeps',
  writesWith: 'model',
  summary:
    'completions by the hash of their prompt: recorded with --model, replayed without it, when no model is asked',
};

export const CASSETTE_NOTE =
  'A cassette holds completions and no prompts. With --model it answers the prompts that it holds and records the others; without --model a prompt that it lacks is a failure. Model calls, tokens and usd of a run count every completion, including those of a cassette or a cache. A limit on usd counts language models; embedders and rerankers behind HTTP count in model-calls and model-tokens.';

export const MODEL_OPTION: Option = {
  name: 'model',
  value: 'NAME',
  summary: `the language model of strategies and readers that ask one: gguf:PATH, hf:ORG/NAME:FILE, ${serverForms('model').join(', ')}, hub:ORG/NAME, or a folder in MULTIHOP_MODELS`,
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

/** Limits on one reply of a language model. */
export const REPLY_OPTIONS: readonly Option[] = [
  MODEL_TIMEOUT_OPTION,
  {
    name: 'output-tokens',
    value: 'N',
    type: 'integer',
    min: 1,
    summary:
      'least limit on the tokens of an answer of a language model; without it each prompt has its own, 24 to 1024',
  },
  {
    name: 'thinking-tokens',
    value: 'N',
    type: 'integer',
    min: 0,
    summary:
      'tokens that a reply may have for thoughts, beyond those of its answer; if missing 8192 once the model was seen to think',
  },
];

export const MODEL_OPTION_OPTION: Option<readonly [string, unknown]> = {
  name: 'model-option',
  value: 'KEY=VALUE',
  repeatable: true,
  summary:
    'further field of each request to a language model behind a server, such as reasoning_effort=low or top_k=20, or how a GGUF file is sampled; null leaves one out',
  read: parseModelOption,
};

export const PRICE_OPTION: Option<GivenPrice> = {
  name: 'price',
  value: 'PRICE',
  summary:
    'US dollars for a million tokens, such as in=0.15,out=0.6, or a JSON file { "MODEL": { "input": 0.15, "output": 0.6 } }; a few models have a known list price',
  read: parsePrice,
};

export const LANGUAGE_MODEL_OPTIONS: readonly Option[] = [
  MODEL_OPTION,
  MODEL_URL_OPTION,
  ...REPLY_OPTIONS,
  MODEL_OPTION_OPTION,
  PRICE_OPTION,
  CASSETTE_OPTION,
];

/** For commands whose language models read documents. */
export const READING_OPTIONS: readonly Option[] = [
  GRAPH_OPTION,
  CLAIMS_OPTION,
  {
    ...MODEL_URL_OPTION,
    summary:
      'address of an openai-compatible language model that --graph or --claims names, such as http://localhost:8080/v1',
  },
  ...REPLY_OPTIONS,
  PRICE_OPTION,
  {
    ...CASSETTE_OPTION,
    writesWith: 'claims',
    summary:
      'replies of the model of --graph or --claims by the hash of their prompt, recorded as they come; a prompt that it holds is not asked again',
  },
];

/** Returns the files of resources that the options name, each by the option of its port's name. */
export const resourceFiles = (options: CommandContext['options']): ResourceFiles =>
  Object.fromEntries(FILE_PORTS.map(port => [port, options.texts(port)]));

/** Returns the language model of `--graph` or `--claims`: its address and its price. */
export const graphModel = (context: CommandContext): GraphModelSource => ({
  baseUrl: context.options.text('model-url'),
  answerMs: answerTime(context),
  room: replyRoom(context),
  modelOptions: requestOptions(context),
  price: context.options.get(PRICE_OPTION),
});

/** Returns the sources of models that the options name. */
export function modelSources({ options, env }: CommandContext): ModelSources {
  return {
    env,
    embedders: options.texts('embedder'),
    baseUrl: options.text('base-url'),
    rerankerUrl: options.text('reranker-url'),
    embedderTimeoutMs: 1000 * options.integer('embedder-timeout', 90),
  };
}
/** Returns the milliseconds of `--model-timeout`. */
export const answerTime = ({ options }: CommandContext): number =>
  1000 * options.integer('model-timeout', 90);

/** Returns the limits of `--output-tokens` and `--thinking-tokens`. */
export function replyRoom({ options }: CommandContext): ReplyRoom {
  const given = (name: string): number | undefined =>
    options.text(name) === undefined ? undefined : options.integer(name, 0);
  return { outputTokens: given('output-tokens'), thinkingTokens: given('thinking-tokens') };
}

/** Returns the fields of `--model-option`, or of another option; undefined if there are none. */
export function requestOptions(
  { options }: CommandContext,
  name: string = MODEL_OPTION_OPTION.name,
): RequestOptions | undefined {
  const texts = options.texts(name);
  return texts.length === 0 ? undefined : Object.fromEntries(texts.map(parseModelOption));
}

/** Returns the language model that the options name. Throws `InputError('bad-price')`. */
export function languageModelOptions(context: CommandContext): LanguageModelOptions {
  const { options, env, output } = context;
  return {
    env,
    model: options.text('model'),
    baseUrl: options.text('model-url'),
    answerMs: answerTime(context),
    room: replyRoom(context),
    modelOptions: requestOptions(context),
    price: options.get(PRICE_OPTION),
    cassette: options.text('cassette'),
    notices: output,
  };
}

/**
 * Returns the options of a session that stays open over many questions: its models and what they
 * cost. Throws `InputError` for a wrong price or a wrong total budget.
 */
export function sessionOptions(context: CommandContext): OpenStoreOptions {
  const { baseUrl: modelUrl, answerMs, room, ...language } = languageModelOptions(context);
  return {
    ...modelSources(context),
    ...language,
    modelUrl,
    modelTimeoutMs: answerMs,
    modelOutputTokens: room?.outputTokens,
    modelThinkingTokens: room?.thinkingTokens,
    totalBudget: context.options.get(TOTAL_BUDGET_OPTION),
  };
}
