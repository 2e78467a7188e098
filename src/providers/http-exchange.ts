/**
 * Sends one HTTP request and reads its whole answer, with a time limit for each phase, a size
 * limit, and no redirects.
 */
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { PortError } from '../core/errors.ts';
import { errno } from '../platform/errno.ts';
import { answerError, connectionFault, Fault, type ModelPort, timeoutFault } from './fault.ts';

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
  // A server without an accelerator reads a request of many long texts before it answers.
  headersMs: 90_000,
  pieceMs: 15_000,
  totalMs: 90_000,
  answerBytes: 32 * 2 ** 20,
};

export interface HttpRequest {
  readonly port: ModelPort;
  /** Printable name of the server. */
  readonly label: string;
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

/** Returns the answer. Throws `Fault`, or the signal's reason. Closes its socket on failure. */
export function exchange(options: HttpRequest): Promise<HttpAnswer> {
  const { url, limits, port, label } = options;
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
  const body = Buffer.from(options.body);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...options.headers,
    'content-length': body.length,
  };
  const request = send(url, { method: 'POST', headers });
  let timer: NodeJS.Timeout | undefined;
  const phase = (name: string, ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => fail(timeoutFault(port, label, name, ms)), ms);
  };
  const total = setTimeout(
    () => fail(timeoutFault(port, label, 'the whole answer', limits.totalMs)),
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
  onAbort(request, options.signal, fail);
  phase('a connection', limits.connectMs);
  request.on('socket', socket =>
    whenConnected(socket, url, () => phase('the first byte', limits.headersMs)),
  );
  request.on('error', error => fail(connectionFault(port, label, errno(error) || 'ECONNRESET')));
  request.on('response', response => {
    collect(response, options, () => phase('the next piece', limits.pieceMs)).then(answer => {
      end();
      resolve(answer);
    }, fail);
  });
  request.end(body);
  return promise;
}

/**
 * Calls `fail` on abort until the request is closed. Node's own option `signal` would end the
 * process if it fires between the last piece of an answer and its end, when the socket's error has
 * no listener.
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
  options: HttpRequest,
  alive: () => void,
): Promise<HttpAnswer> {
  alive();
  const all: Uint8Array[] = [];
  const { answerBytes } = options.limits;
  for await (const piece of pieces(response, { ...options, answerBytes })) {
    alive();
    all.push(piece);
  }
  const { statusCode: status = 0, headers } = response;
  return { status, headers, body: Buffer.concat(all) };
}

export interface PieceOptions {
  readonly port: ModelPort;
  readonly label: string;
  readonly answerBytes: number;
}

/** Yields the body of an answer as it arrives. Throws `Fault` if it is too long or breaks off. */
export async function* pieces(
  response: IncomingMessage,
  { port, label, answerBytes }: PieceOptions,
): AsyncGenerator<Uint8Array> {
  const tooLarge = (): Fault =>
    new Fault(
      new PortError(port, 'too-large', `${label} returned too long an answer`, {
        expected: `at most ${answerBytes} bytes`,
      }),
    );
  if (Number(response.headers['content-length']) > answerBytes) throw tooLarge();
  let bytes = 0;
  try {
    for await (const piece of decoded(response) as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > answerBytes) throw tooLarge();
      yield piece;
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { code } = error as { code?: unknown };
    throw String(code).startsWith('Z_')
      ? answerError(port, 'malformed', label, 'compressed data as its headers say', String(code))
      : connectionFault(port, label, errno(error) || 'ECONNRESET');
  }
}

/** Some gateways compress answers though no request asks for it. */
function decoded(response: IncomingMessage): Readable {
  const decoder = DECODERS[response.headers['content-encoding']?.trim().toLowerCase() ?? ''];
  return decoder ? pipeline(response, decoder(), () => {}) : response;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ flush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ flush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ flush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};
