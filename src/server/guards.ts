/**
 * The five guards before every route of HTTP and MCP: Host, Origin, token, content type and body
 * size. A page that is open in a browser can send requests to a server on this machine; Host and
 * Origin refuse them (DNS rebinding, cross-site requests), the content type refuses forms, which
 * need no preflight, and the token refuses other users of the machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { Refusal } from '../session/requests/problem.ts';

export interface GuardOptions {
  /** Undefined for a server without a token, on loopback alone. */
  readonly token?: string | undefined;
  /** Names beside `localhost` and addresses that `Host` may hold. */
  readonly hosts?: readonly string[];
  /** Origins of other pages, such as `https://app.example`. */
  readonly origins?: readonly string[];
}

/** Routes without a token: they hold nothing of the store. */
export type Access = 'open' | 'token';

/** Throws `Refusal` for a request that may not be answered. `reads`: the route has a body. */
export function guard(
  request: Request,
  { access, reads = false }: { readonly access: Access; readonly reads?: boolean },
  options: GuardOptions,
): void {
  checkHost(request, options.hosts ?? []);
  checkOrigin(request, options.origins ?? []);
  if (access === 'token') checkToken(request, options.token);
  checkContentType(request, reads);
}

/** A name can be made to point at this machine by its owner; an address cannot. */
function checkHost(request: Request, allowed: readonly string[]): void {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const name = hostName(host);
  if (name === 'localhost' || isIP(name) > 0 || allowed.some(host => host.toLowerCase() === name))
    return;
  throw new Refusal(
    403,
    'forbidden-host',
    `The Host header names "${host.slice(0, 80)}": expected localhost, an address, or a name that the server allows`,
  );
}

function checkOrigin(request: Request, allowed: readonly string[]): void {
  const origin = request.headers.get('origin');
  if (origin !== null) {
    if (isOwn(origin, request) || allowed.includes(origin)) return;
    throw new Refusal(
      403,
      'forbidden-origin',
      `Pages of "${origin.slice(0, 80)}" may not call this server: expected its own origin, or one that the server allows`,
    );
  }
  const site = request.headers.get('sec-fetch-site');
  const crosses = site === 'cross-site' || site === 'same-site';
  // A link from elsewhere may open the page, which holds nothing of the store.
  if (crosses && request.headers.get('sec-fetch-mode') !== 'navigate')
    throw new Refusal(403, 'forbidden-origin', 'Another site sent this request');
}

function isOwn(origin: string, request: Request): boolean {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function checkToken(request: Request, token: string | undefined): void {
  if (token === undefined) return;
  const received = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (received !== undefined && isEqual(received, token)) return;
  const what = received === undefined ? 'is missing' : 'is not the one of this server';
  throw new Refusal(
    401,
    'unauthorized',
    `The token ${what}: expected the header "Authorization: Bearer TOKEN" with the token that the server printed at its start`,
    { 'WWW-Authenticate': 'Bearer' },
  );
}

/** Takes the same time wherever the texts differ, and whatever their lengths. */
function isEqual(a: string, b: string): boolean {
  const [left, right] = [a, b].map(text => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}

/** A form or a plain text needs no preflight from another site. */
function checkContentType(request: Request, reads: boolean): void {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  const type = headers.get('content-type');
  const encoding = headers.get('content-encoding') ?? 'identity';
  // A small body must not become large.
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new Refusal(
      415,
      'bad-content-encoding',
      `The content encoding: expected none, received "${encoding.slice(0, 80)}"`,
      { 'Accept-Encoding': 'identity' },
    );
  if (/^application\/json\s*(?:;|$)/i.test(type ?? '')) return;
  // Adapters give a request without a body an empty stream.
  const isEmpty =
    !reads && !headers.has('transfer-encoding') && !Number(headers.get('content-length'));
  // Looked at last: adapters make the stream when it is asked for.
  if (type === null && ((isEmpty && method === 'DELETE') || request.body === null)) return;
  throw new Refusal(
    415,
    'bad-content-type',
    `The content type: expected application/json, received ${type === null ? 'none' : `"${type.slice(0, 80)}"`}`,
  );
}

/** Returns the name in `name:port` or `[address]:port`, in lower case. */
function hostName(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(host)?.[1];
  return (bracketed ?? host.replace(/:\d+$/, '')).toLowerCase();
}

/** True for a host on which only this machine can be reached. */
export function isLoopback(host: string): boolean {
  const name = hostName(host);
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}
