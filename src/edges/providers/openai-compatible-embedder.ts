/**
 * Embedders behind the OpenAI shape of `/embeddings`: OpenAI, Ollama, vLLM, llama.cpp, LM Studio,
 * TEI and many more.
 */
import { describeValue } from '../../errors.ts';
import type { Embedder } from '../../models/embedder.ts';
import { Endpoint, type EndpointOptions } from './endpoint.ts';
import { answerError } from './fault.ts';
import { type RemoteEmbedderOptions, remoteEmbedder } from './remote-embedder.ts';

export interface OpenAiCompatibleOptions extends EndpointOptions, RemoteEmbedderOptions {
  /** As the server calls it. */
  readonly model: string;
  readonly textsPerRequest?: number;
  /** A local server has one machine to work with; a hosted one takes several. */
  readonly requestsAtOnce?: number;
}

interface Entry {
  readonly index?: unknown;
  readonly embedding?: unknown;
}

/** Throws `InputError` for options, `PortError` when the server cannot be asked. */
export async function openAiCompatibleEmbedder(
  options: OpenAiCompatibleOptions,
): Promise<Embedder> {
  const endpoint = new Endpoint('embedder', '/embeddings', options);
  const { model } = options;
  return remoteEmbedder(
    {
      name: `openai-compatible:${model}`,
      who: endpoint.who,
      model,
      textsPerRequest: options.textsPerRequest ?? 64,
      requestsAtOnce: options.requestsAtOnce ?? 1,
      async request(texts, _as, call) {
        const answer = (await endpoint.post(
          { model, input: texts, encoding_format: 'float' },
          call,
        )) as {
          data?: unknown;
          usage?: { prompt_tokens?: number; total_tokens?: number };
        } | null;
        const tokens = answer?.usage?.prompt_tokens ?? answer?.usage?.total_tokens;
        return { value: inOrder(answer?.data, endpoint.who), tokens };
      },
    },
    options,
  );
}

/** The vectors by their index; where none is given, in the order in which they came. */
function inOrder(data: unknown, who: string): unknown {
  if (!Array.isArray(data))
    throw answerError(
      'embedder',
      'malformed',
      who,
      '{ data: [{ index, embedding }] }',
      `data: ${data === null ? 'null' : typeof data}`,
    );
  const vectors = new Array<unknown>(data.length).fill(undefined);
  for (const [at, entry] of (data as (Entry | null)[]).entries()) {
    const index = entry?.index ?? at;
    if (
      !Number.isInteger(index) ||
      (index as number) < 0 ||
      (index as number) >= data.length ||
      vectors[index as number] !== undefined
    )
      throw answerError(
        'embedder',
        'malformed',
        who,
        `each index from 0 to ${data.length - 1} once`,
        describeValue(index, 20),
      );
    vectors[index as number] = entry?.embedding ?? null;
  }
  return vectors;
}
