/** `/v1/traces`: the traces of finished runs. */
import { TRACES_OUTPUT } from '../../session/requests/document-schemas.ts';
import { json, type Route } from '../route.ts';

export const traceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/traces',
    id: 'listTraces',
    summary: 'Lists the kept traces, newest first',
    access: 'token',
    answers: [{ type: 'application/json', schema: TRACES_OUTPUT, description: 'one entry a run' }],
    answer: ({ store }) => json({ traces: store.traces() }),
  },
  {
    method: 'GET',
    path: '/v1/traces/{id}',
    id: 'readTrace',
    summary: 'Reads a trace: one JSON line an event, chained and sealed (multihop verify-trace)',
    access: 'token',
    answers: [{ type: 'application/jsonl', description: 'the lines of the full trace' }],
    answer: ({ store, params }) =>
      new Response(store.trace(params['id']!), {
        headers: { 'Content-Type': 'application/jsonl; charset=utf-8' },
      }),
  },
];
