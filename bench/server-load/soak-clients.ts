/** Clients that ask for a long time, half of them with event streams, and check each answer. */
import { type Agent, request } from 'node:http';
import { asking, type Bed } from './bed.ts';
import { HEADERS } from './cannon.ts';
import { readStream } from './event-reader.ts';

/** Counts of all clients so far. */
export interface Asked {
  streams: number;
  records: number;
  events: number;
  /** Streams whose lines were compared with the kept trace. */
  compared: number;
  /** The first faults, of `faulty` in all. */
  readonly faults: string[];
  faulty: number;
}

export interface Soaked {
  readonly bed: Bed;
  readonly url: string;
  readonly agent: Agent;
  readonly asked: Asked;
  /** Tells whether clients go on. */
  readonly goesOn: () => boolean;
}

export const noneAsked = (): Asked => ({
  streams: 0,
  records: 0,
  events: 0,
  compared: 0,
  faults: [],
  faulty: 0,
});

const SHOWN_FAULTS = 20;
/** One of so many streams is compared with its trace. */
const COMPARED = 10;
/** Asked in turn: a run of three hops with a model, the default, and one search. */
const BODIES: readonly ((bed: Bed) => object)[] = [
  asking,
  ({ questions }) => ({ question: questions() }),
  ({ questions }) => ({ question: questions(), strategy: 'fixed-top-k(k=3)' }),
];

/** Asks until the time is over; even clients read streams. */
export async function soakClient(soaked: Soaked, client: number): Promise<void> {
  for (let turn = client; soaked.goesOn(); turn++) {
    const body = BODIES[turn % BODIES.length]!(soaked.bed);
    const fault = client % 2 === 0 ? await streamed(soaked, body) : await recorded(soaked, body);
    if (fault === undefined) continue;
    soaked.asked.faulty++;
    if (soaked.asked.faults.length < SHOWN_FAULTS) soaked.asked.faults.push(fault);
  }
}

async function streamed({ url, agent, asked }: Soaked, body: object): Promise<string | undefined> {
  const lines: string[] = [];
  const { fault, traceId, events } = await readStream({
    url,
    agent,
    body,
    onEvent: ({ id, data }) => {
      if (id !== undefined) lines.push(data);
    },
  });
  asked.events += events;
  if (fault !== undefined) return `stream: ${fault}`;
  if (asked.streams++ % COMPARED !== 0) return undefined;
  asked.compared++;
  const { status, text } = await sent(`${url}/v1/traces/${traceId}`, agent);
  return status === 200 ? traceFault(lines, text) : `trace: status ${status}`;
}

/** Compares the lines of a stream with the kept trace, which has a seal after them. */
export function traceFault(lines: readonly string[], trace: string): string | undefined {
  const kept = trace.trimEnd().split('\n');
  if (kept.length !== lines.length + 1)
    return `the stream had ${lines.length} events, its trace ${kept.length - 1}`;
  const other = lines.findIndex((line, at) => line !== kept[at]);
  return other < 0 ? undefined : `event ${other} differs from the trace`;
}

async function recorded({ url, agent, asked }: Soaked, body: object): Promise<string | undefined> {
  const { status, text, traceId } = await sent(`${url}/v1/ask`, agent, body);
  asked.records++;
  if (status !== 200) return `record: status ${status}`;
  const { id, stopped } = JSON.parse(text) as { id?: string; stopped?: unknown };
  if (id === undefined || id !== traceId) return `record: id ${id} of the trace ${traceId}`;
  return stopped === undefined ? undefined : `record: stopped ${JSON.stringify(stopped)}`;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly traceId: string | undefined;
}

/** Status 0 for a broken connection. */
function sent(url: string, agent: Agent, body?: object): Promise<Reply> {
  return new Promise(resolve => {
    const broken = (): void => resolve({ status: 0, text: '', traceId: undefined });
    const method = body ? 'POST' : 'GET';
    const asked = request(url, { method, agent, headers: HEADERS }, response => {
      let text = '';
      const traceId = response.headers['x-trace-id'] as string | undefined;
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', broken);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, traceId }));
    });
    asked.on('error', broken);
    asked.end(body && JSON.stringify(body));
  });
}
