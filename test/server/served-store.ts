/** Serves a small store to tests, by `handle` or over a socket. */

import { join } from 'node:path';
import type { IngestibleRecord } from '../../src/core/corpus/document.ts';
import { defined } from '../../src/core/defined.ts';
import { openStore } from '../../src/index.ts';
import { openServer, type ServerOptions, type StoreServer } from '../../src/server/open-server.ts';
import { freshFolder } from '../fresh-folder.ts';
import { type ScriptedServer, scriptedServer } from './model-server.ts';

export const TOKEN = 'a-token-of-the-tests-0123';

export const SHIPS: readonly IngestibleRecord[] = [
  {
    id: 'linnet',
    title: 'The Linnet',
    text: 'The Linnet lost its engines at Cold Bay. Her crew of nine was saved by the Corncrake.',
    source: 'Harbour Ledger',
    url: 'https://ledger.example/linnet',
    published_at: '2025-03-04',
  },
  {
    id: 'bay',
    title: 'Cold Bay',
    text: 'Cold Bay belongs to the Harbour Trust. The Harbour Trust is led by Mirelle Pask.',
    source: 'Pellbridge Post',
  },
  {
    id: 'corncrake',
    title: 'The Corncrake',
    text: 'The Corncrake is a tug of the Harbour Trust. She was built in 1961.',
    source: 'Harbour Ledger',
  },
];

/** Creates a store with the documents of `SHIPS`. */
export async function shipStore(): Promise<string> {
  const folder = join(freshFolder(), 'ships.store');
  await using store = await openStore(folder);
  await store.ingest(SHIPS);
  return folder;
}

export interface Served {
  readonly server: StoreServer;
  readonly folder: string;
  /** Sends a request with the token; `body` as JSON. */
  send(path: string, request?: Sent): Promise<Response>;
}

export interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly client?: string;
}

export async function serveShips(options: ServerOptions = {}): Promise<Served> {
  const folder = await shipStore();
  const server = await openServer(folder, { token: TOKEN, ...options });
  return { server, folder, send: (path, sent) => sendTo(server, path, sent) };
}

export interface Asking extends Served, AsyncDisposable {
  readonly model: ScriptedServer;
}

/** Serves a store with a language model that answers when the test says so. */
export async function serveAsking(options: ServerOptions = {}): Promise<Asking> {
  const model = await scriptedServer();
  const asking = { env: {}, model: 'openai-compatible:m', modelUrl: model.url };
  const served = await serveShips({ ...asking, ...options });
  return {
    ...served,
    model,
    async [Symbol.asyncDispose]() {
      await served.server.close();
      await model.close();
    },
  };
}

export function sendTo(server: StoreServer, path: string, sent: Sent = {}): Promise<Response> {
  const { body, headers = {}, client, signal } = sent;
  const method = sent.method ?? (body === undefined ? 'GET' : 'POST');
  const typed = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const request = new Request(
    `http://127.0.0.1:7777${path}`,
    defined({
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, ...typed, ...headers },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      signal,
    }),
  );
  return server.handle(request, client === undefined ? {} : { client });
}

/** Reads a stream to its end. */
export async function allEvents(response: Response): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/** Reads the events of a stream. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent, void, void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const fields = part.split('\n').map(line => /^(\w+): (.*)$/.exec(line));
      const value = (name: string): string[] =>
        fields.flatMap(field => (field?.[1] === name ? [field[2]!] : []));
      if (value('data').length === 0) continue;
      const [id] = value('id');
      const [event = 'message'] = value('event');
      yield defined({ event, data: value('data').join('\n'), id });
    }
  }
}
