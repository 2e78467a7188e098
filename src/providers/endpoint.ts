/** Posts JSON to a model server and parses its JSON answer, with retries and limits. */
import { InputError, type PortError } from '../core/errors.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import type { Call } from '../core/trace/call.ts';
import { quoted, type Redacting, Secret, Secrets } from '../platform/secret.ts';
import { answerError, type ModelPort, pauseMs, type Refusal, refusalFault } from './fault.ts';
import { exchange, HTTP_LIMITS, type HttpLimits } from './http-exchange.ts';
import { secretValues } from './recorded-address.ts';
import { reportedError } from './reported-error.ts';
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
  private readonly path: string;
  private readonly url: URL;
  private readonly secret: Secret | undefined;
  private readonly secrets: Secrets;
  private readonly limits: HttpLimits;
  private readonly loop: RetryLoop;
  private readonly parameters: ModelParameters;

  /** Throws `InputError('bad-url' | 'bad-key')`. */
  constructor(port: ModelPort, path: string, options: EndpointOptions) {
    this.port = port;
    this.path = path;
    this.url = addressOf(options.baseUrl, path);
    this.label = `"${this.url.origin}${this.url.pathname}"`;
    this.secret = secretOf(options.apiKey);
    this.secrets = secretsOf(this.url, this.secret);
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
        const answer = await this.answered(JSON.stringify(request.sent), call);
        request.accepted();
        return answer;
      } catch (error) {
        if (call.signal.aborted || !request.change(error)) throw error;
      }
    }
  }

  private answered(text: string, call: Call): Promise<unknown> {
    const headers: Record<string, string> =
      this.secret === undefined ? {} : { authorization: `Bearer ${this.secret.reveal()}` };
    const { port, label, url } = this;
    return this.loop.run(call, async leftMs => {
      const totalMs = Math.max(1, Math.min(this.limits.totalMs, leftMs));
      const {
        status,
        headers: answered,
        body,
      } = await exchange({
        port,
        label,
        url,
        headers,
        body: text,
        signal: call.signal,
        limits: { ...this.limits, totalMs },
      });
      const afterMs = pauseMs(answered, Date.now());
      if (status < 200 || status >= 300)
        throw this.refusal({ status, words: body.toString('utf8', 0, 65_536), afterMs });
      const answer = this.parse(body);
      const error = reportedError(answer);
      if (error === undefined) return answer;
      if (error.status === undefined)
        throw answerError(port, 'failed', label, 'an answer', quoted(error.words, this.secrets));
      throw this.refusal({ status: error.status, words: error.words, afterMs });
    });
  }

  private refusal(answer: Pick<Refusal, 'status' | 'words' | 'afterMs'>): Error {
    const { port, label, secret, secrets, url, path } = this;
    return refusalFault({
      ...answer,
      port,
      label,
      secret: secrets,
      keyHint: keyHint(secret),
      addressHint: addressHint(url, path),
    });
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
      throw notJson(this.port, this.label, text, this.secrets, addressHint(this.url, this.path));
    }
  }
}

/** Returns the error of an answer that is no JSON. */
export function notJson(
  port: ModelPort,
  label: string,
  text: string,
  secret: Redacting,
  hint: string,
): PortError {
  const received = text === '' ? 'nothing' : quoted(text.slice(0, 4096), secret);
  const isPage = /^\s*<(?:!doctype|html|head|body)\b/i.test(text);
  return answerError(port, 'malformed', label, 'JSON', received, isPage ? hint : undefined);
}

/** Explains what to change in the address of a server that has no such API there. */
export function addressHint({ origin, pathname }: URL, path: string): string {
  const base = pathname.slice(0, -path.length);
  return /\/v\d+\w*$/.test(base)
    ? `Check the base URL: this server has no ${path} under ${base}.`
    : `Check the base URL: most servers have their API under /v1, "${origin}${base}/v1".`;
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
  const base = url.pathname.replace(/\/+$/, '');
  // The address that a server's page shows for requests is taken too.
  url.pathname = base.endsWith(path) ? base : `${base}${path}`;
  url.hash = '';
  return url;
}

/** Returns the key of a server and those in the query of its address. */
export const secretsOf = (url: URL, key: Secret | undefined): Secrets =>
  new Secrets([...(key ? [key] : []), ...secretValues(url).map(value => new Secret(value))]);

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
