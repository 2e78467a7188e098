/** Listens for HTTP within limits on connections and times, and stops without losing runs. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { PortError } from '../../errors.ts';
import { sleep } from '../clock.ts';
import type { AnsweringStore } from './answering-store.ts';
import type { App } from './app.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Milliseconds that runs have to end by themselves when the server stops. */
  readonly graceMs?: number;
}

/** Milliseconds and counts of the HTTP server, see `server` in the limits of docs/server.md. */
const HEADERS_MS = 10_000;
/** From the first byte of a request to its last; responses may take longer. */
const REQUEST_MS = 30_000;
const IDLE_MS = 15_000;
const MOST_CONNECTIONS = 1024;
const GRACE_MS = 10_000;
/** Milliseconds in which aborted runs hand back what they have found. */
const ABORTED_MS = 2_000;
const POLL_MS = 20;

export class Listening {
  readonly url: string;
  private readonly server: Server;
  private readonly app: App;
  private readonly store: AnsweringStore;
  private readonly graceMs: number;
  private stopped: Promise<void> | undefined;

  private constructor(
    server: Server,
    { app, store }: { readonly app: App; readonly store: AnsweringStore },
    { host, graceMs = GRACE_MS }: ListenOptions,
  ) {
    this.server = server;
    this.app = app;
    this.store = store;
    this.graceMs = graceMs;
    const { port } = server.address() as AddressInfo;
    this.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  /** Throws `PortError('cannot-listen')`. */
  static async open(
    served: { readonly app: App; readonly store: AnsweringStore },
    options: ListenOptions,
  ): Promise<Listening> {
    const { host, port } = options;
    const server = createAdaptorServer({
      hostname: host,
      overrideGlobalObjects: false,
      serverOptions: {
        headersTimeout: HEADERS_MS,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: IDLE_MS,
        connectionsCheckingInterval: 1_000,
        keepAlive: true,
        keepAliveInitialDelay: IDLE_MS,
      },
      fetch: (request, env) => {
        const { remoteAddress } = (env as HttpBindings).incoming.socket;
        return served.app.handle(request, remoteAddress ? { client: remoteAddress } : {});
      },
    }) as Server;
    server.maxConnections = MOST_CONNECTIONS;
    await listening(server, host, port);
    return new Listening(server, served, options);
  }

  /**
   * Takes no new connection and no new run, waits for the runs, and after the time of grace aborts
   * them: each answers with what it has found.
   */
  stop(): Promise<void> {
    this.stopped ??= this.drain();
    return this.stopped;
  }

  private async drain(): Promise<void> {
    this.app.stop();
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    await this.idle(this.graceMs);
    this.store.abort();
    await this.idle(ABORTED_MS);
    // The last answers are still being sent.
    this.server.closeIdleConnections();
    await Promise.race([closed, sleep(POLL_MS * 10)]);
    this.server.closeAllConnections();
    await closed;
  }

  /** Waits until nothing runs, or the time is over. */
  private async idle(ms: number): Promise<void> {
    for (let waited = 0; waited < ms; waited += POLL_MS) {
      const { running, waiting } = this.app.admission.load;
      if (running + waiting === 0) return;
      await sleep(POLL_MS);
    }
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', error =>
      reject(
        new PortError('server', 'cannot-listen', `The server cannot listen on ${host}:${port}`, {
          received: error.message,
          hint: 'Choose another port, or 0 for a free one.',
          cause: error,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
}
