/** A proxy in front of a server of HTTP: passes requests on, or does something else with them. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `pass`; a status; silence; a cut connection; or `lost`: the server acts, its answer is cut. */
export type Fault = 'pass' | 'silence' | 'cut' | 'lost' | number;

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
      const outgoing = request({ ...{ host, port, method, path, headers } }, response => {
        if (fault === 'lost') {
          response.resume();
          response.on('end', () => incoming.socket.destroy());
          return;
        }
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
      });
      outgoing.on('error', () => incoming.socket.destroy());
      incoming.pipe(outgoing);
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
