/** A language model behind HTTP for tests, which answers each call when the test says so. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelCall {
  /** The body of the request. */
  readonly body: unknown;
  /** Settles when the caller closes the connection before an answer. */
  readonly aborted: Promise<void>;
  answer(text: string, finish?: string): void;
}

export interface ScriptedServer {
  readonly url: string;
  /** Waits for the next call. */
  nextCall(): Promise<ModelCall>;
  close(): Promise<void>;
}

export async function scriptedServer(): Promise<ScriptedServer> {
  const calls: ModelCall[] = [];
  const waiting: ((call: ModelCall) => void)[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const call = {
      body: JSON.parse(text) as unknown,
      aborted: new Promise<void>(resolve => response.on('close', () => resolve())),
      answer: (content: string, finish = 'stop') =>
        answer(response, { content, finish }, text.includes('"stream":true')),
    };
    const first = waiting.shift();
    if (first) first(call);
    else calls.push(call);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    nextCall: () => {
      const call = calls.shift();
      return call ? Promise.resolve(call) : new Promise(resolve => waiting.push(resolve));
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(
  response: ServerResponse,
  { content, finish }: { readonly content: string; readonly finish: string },
  streams: boolean,
): void {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const whole = { id: 'x', object: 'chat.completion', created: 0, model: 'mock', usage };
  if (!streams) {
    const message = { role: 'assistant', content };
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({ ...whole, choices: [{ index: 0, message, finish_reason: finish }] }),
    );
    return;
  }
  response.setHeader('Content-Type', 'text/event-stream');
  const delta = { role: 'assistant', content };
  const choices = [{ index: 0, delta, finish_reason: finish }];
  response.end(`data: ${JSON.stringify({ ...whole, choices })}\n\ndata: [DONE]\n\n`);
}
