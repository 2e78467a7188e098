/** Builds answers of a chat server: completions, streams, and streams that end too early. */

import { defined } from '../src/core/defined.ts';
import type { Play } from './providers-server.ts';

/**
 * Dialects of servers: the fields of a chunk beside its text, and whether the finish reason comes
 * with the last text or after it.
 */
export type Dialect = 'openai' | 'ollama' | 'llama.cpp';

export interface StreamScript {
  readonly pieces: readonly string[];
  readonly finish?: string;
  readonly usage?: object | null;
  readonly dialect?: Dialect;
}

export const USAGE = { prompt_tokens: 21, completion_tokens: 9, total_tokens: 30 };

export function completion(
  text: string | null,
  more: { finish?: string | null; usage?: unknown; message?: object } = {},
): Play {
  const { finish = 'stop', message = {} } = more;
  const usage = 'usage' in more ? more.usage : USAGE;
  const body = defined({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'served',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...message },
        finish_reason: finish,
      },
    ],
    usage,
  });
  return response =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Returns the bytes of a stream in a server's dialect. */
export function streamBytes({
  pieces,
  finish = 'stop',
  usage = USAGE,
  dialect = 'openai',
}: StreamScript): Buffer {
  const head = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'served',
  };
  const chunk = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const last = usage === null ? '' : `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`;
  const texts = pieces.map((content, at) => {
    const role = dialect === 'ollama' ? { role: 'assistant' } : {};
    return chunk(
      { ...role, content },
      dialect === 'ollama' && at === pieces.length - 1 ? finish : null,
    );
  });
  const opening =
    dialect === 'ollama'
      ? ''
      : chunk(defined({ role: 'assistant', content: dialect === 'openai' ? '' : undefined }), null);
  const closing = dialect === 'ollama' ? '' : chunk({}, finish);
  const comment = dialect === 'llama.cpp' ? ': ping - 2026-11-22\r\n\r\n' : '';
  return Buffer.from(`${comment}${opening}${texts.join('')}${closing}${last}data: [DONE]\n\n`);
}

const SSE = { 'content-type': 'text/event-stream' };

/** Sends a whole stream in pieces of `size` bytes; UTF-8 and lines are split anywhere. */
export function streamed(
  script: StreamScript | Buffer,
  size: number = Number.POSITIVE_INFINITY,
): Play {
  const bytes = Buffer.isBuffer(script) ? script : streamBytes(script);
  return async response => {
    response.writeHead(200, SSE);
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, Math.min(bytes.length, at + size)));
      await new Promise(resolve => setImmediate(resolve));
    }
    response.end();
  };
}

/** Sends its first bytes, then ends cleanly, resets, or stays silent. */
export function cut(bytes: Buffer, at: number, then: 'end' | 'reset' | 'silence'): Play {
  return response => {
    response.writeHead(200, SSE);
    response.flushHeaders();
    const after = (): void => {
      if (then === 'end') response.end();
      if (then === 'reset') setImmediate(() => response.socket?.resetAndDestroy());
    };
    if (at === 0) after();
    else response.write(bytes.subarray(0, at), after);
  };
}

/** Sends text as a stream if the request asks for one. */
export function replying(text: string): Play {
  return (response, request) => {
    const { stream } = request.body as unknown as { stream?: boolean };
    return (stream ? streamed({ pieces: text.match(/.{1,7}/gsu) ?? [] }) : completion(text))(
      response,
      request,
    );
  };
}
