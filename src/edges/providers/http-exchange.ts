/**
 * One HTTP request and its whole answer: a time limit for each phase, a cap on the answer, no
 * redirect followed.
 */
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { PortError } from '../../errors.ts';
import { errno } from '../storage/store-errors.ts';
import { connectionFault, Fault, type ModelPort, timeoutFault } from './fault.ts';

export interface HttpLimits {
  readonly connectMs: number;
  /** From the connection to the first line of the answer. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body. */
  readonly pieceMs: number;
  readonly totalMs: number;
  readonly answerBytes: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connectMs: 5000,
  headersMs: 30_000,
  pieceMs: 15_000,
  totalMs: 90_000,
  answerBytes: 32 * 2 ** 20,
};

export interface HttpRequest {
  readonly port: ModelPort;
  /** The server's name as it may be printed. */
  readonly who: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly limits: HttpLimits;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Throws `Fault`, or the signal's reason. Its socket is closed whenever it fails. */
export function exchange(asked: HttpRequest): Promise<HttpAnswer> {
  const { url, limits, port, who } = asked;
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  const body = Buffer.from(asked.body);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...asked.headers,
    'content-length': body.length,
  };
  const request = send(url, { method: 'POST', headers });
  let timer: NodeJS.Timeout | undefined;
  const phase = (name: string, ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(timeoutFault(port, who, name, ms)), ms);
  };
  const total = setTimeout(
    () => fail(timeoutFault(port, who, 'the whole answer', limits.totalMs)),
    limits.totalMs,
  );
  const end = (): void => {
    clearTimeout(timer);
    clearTimeout(total);
  };
  const fail = (fault: unknown): void => {
    end();
    reject(fault);
    request.destroy();
  };
  onAbort(request, asked.signal, fail);
  phase('a connection', limits.connectMs);
  request.on('socket', socket =>
    whenConnected(socket, url, () => phase('the first byte', limits.headersMs)),
  );
  request.on('error', error => fail(connectionFault(port, who, errno(error) || 'ECONNRESET')));
  request.on('response', response => {
    collect(response, asked, () => phase('the next piece', limits.pieceMs)).then(answer => {
      end();
      resolve(answer);
    }, fail);
  });
  request.end(body);
  return promise;
}

/**
 * Until the request is closed. Node's own option `signal` would end the process where it fires
 * between the last piece of an answer and its end: the socket's error has no listener then.
 */
export function onAbort(
  request: ClientRequest,
  signal: AbortSignal,
  fail: (reason: unknown) => void,
): void {
  const stop = (): void => fail(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  request.on('close', () => signal.removeEventListener('abort', stop));
}

export function whenConnected(socket: Socket, url: URL, then: () => void): void {
  if (!socket.connecting) then();
  else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', then);
}

async function collect(
  response: IncomingMessage,
  { port, who, limits }: HttpRequest,
  alive: () => void,
): Promise<HttpAnswer> {
  const tooLarge = (): Fault =>
    new Fault(
      new PortError(port, 'too-large', `${who} gave too long an answer`, {
        expected: `at most ${limits.answerBytes} bytes`,
      }),
    );
  if (Number(response.headers['content-length']) > limits.answerBytes) throw tooLarge();
  alive();
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      alive();
      bytes += piece.length;
      if (bytes > limits.answerBytes) throw tooLarge();
      pieces.push(piece);
    }
  } catch (error) {
    throw error instanceof Fault ? error : connectionFault(port, who, errno(error) || 'ECONNRESET');
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(pieces),
  };
}
