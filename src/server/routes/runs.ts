/** `/v1/ask` and `/v1/retrieve`: one run, as JSON or as events while it goes. */

import type { Finished, Watching } from '../../session/requests/answering-store.ts';
import type { Schema } from '../../session/requests/schema.ts';
import {
  ASK_INPUT,
  ASK_OUTPUT,
  RETRIEVE_INPUT,
  RETRIEVE_OUTPUT,
} from '../../session/requests/schemas.ts';
import type { EventStream } from '../event-stream.ts';
import {
  type Answered,
  accepts,
  json,
  type Route,
  type RouteCall,
  route,
  type Streamed,
} from '../route.ts';
import { type RunWriter, streamedRun } from '../streamed-run.ts';

type Run = (watching: Watching) => Promise<Finished>;

const answersOf = (schema: Schema): Answered[] => [
  { type: 'application/json', schema, description: 'the finished run' },
  {
    type: 'text/event-stream',
    description:
      'events question, hop, context, answer and end, each a line of the trace; text, pieces of the answer as a model writes it; then result, the finished run, or error, a problem',
  },
];

export const askRoute: Route = route({
  method: 'POST',
  path: '/v1/ask',
  id: 'ask',
  summary: 'Answers a question with its evidence, or abstains and says why',
  access: 'token',
  works: true,
  body: ASK_INPUT,
  answers: answersOf(ASK_OUTPUT),
  answer: call => ran(call, watching => call.store.ask(call.input, watching)),
});

export const retrieveRoute: Route = route({
  method: 'POST',
  path: '/v1/retrieve',
  id: 'retrieve',
  summary: 'Returns the evidence on a question, and no answer',
  access: 'token',
  works: true,
  body: RETRIEVE_INPUT,
  answers: answersOf(RETRIEVE_OUTPUT),
  answer: call => ran(call, watching => call.store.retrieve(call.input, watching)),
});

async function ran(call: RouteCall, run: Run): Promise<Response | Streamed> {
  if (accepts(call.request, 'text/event-stream')) return streamedRun(call, run, eventWriter);
  const finished = await run({ signal: call.signal });
  call.onRun(finished.trace);
  return json(finished.record, { 'X-Trace-Id': finished.id });
}

function eventWriter(stream: EventStream): RunWriter {
  let index = 0;
  return {
    event: (event, line) => stream.send(event.type, line, index++),
    text: text => void stream.send('text', JSON.stringify({ text })),
    finished: ({ record }) => stream.send('result', JSON.stringify(record)),
    failed: problem => stream.send('error', JSON.stringify(problem)),
  };
}
