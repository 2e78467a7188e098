/** A client of bare sockets, which may send and read as no real client would. */
import { connect, type Socket } from 'node:net';
import { TOKEN } from './served-store.ts';

export interface RawClient {
  readonly socket: Socket;
  /** Received so far, while nothing is paused. */
  received(): string;
  send(text: string | Uint8Array): void;
  /** Settles once the connection is closed, with all that was received. */
  readonly closed: Promise<string>;
}

/** Connects to the address of a server; `from`: the address of the client. */
export async function rawClient(url: string, from?: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const local = from === undefined ? {} : { localAddress: from };
  const socket = connect({ port: Number(port), host: hostname, ...local });
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', chunk => {
    text += String(chunk);
  });
  socket.on('error', () => {});
  const closed = new Promise<string>(resolve => socket.on('close', () => resolve(text)));
  await new Promise<void>(resolve => socket.once('connect', () => resolve()));
  return {
    socket,
    received: () => text,
    send: sent => {
      if (!socket.destroyed) socket.write(sent);
    },
    closed,
  };
}

/** Words a request as it goes over the wire, with the token and without its end. */
export const headOf = (line: string, headers: readonly string[] = []): string =>
  [line, 'Host: localhost', `Authorization: Bearer ${TOKEN}`, ...headers, ''].join('\r\n');

/** Words a whole request with a JSON body. */
export function requestOf(line: string, value: unknown, headers: readonly string[] = []): string {
  const body = JSON.stringify(value);
  const about = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return `${headOf(line, [...about, ...headers])}\r\n${body}`;
}

/** Waits until the condition holds; the test's own time limit ends it otherwise. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 10));
}
