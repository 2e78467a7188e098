/** A proxy in front of a server of HTTP: passes requests on, or does something else with them. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before } from 'node:test';
import type { Engine } from '../../src/search/engine.ts';
import { anyCluster, OpenedEngines } from './opensearch-server.ts';

/**
 * `pass`; a status; silence; a cut connection; `lost`: the server acts, its answer is cut; `slow`
 * and `late`: the request reaches the server so much later.
 */
export type Fault = 'pass' | 'silence' | 'cut' | 'lost' | 'slow' | 'late' | number;

/** Delays in milliseconds. */
const DELAYS: Readonly<Record<'slow' | 'late', number>> = { slow: 300, late: 3000 };

export class FaultProxy {
  /** Decides on each request by its method and path. */
  fault: (request: string) => Fault = () => 'pass';
  readonly seen: string[] = [];
  private readonly server: Server;

  private constructor(target: string) {
    this.server = createServer((incoming, answer) => {
      const line = `${incoming.method} ${incoming.url}`;
      this.seen.push(line);
      const fault = this.fault(line);
      if (fault === 'silence') return;
      if (fault === 'cut') {
        incoming.socket.destroy();
        return;
      }
      if (typeof fault === 'number') {
        // An unfriendly proxy shows what it was sent.
        answer.writeHead(fault, { 'content-type': 'text/plain' });
        answer.end(`no: ${incoming.headers.authorization}`);
        return;
      }
      const { method, url: path, headers } = incoming;
      const [host, port] = target.split(':');
      const outgoing = request({ host, port, method, path, headers }, response => {
        if (fault === 'lost') {
          response.resume();
          response.on('end', () => incoming.socket.destroy());
          return;
        }
        if (answer.destroyed) {
          response.resume();
          return;
        }
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      });
      outgoing.on('error', () => incoming.socket.destroy());
      if (fault !== 'slow' && fault !== 'late') incoming.pipe(outgoing);
      else {
        // Read at once: a request reaches the server whole, though nobody waits for the answer.
        const body: Buffer[] = [];
        incoming.on('data', piece => body.push(piece));
        incoming.on('end', () =>
          setTimeout(() => outgoing.end(Buffer.concat(body)), DELAYS[fault]),
        );
      }
    });
  }

  static async open(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>(resolve => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `opensearch://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

/** A server behind a proxy for the tests of one group, which begin without a fault. */
export interface ProxiedServer {
  readonly server: Awaited<ReturnType<typeof anyCluster>>;
  readonly engines: OpenedEngines;
  readonly proxy: FaultProxy;
}

/** Opens it before the tests of the group around; what it returns is filled then. */
export function proxiedServer(): ProxiedServer {
  const opened = {} as { -readonly [Part in keyof ProxiedServer]: ProxiedServer[Part] };
  before(async () => {
    opened.server = await anyCluster();
    opened.engines = new OpenedEngines(opened.server.url);
    opened.proxy = await FaultProxy.open(opened.server.url.replace('opensearch://', ''));
  });
  afterEach(async () => {
    opened.proxy.fault = () => 'pass';
    await opened.engines.close();
  });
  after(async () => {
    await opened.proxy.close();
    await opened.server.remove();
  });
  return opened;
}

interface Seen {
  /** Searches of all snapshots, with the one that begins. */
  readonly searches: number;
  readonly snapshots: number;
}

/**
 * Returns an engine that loses the state of a snapshot before some searches, behind a run's back.
 * The server may be that of other files: only this state.
 */
export function losing(
  engine: Engine,
  isLost: (seen: Seen) => boolean,
  onLoss?: () => Promise<unknown>,
): { readonly engine: Engine; readonly seen: Seen } {
  const seen = { searches: 0, snapshots: 0 };
  const snapshot = async (): ReturnType<Engine['snapshot']> => {
    const one = await engine.snapshot();
    const search = one.search.bind(one);
    seen.snapshots++;
    return Object.assign(one, {
      search: async (...args: Parameters<typeof search>) => {
        seen.searches++;
        if (isLost(seen)) {
          await one[Symbol.asyncDispose]();
          await onLoss?.();
        }
        return search(...args);
      },
    });
  };
  return { engine: { put: engine.put, remove: engine.remove, snapshot }, seen };
}
