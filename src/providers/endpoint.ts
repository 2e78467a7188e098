/** Posts JSON to a model server and parses its JSON answer, with retries and limits. */
import { InputError } from '../core/errors.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import type { Call } from '../core/trace/call.ts';
import { quoted, Secret } from '../platform/secret.ts';
import { answerError, type ModelPort, refusalFault } from './fault.ts';
import { exchange, HTTP_LIMITS, type HttpLimits } from './http-exchange.ts';
import { ModelParameters, type OnNote, type Parameters } from './request-parameters.ts';
import { RetryLoop, type RetryOptions } from './retry-loop.ts';

export interface EndpointOptions {
  /** Base URL of the server's API, such as `http://localhost:8080/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; never printed in errors or logs. */
  readonly apiKey?: string | Secret | undefined;
  readonly limits?: Partial<HttpLimits>;
  readonly retries?: RetryOptions;
  /** Receives a note on what the server refuses, once; by default a process warning. */
  readonly onNote?: OnNote | undefined;
}

export class Endpoint {
  /** Printable address: without user, key and query. */
  readonly label: string;
  private readonly port: ModelPort;
  private readonly url: URL;
  private readonly secret: Secret | undefined;
  private readonly limits: HttpLimits;
  private readonly loop: RetryLoop;
  private readonly parameters: ModelParameters;

  /** Throws `InputError('bad-url' | 'bad-key')`. */
  constructor(port: ModelPort, path: string, options: EndpointOptions) {
    this.port = port;
    this.url = addressOf(options.baseUrl, path);
    this.label = `"${this.url.origin}${this.url.pathname}"`;
    this.secret = secretOf(options.apiKey);
    this.limits = { ...HTTP_LIMITS, ...options.limits };
    this.loop = new RetryLoop(port, this.label, options.retries);
    this.parameters = new ModelParameters(this.label, options.onNote);
  }

  /**
   * Returns the parsed JSON of the answer. A field that the server refuses is left out. Throws
   * `PortError`, or the signal's reason.
   */
  async post(body: Parameters, call: Call): Promise<unknown> {
    const request = this.parameters.request(body);
    for (;;) {
      try {
        const answer = this.parse(await this.exchanged(JSON.stringify(request.sent), call));
        request.accepted();
        return answer;
      } catch (error) {
        if (call.signal.aborted || !request.change(error)) throw error;
      }
    }
  }

  private async exchanged(text: string, call: Call): Promise<Buffer> {
    const headers: Record<string, string> =
      this.secret === undefined ? {} : { authorization: `Bearer ${this.secret.reveal()}` };
    const { port, label, url, secret } = this;
    const answer = await this.loop.run(call, async leftMs => {
      const totalMs = Math.max(1, Math.min(this.limits.totalMs, leftMs));
      const limits = { ...this.limits, totalMs };
      const response = await exchange({
        port,
        label,
        url,
        headers,
        body: text,
        signal: call.signal,
        limits,
      });
      if (response.status >= 200 && response.status < 300) return response;
      const words = response.body.toString('utf8', 0, 65_536);
      const retryAfter = response.headers['retry-after'];
      throw refusalFault({
        port,
        label,
        status: response.status,
        words,
        retryAfter,
        now: Date.now(),
        secret,
        keyHint: keyHint(secret),
      });
    });
    return answer.body;
  }

  private parse(body: Buffer): unknown {
    const text = body.toString('utf8');
    try {
      return parseJson(text);
    } catch {
      // Python servers write NaN and Infinity, which are not JSON.
      const notFinite = /[[,:]\s*-?(?:NaN|Infinity)\s*[\],}]/.test(text);
      if (notFinite)
        throw answerError(this.port, 'not-finite', this.label, 'finite numbers', 'NaN or Infinity');
      throw answerError(
        this.port,
        'malformed',
        this.label,
        'JSON',
        text === '' ? 'nothing' : quoted(text.slice(0, 4096), this.secret),
      );
    }
  }
}

/** Returns a hint for a refused key. */
export function keyHint(secret: Secret | undefined): string {
  return secret === undefined
    ? 'No key was sent: give an apiKey, or set MULTIHOP_API_KEY in the environment.'
    : 'Check the key in the environment and its permissions.';
}

export function addressOf(baseUrl: string, path: string): URL {
  const fail = (received: string): never => {
    throw new InputError('bad-url', 'Invalid base URL of a model server', {
      expected: 'a URL such as http://localhost:8080/v1',
      received,
    });
  };
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    return fail('a text that is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return fail(`the protocol ${url.protocol}`);
  if (url.username !== '' || url.password !== '')
    return fail('a URL with user or password; set the key in the environment instead');
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  url.hash = '';
  return url;
}

export function secretOf(key: string | Secret | undefined): Secret | undefined {
  if (key === undefined) return undefined;
  const text = (typeof key === 'string' ? key : key.reveal()).trim();
  if (text === '') return undefined;
  if (!/^[\x21-\x7e]+$/.test(text))
    throw new InputError('bad-key', 'Invalid key of a model server', {
      expected: 'visible ASCII characters only',
      received: 'other characters (not shown)',
    });
  return new Secret(text);
}
