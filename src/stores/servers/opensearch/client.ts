/** Sends requests to OpenSearch by its package; every failure is a typed error of the engine. */

import { defined } from '../../../core/defined.ts';
import { InputError, PortError } from '../../../core/errors.ts';
import type { Call } from '../../../core/trace/call.ts';
import { sleep } from '../../../platform/clock.ts';
import { loadPackage } from '../../../platform/optional-package.ts';
import { badEngine, type EngineAddress, engineAddress, otherNodes } from '../engine-address.ts';
import {
  busy,
  type EngineFault,
  engineTimeout,
  full,
  noEngine,
  readOnly,
  refused,
  snapshotLost,
  unauthorized,
  unreachable,
} from '../engine-errors.ts';
import { type RemoteEngineOptions, TIMEOUT_MS } from '../remote-engine.ts';
import { untilRoom } from './until-room.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a body follows from its request
export type Body = any;

/** The part in use of the package `@opensearch-project/opensearch`, version 3. */
interface Library {
  readonly Client: new (options: object) => LibraryClient;
}
interface LibraryClient {
  readonly transport: {
    request(
      request: Request,
      options: object,
    ): Promise<{ readonly body: Body }> & { abort(): void };
  };
  readonly connectionPool: {
    readonly connections: readonly object[];
    markAlive(connection: object): void;
  };
  close(): Promise<void>;
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly querystring?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: Body;
  /** Lines of JSON. */
  readonly bulkBody?: readonly object[];
  /** True for a request that must not be sent twice. */
  readonly once?: boolean;
}

/** Names of indices in small letters, as OpenSearch demands. */
const NAME = /^[a-z0-9][a-z0-9_.-]{0,100}$/;
const PORT = 9200;
/** Wait between two attempts. Milliseconds. */
const LOOK_MS = 200;

export class Client {
  readonly address: EngineAddress;
  readonly timeoutMs: number;
  roundTrips = 0;
  /** Nodes that the address names. */
  readonly nodes: number;
  private readonly library: LibraryClient;

  private constructor(library: Library, address: EngineAddress, timeoutMs: number) {
    this.address = address;
    this.timeoutMs = timeoutMs;
    if (!NAME.test(address.name))
      throw badEngine('a name of an index that is not in small letters, digits, ".", "_" and "-"');
    const scheme = address.scheme === 'opensearchs' ? 'https' : 'http';
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    const others = otherNodes(address);
    this.nodes = 1 + others.length;
    const { user, password } = address;
    this.library = new library.Client(
      defined({
        nodes: [`${scheme}://${host}:${address.port ?? PORT}`, ...others],
        auth: user && password ? { username: user, password: password.reveal() } : undefined,
        // A node that does not answer is left out for so long.
        maxRetries: 3,
        requestTimeout: timeoutMs,
        memoryCircuitBreaker: { enabled: false },
      }),
    );
  }

  static async open(url: string, options: RemoteEngineOptions): Promise<Client> {
    const address = engineAddress(url, options.env);
    const clientPackage = { name: '@opensearch-project/opensearch', user: 'Engines on OpenSearch' };
    const library = (await loadPackage('engine', clientPackage, options.load)) as {
      readonly default?: Library;
    } & Library;
    return new Client(library.default ?? library, address, options.timeoutMs ?? TIMEOUT_MS);
  }

  /**
   * Returns the body of an answer. Throws typed errors, or the reason of an abort at once. While
   * nodes of several take over from one that is gone, a request that may be is sent again.
   */
  async send(request: Request, call?: Call, ignore: readonly number[] = []): Promise<Body> {
    const end = Date.now() + this.timeoutMs;
    for (;;) {
      try {
        return await this.sendOnce(request, end - Date.now(), call, ignore);
      } catch (error) {
        const isGone = PortError.is(error) && error.code === 'unreachable';
        if (!isGone || request.once || this.nodes < 2 || Date.now() + LOOK_MS >= end) throw error;
        const { connectionPool } = this.library;
        // The library leaves a node out for a minute, and all of them if all took too long once.
        for (const connection of connectionPool.connections) connectionPool.markAlive(connection);
        await sleep(LOOK_MS, call?.signal);
      }
    }
  }

  private async sendOnce(
    { once, ...request }: Request,
    leftMs: number,
    call: Call | undefined,
    ignore: readonly number[],
  ): Promise<Body> {
    call?.signal.throwIfAborted();
    this.roundTrips++;
    const sent = this.library.transport.request(
      request,
      defined({ ignore, maxRetries: once ? 0 : undefined }),
    );
    let isLate = false;
    // Returns nothing: what a listener returns is awaited, and this is a promise.
    const stop = (): void => void sent.abort();
    // The library begins its limit anew with each attempt.
    const timer = setTimeout(() => {
      isLate = true;
      stop();
    }, leftMs);
    call?.signal.addEventListener('abort', stop, { once: true });
    try {
      return (await sent).body;
    } catch (error) {
      call?.signal.throwIfAborted();
      throw isLate ? this.late() : this.failure(error);
    } finally {
      clearTimeout(timer);
      call?.signal.removeEventListener('abort', stop);
    }
  }

  /**
   * Returns the answers to searches, sent together, and again while the server has no room for
   * them. Throws for the first one that failed.
   */
  async searches(bodies: readonly object[], call: Call): Promise<Body[]> {
    if (bodies.length === 0) return [];
    return untilRoom(this.timeoutMs, call, () => this.searchesOnce(bodies, call));
  }

  private async searchesOnce(bodies: readonly object[], call: Call): Promise<Body[]> {
    const { responses } = await this.send(
      {
        method: 'POST',
        path: '/_msearch',
        querystring: { search_type: 'dfs_query_then_fetch' },
        bulkBody: bodies.flatMap(body => [{}, body]),
      },
      call,
    );
    for (const { error, status, timed_out, _shards } of responses) {
      const failed = error ?? (_shards?.failed > 0 ? _shards.failures?.[0]?.reason : undefined);
      if (failed || _shards?.failed > 0) throw this.lossOr(this.fault(status ?? 500, failed ?? {}));
      if (timed_out) throw this.late();
    }
    return responses;
  }

  /** A node that is gone took the states with it that were read there. */
  private lossOr(fault: PortError): PortError {
    return fault.code === 'unreachable' ? snapshotLost(this.address, fault.message) : fault;
  }

  close(): Promise<void> {
    return this.library.close();
  }

  private late(): PortError {
    return engineTimeout(this.address, `an answer within ${this.timeoutMs} ms`);
  }

  private failure(error: unknown): unknown {
    if (PortError.is(error) || InputError.is(error)) return error;
    const { name, message, meta } = error as Error & { meta?: Body };
    if (name === 'TimeoutError') return this.late();
    const status = meta?.statusCode;
    if (!status) return unreachable(this.address, message || name);
    const { error: cause } = meta.body ?? {};
    return this.fault(status, typeof cause === 'object' ? cause : { reason: String(cause ?? '') });
  }

  /** Returns the typed error of an error that the server described. */
  fault(status: number, error: Body): PortError {
    const { type = '', reason = '' } = error?.root_cause?.[0] ?? error ?? {};
    return faultOf(status, type, reason)(this.address, `${type} ${reason}`.trim() || `${status}`);
  }
}

/** Types of errors of a node that ended, and of a cluster that has not noticed yet. */
const NODE_GONE =
  /^(?:node_|no_shard_available|no_such_node|connect_transport|unavailable_shards|shard_not|cluster_manager_not|master_not|no_node)/;

function faultOf(status: number, type: string, reason: string): EngineFault {
  if (type === 'cluster_block_exception') {
    if (/disk usage|flood-stage/.test(reason)) return full;
    return /read-only|write/.test(reason) ? readOnly : busy;
  }
  if (type === 'search_context_missing_exception') return snapshotLost;
  if (NODE_GONE.test(type)) return unreachable;
  if (type === 'index_not_found_exception') return noEngine;
  if (status === 401 || status === 403) return unauthorized;
  if (status === 429 || type.includes('rejected') || type.includes('circuit_breaking')) return busy;
  return status === 502 || status === 503 || status === 504 ? unreachable : refused;
}
