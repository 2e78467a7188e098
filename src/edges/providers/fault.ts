/**
 * What went wrong in one attempt at a provider, as a typed error and whether the loop may try
 * again.
 */
import { PortError } from '../../errors.ts';
import { quoted, type Secret } from './secret.ts';

/** The ports of this room. */
export type ModelPort = 'embedder' | 'reranker' | 'model';

/**
 * Codes: unauthorized, rate-limited, server, refused, unreachable, timeout, too-large, malformed,
 * incomplete, wrong-count, wrong-dimensions, not-finite, zero-vector, failed.
 */
export class Fault extends Error {
  readonly error: PortError;
  /**
   * Whether the retry loop may try again. A timeout is not: it has used up its patience, though the
   * caller may come back later.
   */
  readonly again: boolean;
  /** How long the server asked to be left alone. */
  readonly afterMs: number | undefined;

  constructor(
    error: PortError,
    options: { readonly again?: boolean; readonly afterMs?: number | undefined } = {},
  ) {
    super(error.message);
    this.error = error;
    this.again = options.again ?? false;
    this.afterMs = options.afterMs;
  }
}

export interface Refusal {
  readonly port: ModelPort;
  /** Who refused, as it may be printed. */
  readonly who: string;
  readonly status: number;
  /** The server's own words, if any. */
  readonly words?: string;
  readonly retryAfter?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly secret?: Secret | undefined;
  /** What to do about a refused key. */
  readonly keyHint: string;
}

const AGAIN = new Set([429, 500, 502, 503, 504]);

/** The same fault, which is not tried again. */
export function finalFault(fault: unknown): unknown {
  return fault instanceof Fault ? new Fault(fault.error) : fault;
}

/** A status that is no success, as a fault. */
export function refusalFault(refusal: Refusal): Fault {
  const { port, who, status } = refusal;
  const again = AGAIN.has(status);
  const afterMs = again ? retryAfterMs(refusal.retryAfter, refusal.now) : undefined;
  const fail = (code: string, message: string, retryable: boolean, hint?: string): Fault => {
    // A server that refuses a key likes to repeat it, or half of it.
    const words = code === 'unauthorized' ? '' : quoted(refusal.words ?? '', refusal.secret);
    const received = words === '' ? `status ${status}` : `status ${status}: ${words}`;
    const details = { received, retryable, ...(hint === undefined ? {} : { hint }) };
    return new Fault(new PortError(port, code, message, details), { again, afterMs });
  };
  if (status === 401 || status === 403)
    return fail('unauthorized', `${who} refused the key`, false, refusal.keyHint);
  if (status === 429) return fail('rate-limited', `${who} is asked too often`, true);
  if (status === 408) return fail('timeout', `${who} gave up waiting`, true);
  if (status >= 500) return fail('server', `${who} failed`, true);
  if (status >= 300 && status < 400)
    return fail(
      'refused',
      `${who} points elsewhere`,
      false,
      'Redirects are not followed, for they would carry the key along. Give the final URL.',
    );
  return fail('refused', `${who} refused the request`, false);
}

/**
 * Milliseconds of a Retry-After header: seconds, or an HTTP date. Undefined when it says neither.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const RESET = new Set(['ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'UND_ERR_SOCKET']);

/**
 * A connection that broke or never came about. The error of the system is not passed on: it may
 * hold the request.
 */
export function connectionFault(port: ModelPort, who: string, code: string): Fault {
  const reset = RESET.has(code);
  const error = new PortError(
    port,
    'unreachable',
    reset ? `${who} broke the connection` : `${who} cannot be reached`,
    {
      received: code,
      retryable: true,
      ...(reset ? {} : { hint: 'Check that the server runs and that its URL is right.' }),
    },
  );
  return new Fault(error, { again: reset });
}

export function timeoutFault(port: ModelPort, who: string, phase: string, ms: number): Fault {
  return new Fault(
    new PortError(port, 'timeout', `${who} did not answer in time`, {
      expected: `${phase} within ${Math.round(ms) / 1000} s`,
      retryable: true,
    }),
  );
}

/**
 * An answer that is not what was asked for: not tried again, for the same request would get the
 * same answer.
 */
export function answerError(
  port: ModelPort,
  code: string,
  who: string,
  expected: string,
  received: string,
): PortError {
  return new PortError(port, code, `${who} gave a wrong answer`, { expected, received });
}
