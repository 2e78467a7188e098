/**
 * Implements the `fetch` for SDKs: no redirects, a size limit, no time limit of its own, typed
 * faults.
 */
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { PortError } from '../core/errors.ts';
import { errno } from '../platform/errno.ts';
import { CONNECTION, connectionFault, Fault, timeoutFault } from './fault.ts';
import { onAbort, type PieceOptions, pieces, whenConnected } from './http-exchange.ts';

export interface SdkFetchOptions extends PieceOptions {
  readonly connectMs: number;
  /** Rewrites the bytes of a stream, if one was asked for, and whole texts. */
  readonly events?: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  readonly whole?: (text: string) => string;
  /** Rewrites the body of a request. */
  readonly body?: (text: string) => string;
}

export type SdkFetch = (address: string | URL | Request, init?: RequestInit) => Promise<Response>;

const EMPTY_STATUS = new Set([204, 205, 304]);
const EVENTS = 'text/event-stream';
/** Headers that SDKs read. */
const KEPT_HEADERS = ['content-type', 'retry-after', 'retry-after-ms'];
/** Asks for a stream; in a text of JSON the quotes would be escaped. */
const ASKS_STREAM = '"stream":true';

/**
 * Returns the `fetch`. It and its body throw `Fault` or the signal's reason; after an abort the
 * body throws the error of the aborted connection.
 */
export function sdkFetch(options: SdkFetchOptions): SdkFetch {
  const { port, label, connectMs } = options;
  return (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const given = typeof init.body === 'string' ? init.body : '';
    const body = options.body?.(given) ?? given;
    const headers = { ...plain(init.headers), 'content-length': Buffer.byteLength(body) };
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    const request = send(url, { method: init.method ?? 'GET', headers });
    const fail = (reason: unknown): void => {
      reject(reason);
      request.destroy();
    };
    const timer = setTimeout(
      () => fail(timeoutFault(port, label, CONNECTION, connectMs)),
      connectMs,
    );
    if (init.signal) onAbort(request, init.signal, fail);
    request.on('socket', socket => whenConnected(socket, url, () => clearTimeout(timer)));
    request.on('close', () => clearTimeout(timer));
    request.on('error', error =>
      reject(connectionFault(port, label, errno(error) || 'ECONNRESET')),
    );
    request.on('response', response => {
      const status = response.statusCode ?? 0;
      const kept = KEPT_HEADERS.flatMap(name =>
        response.headers[name] === undefined ? [] : [[name, String(response.headers[name])]],
      );
      const head = { status, headers: Object.fromEntries(kept) };
      if (status < 200 || status > 599)
        reject(
          new Fault(
            new PortError(port, 'malformed', `${label} answered with the status ${status}`),
          ),
        );
      else if (EMPTY_STATUS.has(status)) resolve(new Response(null, head));
      else if (status < 300 && isStream(response, body, options))
        resolve(new Response(ReadableStream.from(eventsOf(response, options)), head));
      else whole(response, status, options).then(text => resolve(new Response(text, head)), reject);
    });
    request.end(body);
    return promise;
  };
}

/** SDKs give plain objects, whose names need no check before that of `node:http`. */
const plain = (headers: RequestInit['headers']): Record<string, string> =>
  headers === undefined || headers instanceof Headers || Symbol.iterator in headers
    ? Object.fromEntries(new Headers(headers))
    : (headers as Record<string, string>);

/** With `events` a stream is what was asked for; else it is what the server says that it sends. */
const isStream = (
  { headers }: IncomingMessage,
  body: string,
  { events }: SdkFetchOptions,
): boolean =>
  events ? body.includes(ASKS_STREAM) : headers['content-type']?.startsWith(EVENTS) === true;

const eventsOf = (
  response: IncomingMessage,
  options: SdkFetchOptions,
): AsyncIterable<Uint8Array> => {
  const bytes = pieces(response, options);
  return options.events?.(bytes) ?? bytes;
};

/** Nothing of a JSON text can be used before its end, and a stream costs several times its read. */
async function whole(
  response: IncomingMessage,
  status: number,
  options: SdkFetchOptions,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces(response, options)) all.push(piece);
  const bytes = Buffer.concat(all);
  return options.whole && status < 300 ? options.whole(bytes.toString()) : bytes;
}
