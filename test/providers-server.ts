/**
 * Runs a model server on this machine with scripted answers: results, refusals, silence, garbage.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { inspect } from 'node:util';
import { PortError } from '../src/core/errors.ts';
import { freeCall } from '../src/core/trace/call.ts';
import type { RetryOptions } from '../src/providers/retry-loop.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { overlapReranker } from '../src/testing/overlap-reranker.ts';
import { completion, streamed } from './providers-language-server.ts';

/** A request as the server received it. */
export interface ReceivedRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly input: string[]; readonly model: string };
}

/** Answers one request. */
export type Play = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

export class ModelServer {
  readonly requests: ReceivedRequest[] = [];
  readonly sockets: Set<Socket> = new Set();
  private readonly server: Server;
  private readonly script: Play[] = [];
  private readonly otherwise: Play;
  private open = 0;

  private constructor(otherwise: Play) {
    this.otherwise = otherwise;
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.on('connection', socket => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(otherwise: Play): Promise<ModelServer> {
    const server = new ModelServer(otherwise);
    await new Promise<void>(resolve => server.server.listen(0, '127.0.0.1', resolve));
    // A test file that fails before its hooks must end.
    server.server.unref();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests whose connection still waits for an answer. */
  busy(): number {
    return this.open;
  }

  /** Scripts the answers of the next requests, in order; later ones get the default. */
  play(...plays: readonly Play[]): void {
    this.script.push(...plays);
  }

  /** Clears recorded requests and scripted answers. */
  reset(): void {
    this.requests.length = 0;
    this.script.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open++;
    response.on('close', () => this.open--);
    let text = '';
    for await (const piece of request) text += piece;
    const received = {
      url: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(text || 'null'),
    };
    this.requests.push(received);
    await (this.script.shift() ?? this.otherwise)(response, received);
  }
}

export function json(value: unknown): Play {
  return response =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function raw(text: string): Play {
  return response => void response.writeHead(200).end(text);
}

export function status(code: number, headers: Record<string, string> = {}, body = ''): Play {
  return response => void response.writeHead(code, headers).end(body);
}

export const reset: Play = response => void response.socket!.resetAndDestroy();
export const silence: Play = () => {};
export const resetInBody: Play = response => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"data":', () => setTimeout(() => response.socket?.resetAndDestroy(), 10));
};
export const silenceInBody: Play = response => {
  response.writeHead(200);
  response.write('{"data":');
};
/** Sends one byte now and then, for ever. */
export const trickle: Play = response => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

const words = hashedEmbedder('served', 64);

/** Answers `/embeddings` correctly. */
export const embeddings: Play = async (response, { body }) => {
  const vectors = await words.embed(body.input, 'passage', freeCall());
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: [...vector].map(value => value * 3),
  }));
  json({
    object: 'list',
    data: data.reverse(),
    model: body.model,
    usage: { prompt_tokens: body.input.length * 5, total_tokens: 99 },
  })(response, {} as ReceivedRequest);
};

const overlap = overlapReranker();

/** Replies one word for each conversation, whole or in pieces. */
const conversation: Play = (response, request) => {
  const { messages, stream } = request.body as unknown as { messages: unknown; stream?: boolean };
  const text = `wörd-${JSON.stringify(messages).length}`;
  const usage = { prompt_tokens: 12, completion_tokens: 1, total_tokens: 13 };
  const play = stream
    ? streamed({ pieces: [text.slice(0, 2), text.slice(2)], usage }, 7)
    : completion(text, { usage });
  return play(response, request);
};

/** Answers requests of every API that `MODEL_SERVERS` call; `/rerank` in both shapes. */
export const sound: Play = async (response, request) => {
  if (request.url.endsWith('/chat/completions')) return conversation(response, request);
  if (request.url.endsWith('/embeddings')) return embeddings(response, request);
  if (!request.url.endsWith('/rerank'))
    return status(
      404,
      {},
      'Add an answer to `sound` in test/providers-server.ts',
    )(response, request);
  const { query, texts, documents } = request.body as unknown as {
    readonly query: string;
    readonly texts?: string[];
    readonly documents?: string[];
  };
  const scores = await overlap.score(query, (texts ?? documents)!, freeCall());
  const ranking = [...scores].map((score, index) => ({ index, score, relevance_score: score }));
  ranking.reverse();
  json(texts ? ranking : { results: ranking })(response, request);
};

/** A key that no message, answer or log may hold. */
export const CANARY = 'sk-canary-7f3a9d1e+/="quoted"';

/** Returns the error of a port's call, after checking that the key occurs nowhere in it. */
export async function failureOf(port: string, work: () => Promise<unknown>): Promise<PortError> {
  try {
    await work();
  } catch (error) {
    for (const text of [
      inspect(error, { depth: 20, showHidden: true }),
      JSON.stringify(error),
      String(error),
      (error as Error).stack ?? '',
    ])
      assert.ok(!text.includes('canary'), `the key is in: ${text}`);
    assert.ok(PortError.is(error) && error.port === port, inspect(error));
    return error;
  }
  return assert.fail('it did not fail');
}

/** Builds the error that `@ai-sdk/provider-utils` throws for a refusal; it holds the request. */
export function apiCallError(statusCode: number | undefined, more: object = {}): Error {
  return Object.assign(new Error('Incorrect API key: canary-0123456789-abcdefgh'), {
    name: 'AI_APICallError',
    url: 'https://api.example/v1?key=canary',
    requestBodyValues: { key: 'canary' },
    responseBody: 'canary',
    statusCode,
    ...more,
  });
}

/** A clock that only sleeping advances; records every wait. */
export class FakeTime {
  now = 0;
  readonly waits: number[] = [];
  readonly retries: RetryOptions = {
    clock: () => this.now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      this.waits.push(ms);
      this.now += ms;
    },
  };
}
