/**
 * A language model behind HTTP, as a process of its own, which answers in the shapes of the OpenAI
 * API after a set time. Its parent sets its behaviour by messages.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Behaviour, QUICK, type Reported } from './model-behaviour.ts';

/** Characters of a passage that a thought repeats, so that the next search has words of it. */
const THOUGHT = 160;
const SENTENCE = 'The passages say so [1].';

let behaviour = QUICK;
let requests = 0;
const report = (message: Reported): void => void process.send?.(message);

const server = createServer(async (request, response) => {
  const text = await bodyOf(request);
  requests++;
  if (behaviour.holds) {
    const question = /cancelled-run-(\d+)/.exec(text)?.[1] ?? '';
    response.on('close', () => report({ type: 'closed', question }));
    report({ type: 'held', question });
    return;
  }
  const { latencyMs, failEvery } = behaviour;
  if (latencyMs > 0) await new Promise(resolve => setTimeout(resolve, latencyMs));
  if (failEvery > 0 && requests % failEvery === 0) {
    response.writeHead(500, { 'Content-Type': 'application/json' });
    response.end('{"error":{"message":"set to fail"}}');
  } else answer(response, text);
});
// Kept connections end soon, so that descriptors can be counted after a load.
server.keepAliveTimeout = 2_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  report({ type: 'listening', url: `http://127.0.0.1:${port}/v1` });
});
process.on('message', (given: Behaviour) => {
  behaviour = given;
  report({ type: 'set' });
});
process.on('disconnect', () => process.exit(0));

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

interface Asked {
  readonly stream?: boolean;
  readonly response_format?: unknown;
  readonly messages: readonly { readonly content: string }[];
}

function answer(response: ServerResponse, text: string): void {
  const asked = JSON.parse(text) as Asked;
  const content = asked.response_format ? thought(asked) : SENTENCE;
  const usage = { prompt_tokens: Math.ceil(text.length / 4), completion_tokens: 20 };
  const whole = { id: 'x', created: 0, model: 'mock', usage: { ...usage, total_tokens: 0 } };
  if (asked.stream) return void streamed(response, asked.response_format ? content : undefined);
  response.setHeader('Content-Type', 'application/json');
  const message = { role: 'assistant', content };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.end(JSON.stringify({ ...whole, object: 'chat.completion', choices }));
}

function thought({ messages }: Asked): string {
  const prompt = messages.at(-1)!.content;
  const from = prompt.lastIndexOf('<doc>') + 60;
  return JSON.stringify({ thought: prompt.slice(from, from + THOUGHT), answer: 'unknown' });
}

async function streamed(response: ServerResponse, whole: string | undefined): Promise<void> {
  const { pieces, everyMs } = behaviour;
  const started = performance.now();
  response.setHeader('Content-Type', 'text/event-stream');
  const send = (delta: object, finish: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'mock', choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const count = whole === undefined ? pieces : 1;
  // A stream is shown from its first citation on.
  if (whole === undefined) send({ role: 'assistant', content: `${SENTENCE} ` }, null);
  for (let sent = 0; sent < count && !response.destroyed; sent++) {
    const wait = started + sent * everyMs - performance.now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    // The time is in the piece: readers tell by it how late an event came.
    send({ role: 'assistant', content: whole ?? `${Date.now()} ` }, null);
  }
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}
