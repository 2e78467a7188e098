/**
 * Implements rerankers over HTTP: the API of Text Embeddings Inference, and the one that Cohere and
 * Jina share with vLLM and llama.cpp.
 */
import type { Reranker } from '../models/reranker.ts';
import { Endpoint, type EndpointOptions } from './endpoint.ts';
import { remoteReranker } from './remote-reranker.ts';

export interface HttpRerankerOptions extends EndpointOptions {
  readonly textsPerRequest?: number;
}

export interface NamedRerankerOptions extends Omit<HttpRerankerOptions, 'baseUrl'> {
  /** Model name of the server. */
  readonly model: string;
  readonly baseUrl?: string | undefined;
}

/**
 * Returns a reranker of Text Embeddings Inference, `POST /rerank`; scores are the model's logits.
 * The server holds one model, which requests do not name.
 */
export function teiReranker(options: HttpRerankerOptions & { readonly model?: string }): Reranker {
  const endpoint = new Endpoint('reranker', '/rerank', options);
  return remoteReranker({
    id: `tei:${options.model ?? new URL(options.baseUrl).host}`,
    label: endpoint.label,
    onNote: options.onNote,
    key: 'score',
    textsPerRequest: options.textsPerRequest ?? 32,
    async request(query, texts, call) {
      return {
        value: await endpoint.post({ query, texts, raw_scores: true, truncate: true }, call),
        tokens: undefined,
      };
    },
  });
}

/**
 * Returns a reranker of Cohere, `POST /v2/rerank`. Tokens are estimated, because Cohere bills
 * searches.
 */
export function cohereReranker(options: NamedRerankerOptions): Reranker {
  return resultsReranker('cohere', '/v2/rerank', 'https://api.cohere.com', {}, options);
}

/** Returns a reranker of Jina, vLLM or llama.cpp, `POST /v1/rerank`. */
export function jinaReranker(options: NamedRerankerOptions): Reranker {
  return resultsReranker(
    'jina',
    '/v1/rerank',
    'https://api.jina.ai',
    { return_documents: false },
    options,
  );
}

function resultsReranker(
  kind: string,
  path: string,
  home: string,
  more: object,
  options: NamedRerankerOptions,
): Reranker {
  const { model } = options;
  const baseUrl = options.baseUrl ?? home;
  // A base URL may include the version.
  const version = /\/v\d+\/*$/.test(baseUrl.replace(/[?#].*$/, ''));
  const endpoint = new Endpoint('reranker', version ? '/rerank' : path, { ...options, baseUrl });
  return remoteReranker({
    id: `${kind}:${model}`,
    label: endpoint.label,
    onNote: options.onNote,
    key: 'relevance_score',
    textsPerRequest: options.textsPerRequest ?? 100,
    async request(query, texts, call) {
      const answer = (await endpoint.post(
        { model, query, documents: texts, top_n: texts.length, ...more },
        call,
      )) as {
        results?: unknown;
        usage?: { total_tokens?: number };
      } | null;
      return { value: answer?.results, tokens: answer?.usage?.total_tokens };
    },
  });
}
