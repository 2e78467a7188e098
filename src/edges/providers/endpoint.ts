/** A model server: its address, its key and its manners. Posts JSON, gets JSON. */
import { InputError } from '../../errors.ts';
import type { Call } from '../../trace/call.ts';
import { answerError, type ModelPort, refusalFault } from './fault.ts';
import { exchange, HTTP_LIMITS, type HttpLimits } from './http-exchange.ts';
import { RetryLoop, type RetryOptions } from './retry-loop.ts';
import { quoted, Secret } from './secret.ts';

export interface EndpointOptions {
  /** Where the server's API begins, such as `http://localhost:8080/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; it appears in no error and no log. */
  readonly apiKey?: string | Secret | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly retries?: RetryOptions;
}

export class Endpoint {
  /** The address as it may be printed: without user, key and query. */
  readonly who: string;
  private readonly port: ModelPort;
  private readonly url: URL;
  private readonly secret: Secret | undefined;
  private readonly limits: HttpLimits;
  private readonly loop: RetryLoop;

  /** Throws `InputError` for an address or a key that cannot be sent. */
  constructor(port: ModelPort, path: string, options: EndpointOptions) {
    this.port = port;
    this.url = addressOf(options.baseUrl, path);
    this.who = `"${this.url.origin}${this.url.pathname}"`;
    this.secret = secretOf(options.apiKey);
    this.limits = { ...HTTP_LIMITS, ...options.limits };
    this.loop = new RetryLoop(port, this.who, options.retries);
  }

  /** The answer's JSON. Throws `PortError`, or the signal's reason. */
  async post(body: unknown, call: Call): Promise<unknown> {
    const text = JSON.stringify(body);
    const headers: Record<string, string> =
      this.secret === undefined ? {} : { authorization: `Bearer ${this.secret.reveal()}` };
    const { port, who, url, secret } = this;
    const answer = await this.loop.run(call, async leftMs => {
      const totalMs = Math.max(1, Math.min(this.limits.totalMs, leftMs));
      const limits = { ...this.limits, totalMs };
      const got = await exchange({
        port,
        who,
        url,
        headers,
        body: text,
        signal: call.signal,
        limits,
      });
      if (got.status >= 200 && got.status < 300) return got;
      const words = got.body.toString('utf8', 0, 4096);
      const retryAfter = got.headers['retry-after'];
      throw refusalFault({
        port,
        who,
        status: got.status,
        words,
        retryAfter,
        now: Date.now(),
        secret,
        keyHint: keyHint(secret),
      });
    });
    return this.parse(answer.body);
  }

  private parse(body: Buffer): unknown {
    const text = body.toString('utf8');
    try {
      return JSON.parse(text);
    } catch {
      // Python's servers write NaN and Infinity, which no JSON has.
      const notFinite = /[[,:]\s*-?(?:NaN|Infinity)\s*[\],}]/.test(text);
      if (notFinite)
        throw answerError(this.port, 'not-finite', this.who, 'finite numbers', 'NaN or Infinity');
      throw answerError(
        this.port,
        'malformed',
        this.who,
        'JSON',
        text === '' ? 'nothing' : quoted(text.slice(0, 4096), this.secret),
      );
    }
  }
}

/** What to do about a refused key. */
export function keyHint(secret: Secret | undefined): string {
  return secret === undefined
    ? 'No key was sent: name one in the environment, as --help says.'
    : 'Check the key in the environment and what it may be used for.';
}

export function addressOf(baseUrl: string, path: string): URL {
  const fail = (received: string): never => {
    throw new InputError('bad-url', 'The base URL of a model server', {
      expected: 'a URL such as http://localhost:8080/v1',
      received,
    });
  };
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    return fail('something else');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return fail(`the protocol ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    return fail('one with a user or a password, which the environment should name instead');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  url.hash = '';
  return url;
}

export function secretOf(key: string | Secret | undefined): Secret | undefined {
  if (key === undefined) return undefined;
  const text = (typeof key === 'string' ? key : key.reveal()).trim();
  if (text === '') return undefined;
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new InputError('bad-key', 'The key of a model server', {
      expected: 'visible ASCII characters only',
      received: 'others (not shown)',
    });
  return new Secret(text);
}
