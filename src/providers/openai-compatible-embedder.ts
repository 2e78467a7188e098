/**
 * Implements embedders over the OpenAI API `/embeddings`, as served by OpenAI, Ollama, vLLM,
 * llama.cpp, LM Studio, TEI and many more.
 */

import { optionsMark } from './ai-models.ts';
import { Endpoint, type EndpointOptions } from './endpoint.ts';
import { answerError, placeOf } from './fault.ts';
import {
  type RemoteEmbedder,
  type RemoteEmbedderOptions,
  remoteEmbedder,
} from './remote-embedder.ts';
import type { Parameters } from './request-parameters.ts';

export interface OpenAiCompatibleOptions extends EndpointOptions, RemoteEmbedderOptions {
  /** Model name of the server. */
  readonly model: string;
  readonly textsPerRequest?: number;
  /** Further fields of each request, such as `{ dimensions: 256 }`; part of the embedder's id. */
  readonly options?: Parameters | undefined;
  /** Concurrent requests; 1 by default, for a local server. Hosted ones allow several. */
  readonly requestsAtOnce?: number;
}

interface Entry {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/**
 * Returns an embedder over an OpenAI-compatible server. Throws `InputError` for invalid options,
 * `PortError` if the server fails.
 *
 * @example
 * <!-- not run: needs a server -->
 *
 * ```ts
 * import { openStore } from 'multihop';
 * import { openAiCompatibleEmbedder } from 'multihop/providers';
 *
 * const embedder = await openAiCompatibleEmbedder({
 *   model: 'nomic-embed-text',
 *   baseUrl: 'http://localhost:11434/v1',
 * });
 * await using store = await openStore('remote.store', { embedders: [embedder] });
 * ```
 */
export async function openAiCompatibleEmbedder(
  options: OpenAiCompatibleOptions,
): Promise<RemoteEmbedder> {
  const endpoint = new Endpoint('embedder', '/embeddings', options);
  const { model } = options;
  return remoteEmbedder(
    {
      name: `openai-compatible:${model}${optionsMark(options.options)}`,
      label: endpoint.label,
      model,
      textsPerRequest: options.textsPerRequest ?? 64,
      requestsAtOnce: options.requestsAtOnce ?? 1,
      async request(texts, _as, call) {
        const answer = (await endpoint.post(
          { model, input: texts, encoding_format: 'float', ...options.options },
          call,
        )) as {
          data?: unknown;
          usage?: { prompt_tokens?: number; total_tokens?: number };
        } | null;
        const tokens = answer?.usage?.prompt_tokens ?? answer?.usage?.total_tokens;
        return { value: inOrder(answer?.data, endpoint.label), tokens };
      },
    },
    options,
  );
}

/** Returns the vectors ordered by their index; without indices, in the order of the answer. */
function inOrder(data: unknown, label: string): unknown {
  if (!Array.isArray(data))
    throw answerError(
      'embedder',
      'malformed',
      label,
      '{ data: [{ index, embedding }] }',
      `data: ${data === null ? 'null' : typeof data}`,
    );
  const vectors = new Array<unknown>(data.length).fill(undefined);
  for (const [at, entry] of (data as (Entry | null)[]).entries()) {
    const taken = (place: number): boolean => vectors[place] !== undefined;
    const place = placeOf(entry?.index ?? at, data.length, taken, { port: 'embedder', label });
    vectors[place] = entry?.embedding ?? null;
  }
  return vectors;
}
