/** Reads an event stream of `/v1/ask`, and checks that it is whole. */
import { type Agent, request } from 'node:http';
import { defined } from '../../src/core/defined.ts';
import { HEADERS } from './cannon.ts';

export interface StreamedEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** Checks that a stream holds every event of its run, in order, and its record. */
export class StreamCheck {
  private next = 0;
  private last = '';
  private first = '';
  private readonly faults: string[] = [];
  private record: { readonly id?: string } | undefined;

  see({ event, data, id }: StreamedEvent): void {
    if (this.record) this.faults.push(`${event} after the record`);
    if (event === 'error') this.faults.push(`error ${data.slice(0, 200)}`);
    if (event === 'result') this.record = JSON.parse(data) as { readonly id?: string };
    if (id === undefined) return;
    if (Number(id) !== this.next) this.faults.push(`event ${id} where ${this.next} was expected`);
    this.next = Number(id) + 1;
    if (this.first === '') this.first = event;
    this.last = event;
  }

  /** `traceId`: of the header. Returns what is wrong; undefined for a whole stream. */
  fault(traceId: string | undefined): string | undefined {
    if (this.faults.length > 0) return this.faults[0];
    if (this.first !== 'question') return `begins with "${this.first}"`;
    if (this.last !== 'end') return `its trace ends with "${this.last}"`;
    if (!this.record) return 'no record';
    return this.record.id === traceId ? undefined : 'the record is of another trace';
  }
}

/** Takes chunks of a stream apart. */
export class EventParser {
  private rest = '';

  *read(chunk: string): Generator<StreamedEvent> {
    const parts = (this.rest + chunk).split('\n\n');
    this.rest = parts.pop()!;
    for (const part of parts) {
      let [event, data, id]: [string, string, string | undefined] = ['message', '', undefined];
      for (const line of part.split('\n')) {
        if (line.startsWith('event: ')) event = line.slice(7);
        else if (line.startsWith('data: ')) data += line.slice(6);
        else if (line.startsWith('id: ')) id = line.slice(4);
      }
      if (data !== '') yield defined({ event, data, id });
    }
  }
}

export interface Streaming {
  readonly url: string;
  readonly body: object;
  readonly agent: Agent;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: StreamedEvent) => void;
}

export interface StreamEnd {
  readonly status: number;
  readonly fault: string | undefined;
  readonly traceId: string | undefined;
  readonly events: number;
}

/** Asks with an event stream, and reads it to its end. A broken stream is a fault, not an error. */
export function readStream(streaming: Streaming): Promise<StreamEnd> {
  const { url, body, agent, signal, onEvent } = streaming;
  const check = new StreamCheck();
  const parser = new EventParser();
  let events = 0;
  return new Promise(resolve => {
    const headers = { ...HEADERS, Accept: 'text/event-stream' };
    const options = defined({ method: 'POST', agent, headers, signal });
    const broken = (error: Error): void =>
      resolve({ status: 0, fault: `broken: ${error.message}`, traceId: undefined, events });
    const sent = request(`${url}/v1/ask`, options, response => {
      const status = response.statusCode ?? 0;
      const traceId = response.headers['x-trace-id'] as string | undefined;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        for (const event of parser.read(chunk)) {
          events++;
          check.see(event);
          onEvent?.(event);
        }
      });
      response.on('error', broken);
      response.on('end', () => {
        const fault = status === 200 ? check.fault(traceId) : `status ${status}`;
        resolve({ status, fault, traceId, events });
      });
    });
    sent.on('error', broken);
    sent.end(JSON.stringify(body));
  });
}
