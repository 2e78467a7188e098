/** Opens a store as a server: a function from `Request` to `Response`, which can also listen. */
import { InputError } from '../core/errors.ts';
import type { Budget } from '../core/trace/usage.ts';
import { inspectorServed } from '../inspector/page.ts';
import type { OpenStoreOptions } from '../session/document-store.ts';
import { AnsweringStore } from '../session/requests/answering-store.ts';
import { App, type AppLimits } from './app.ts';
import { isLoopback } from './guards.ts';
import { type ConnectionLimits, Listening } from './listen.ts';
import { checkedToken, newToken } from './token.ts';

export interface ServerOptions extends OpenStoreOptions {
  /** The token of every request; a new token if undefined. False: none, on loopback alone. */
  readonly token?: string | false;
  /** Names beside `localhost` and addresses that the header Host may hold. */
  readonly hosts?: readonly string[];
  /** Origins of pages beside the server's own that may call it. */
  readonly origins?: readonly string[];
  /** Limits of every run; a request may lower them. */
  readonly budget?: Budget;
  readonly limits?: Partial<AppLimits & ConnectionLimits>;
  /**
   * Rerankers and question answerers that requests may name, such as `hub:ORG/NAME` in
   * `reranked(lexical, hub:ORG/NAME)`. Others are refused: opening one may reach a network.
   */
  readonly allowModels?: readonly string[];
  /** Refuses writes. */
  readonly readOnly?: boolean;
  /** Bytes that kept traces take together. */
  readonly traceBytes?: number;
  /** Receives one line a request, without queries, bodies and headers. */
  readonly log?: (line: string) => void;
}

export interface ListenAt {
  /** 127.0.0.1 if undefined. */
  readonly host?: string;
  /** 0 for a free port; 7777 if undefined. */
  readonly port?: number;
  /** Milliseconds that runs have to end when the server stops; 10,000 if undefined. */
  readonly graceMs?: number;
}

/**
 * A store behind HTTP: `handle` answers a request wherever it came from, `listen` serves it by
 * Node.
 *
 * @example
 * ```ts
 * import { openStore } from 'multihop';
 * import { openServer, type StoreServer } from 'multihop/server';
 *
 * await (await openStore('served.store')).close();
 * await using server: StoreServer = await openServer('served.store', { token: false });
 * const response = await server.handle(new Request('http://localhost/health'));
 * console.log(response.status);
 * ```
 */
export interface StoreServer extends AsyncDisposable {
  /** The token that requests need; undefined without a token. */
  readonly token: string | undefined;
  /** Never rejects. `client` identifies the sender for limits: its address. */
  handle(request: Request, sender?: { readonly client?: string }): Promise<Response>;
  /** Returns the address, such as `http://127.0.0.1:7777`. Throws `PortError('cannot-listen')`. */
  listen(at?: ListenAt): Promise<string>;
  /** Lets runs end, aborts what is left after the time of grace, and closes the store. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 7777;
export const DEFAULT_HOST = '127.0.0.1';

/**
 * Opens a store as a server. Throws `InputError`, or `PortError` if the folder is no store.
 *
 * @example
 * ```ts
 * import { openStore } from 'multihop';
 * import { openServer } from 'multihop/server';
 *
 * await using store = await openStore('ferries.store');
 * await store.ingest([{ id: 'linnet', text: 'The Linnet lost its engines.' }]);
 * await using server = await openServer('ferries.store');
 * const headers = {
 *   Authorization: `Bearer ${server.token}`,
 *   'Content-Type': 'application/json',
 * };
 * const body = JSON.stringify({ query: 'Linnet' });
 * const url = await server.listen({ port: 0 });
 * const response = await fetch(`${url}/v1/search`, { method: 'POST', headers, body });
 * console.log(response.status, await response.json());
 * ```
 */
export async function openServer(
  folder: string,
  options: ServerOptions = {},
): Promise<StoreServer> {
  const { token: requested, readOnly = false, ...rest } = options;
  const token =
    requested === false
      ? undefined
      : requested === undefined
        ? newToken()
        : checkedToken(requested);
  const store = await AnsweringStore.open(folder, { create: false, ...rest, readOnly });
  const { limits = {} } = options;
  const app = new App({ ...rest, store, token, page: inspectorPage });
  return new OpenedServer({ store, app, token, limits });
}

interface OpenedParts {
  readonly store: AnsweringStore;
  readonly app: App;
  readonly token: string | undefined;
  readonly limits: Partial<ConnectionLimits>;
}

class OpenedServer implements StoreServer {
  readonly token: string | undefined;
  private readonly store: AnsweringStore;
  private readonly app: App;
  private readonly limits: Partial<ConnectionLimits>;
  private listening: Listening | undefined;
  private closed: Promise<void> | undefined;

  constructor({ store, app, token, limits }: OpenedParts) {
    this.store = store;
    this.app = app;
    this.token = token;
    this.limits = limits;
  }

  handle(request: Request, sender: { readonly client?: string } = {}): Promise<Response> {
    return this.app.handle(request, sender);
  }

  async listen({
    host = DEFAULT_HOST,
    port = DEFAULT_PORT,
    graceMs,
  }: ListenAt = {}): Promise<string> {
    if (this.token === undefined && !isLoopback(host))
      throw new InputError('token-needed', `A server on "${host}" needs a token`, {
        expected: 'a token, or a host such as 127.0.0.1, which only this machine reaches',
        hint: 'Others on the network could read every document.',
        remedy: { id: 'give-token' },
      });
    const { app, store, limits } = this;
    const grace = graceMs === undefined ? {} : { graceMs };
    this.listening = await Listening.open({ app, store }, { host, port, limits, ...grace });
    return this.listening.url;
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async closeAll(): Promise<void> {
    await this.listening?.stop();
    await this.store.close();
  }
}

/** Returns the hop inspector under `/`: it holds nothing of the store, so it needs no token. */
function inspectorPage(path: string): Response | undefined {
  if (path !== '/') return undefined;
  const { html, policy } = inspectorServed();
  return new Response(html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  });
}
