/** Listens for HTTP within limits on connections and times, and stops without losing runs. */
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { InputError, PortError } from '../core/errors.ts';
import { sleep } from '../platform/clock.ts';
import type { AnsweringStore } from '../session/requests/answering-store.ts';
import type { App } from './app.ts';
import { boundClients } from './client-connections.ts';
import { clientOf } from './client-of.ts';
import { STREAM_HEADERS } from './event-stream.ts';
import { textOf } from './route.ts';

export interface ListenOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Milliseconds that runs have to end by themselves when the server stops. */
  readonly graceMs?: number;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface ConnectionLimits {
  /** Connections at once; further ones are closed. */
  readonly connections: number;
  /** Connections of one client at once; further ones get 503 and are closed. */
  readonly clientConnections: number;
  /** Milliseconds in which the headers of a request must have come. */
  readonly headersMs: number;
  /** Milliseconds from the first byte of a request to its last; the answer may take longer. */
  readonly requestMs: number;
  /** Milliseconds that a connection without a request stays open. */
  readonly idleMs: number;
  /** Milliseconds without progress after which a client that takes no answer is cut off. */
  readonly stallMs: number;
  /** Milliseconds in which a client must have taken an answer, from its first byte. */
  readonly mostMs: number;
}

/** One client may hold more than all runs and waiting requests together: 96 (`APP_LIMITS`). */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 1024,
  clientConnections: 128,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 15_000,
  stallMs: 30_000,
  mostMs: 300_000,
};

/** Milliseconds between two looks for requests that take too long. */
const CHECK_MS = 1_000;
const GRACE_MS = 10_000;
/** Milliseconds in which aborted runs hand back what they have found. */
const ABORTED_MS = 2_000;
const POLL_MS = 20;
const LAST_PORT = 65_535;

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

  /** Throws `InputError('bad-parameter')` for a wrong port, and `PortError('cannot-listen')`. */
  static async open(
    served: { readonly app: App; readonly store: AnsweringStore },
    options: ListenOptions,
  ): Promise<Listening> {
    const { host, port } = options;
    if (!Number.isInteger(port) || port < 0 || port > LAST_PORT)
      throw new InputError('bad-parameter', 'The port', {
        expected: `a whole number from 0, for a free one, to ${LAST_PORT}`,
        received: String(port),
      });
    const limits = { ...CONNECTION_LIMITS, ...options.limits };
    const { headersMs, requestMs, idleMs } = limits;
    const server = createAdaptorServer({
      hostname: host,
      overrideGlobalObjects: false,
      serverOptions: {
        headersTimeout: headersMs,
        requestTimeout: requestMs,
        keepAliveTimeout: idleMs,
        connectionsCheckingInterval: Math.min(CHECK_MS, headersMs),
        keepAlive: true,
        keepAliveInitialDelay: idleMs,
      },
      fetch: async (request, env) => {
        const { incoming, outgoing } = env as HttpBindings;
        const { remoteAddress } = incoming.socket;
        const sender = remoteAddress ? { client: clientOf(remoteAddress) } : {};
        const response = await served.app.handle(request, sender);
        // Without it the adapter keeps the first events in memory until the stream ends.
        if (incoming.httpVersion === '1.1' && isEvents(response))
          response.headers.set('Transfer-Encoding', 'chunked');
        cutSlowReaders(outgoing, limits);
        // A proxy must not send the next request on a connection that the stop is about to close.
        if (!server.listening) outgoing.shouldKeepAlive = false;
        // The head of a stream may have gone out before the stop.
        outgoing.once('finish', () => {
          if (!server.listening) incoming.socket.destroySoon();
        });
        return sentAtOnce(response, outgoing) ? ALREADY_SENT : response;
      },
    }) as Server;
    server.maxConnections = limits.connections;
    boundClients(server, limits.clientConnections);
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

/**
 * Tells the adapter that nothing is left to send. No `Response`: the adapter of another server in
 * this process may have put a class of its own there, which it sends without a look at headers.
 */
const ALREADY_SENT = {
  status: 200,
  body: null,
  headers: new Headers({ 'x-hono-already-sent': 'true' }),
} as Response;

/**
 * Sends a response whose text is known, and returns true; false for any other, which the adapter
 * reads as a stream.
 */
function sentAtOnce(response: Response, outgoing: ServerResponse): boolean {
  const text = textOf(response);
  if (text === undefined) return false;
  const length = { 'content-length': Buffer.byteLength(text) };
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), ...length });
  outgoing.end(text);
  return true;
}

const isEvents = ({ headers }: Response): boolean =>
  headers.get('Content-Type') === STREAM_HEADERS['Content-Type'];

/**
 * Closes the connection of a client that does not take its answer, which waits in memory. Progress
 * begins the time of the stall anew; requests that the client sends meanwhile do so too, so that
 * the whole answer has a limit.
 */
function cutSlowReaders(outgoing: ServerResponse, { stallMs, mostMs }: ConnectionLimits): void {
  const { socket } = outgoing;
  if (!socket || outgoing.closed) return;
  socket.setTimeout(stallMs);
  const timer = setTimeout(() => socket.destroy(), mostMs);
  outgoing.once('close', () => clearTimeout(timer));
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
