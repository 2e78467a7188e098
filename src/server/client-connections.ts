/** Bounds the connections that one client holds, before anything of them is read. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf } from './client-of.ts';

/** The whole answer to a connection too many. */
const REFUSED = [
  'HTTP/1.1 503 Service Unavailable',
  'Connection: close',
  'Content-Type: text/plain; charset=utf-8',
  'Retry-After: 1',
];
const WORDS = 'This client holds as many connections as it may\n';
const ANSWER = [...REFUSED, `Content-Length: ${WORDS.length}`, '', WORDS].join('\r\n');

/** `most`: connections of one client at once; further ones get 503 and are closed. */
export function boundClients(server: Server, most: number): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[];
  const held = new Map<string, number>();
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket.remoteAddress ?? '');
    const count = held.get(client) ?? 0;
    if (count >= most) return refuse(socket);
    held.set(client, count + 1);
    socket.once('close', () => {
      const left = held.get(client)! - 1;
      if (left > 0) held.set(client, left);
      else held.delete(client);
    });
    for (const listener of serve) listener.call(server, socket);
  });
}

function refuse(socket: Socket): void {
  socket.on('error', () => {});
  socket.end(ANSWER, () => socket.destroy());
}
