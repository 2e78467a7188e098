/** `/v1/ask` and `/v1/retrieve`: one run, as JSON or as events while it goes. */

import type { AskInput, Finished, Watching } from '../../session/requests/answering-store.ts';
import {
  ASK_INPUT,
  ASK_OUTPUT,
  RETRIEVE_INPUT,
  RETRIEVE_OUTPUT,
  type Schema,
} from '../../session/requests/schemas.ts';
import { EventStream, STREAM_HEADERS } from '../event-stream.ts';
import {
  type Answered,
  accepts,
  json,
  type Route,
  type RouteCall,
  type Streamed,
} from '../route.ts';

type Run = (watching: Watching) => Promise<Finished>;

const answersOf = (schema: Schema): Answered[] => [
  { type: 'application/json', schema, description: 'the finished run' },
  {
    type: 'text/event-stream',
    description:
      'events question, hop, context, answer and end, each a line of the trace; text, pieces of the answer as a model writes it; then result, the finished run, or error, a problem',
  },
];

export const askRoute: Route = {
  method: 'POST',
  path: '/v1/ask',
  id: 'ask',
  summary: 'Answers a question with its evidence, or abstains and says why',
  access: 'token',
  works: true,
  body: ASK_INPUT,
  answers: answersOf(ASK_OUTPUT),
  answer: call => ran(call, watching => call.store.ask(call.input as AskInput, watching)),
};

export const retrieveRoute: Route = {
  method: 'POST',
  path: '/v1/retrieve',
  id: 'retrieve',
  summary: 'Returns the evidence on a question, and no answer',
  access: 'token',
  works: true,
  body: RETRIEVE_INPUT,
  answers: answersOf(RETRIEVE_OUTPUT),
  answer: call => ran(call, watching => call.store.retrieve(call.input as AskInput, watching)),
};

async function ran(call: RouteCall, run: Run): Promise<Response | Streamed> {
  if (accepts(call.request, 'text/event-stream')) return streamed(call, run);
  const finished = await run({ signal: call.signal });
  call.onRun(finished.trace);
  return json(finished.record, { 'X-Trace-Id': finished.id });
}

/** Waits for the first event, so that wrong input is a response with its own status. */
async function streamed(call: RouteCall, run: Run): Promise<Streamed> {
  const stream = new EventStream(call.streams);
  const first = Promise.withResolvers<void>();
  let id = '';
  let index = 0;
  const ended = run({
    signal: AbortSignal.any([call.signal, stream.signal]),
    onStart: given => {
      id = given;
    },
    onEvent: (event, line) => {
      first.resolve();
      return stream.send(event.type, line, index++);
    },
    onText: text => void stream.send('text', JSON.stringify({ text })),
  })
    .then(async finished => {
      call.onRun(finished.trace);
      await stream.send('result', JSON.stringify(finished.record));
    })
    .catch(async (error: unknown) => {
      first.reject(error);
      await stream.send('error', JSON.stringify(call.problemOf(error)));
    })
    .finally(() => stream.end());
  await first.promise;
  const headers = { ...STREAM_HEADERS, 'X-Trace-Id': id };
  return { response: new Response(stream.readable, { headers }), ended };
}
