/** The options that name embedders, rerankers and learned parts of strategies. */

import type { ModelSources } from '../session/model-sources.ts';
import type { GraphModelSource } from '../session/recognisers.ts';
import { FILE_PORTS, type ResourceFiles } from '../session/resource-files.ts';
import type { CommandContext, Option } from './command.ts';
import { answerTime } from './language-model-options.ts';
import { parsePrice } from './price-option.ts';

export const EMBEDDER_OPTION: Option = {
  name: 'embedder',
  value: 'NAME',
  repeatable: true,
  summary:
    'bge-small-en-v1.5 (a folder in MULTIHOP_MODELS), hub:ORG/NAME, or openai-compatible:MODEL; its space is dense(NAME)',
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
  summary: 'address of a reranker tei:MODEL, cohere:MODEL or jina:MODEL',
};

export const GRAPH_OPTION: Option = {
  name: 'graph',
  value: 'NAME',
  summary:
    'keep a graph of sentences by the entities that this recogniser finds: names, which goes by spelling; ner(MODEL), a local model of token classification; or triples(MODEL), by two calls of a language model a passage',
};

export const GRAPH_URL_SUMMARY =
  'address of an openai-compatible language model that --graph names, such as http://localhost:8080/v1';

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
  'dense(NAME) searches the vectors that multihop ingest --embedder NAME made, and embeds the query by the same model. If the retriever names no unit and the store has vectors of passages alone, it searches passages, and its lexical parts do too; fact-lanes always searches sentences. Other units, dense(NAME, unit=sentence), are embedded when they are first searched, and lsa is fitted.';

/** Returns the files of resources that the options name, each by the option of its port's name. */
export const resourceFiles = (options: CommandContext['options']): ResourceFiles =>
  Object.fromEntries(FILE_PORTS.map(port => [port, options.texts(port)]));

/** Returns the language model of `--graph "triples(MODEL)"`: its address and its price. */
export const graphModel = (context: CommandContext): GraphModelSource => ({
  baseUrl: context.options.text('model-url'),
  answerMs: answerTime(context),
  price: parsePrice(context.options.text('price')),
});

/** Returns the sources of models that the options name. */
export function modelSources({ options, env }: CommandContext): ModelSources {
  return {
    env,
    embedders: options.texts('embedder'),
    baseUrl: options.text('base-url'),
    rerankerUrl: options.text('reranker-url'),
  };
}
