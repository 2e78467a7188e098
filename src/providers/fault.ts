/**
 * Represents a failed attempt at a provider: a typed error, and whether the retry loop may repeat
 * it.
 */
import { describeValue, type ErrorDetails, PortError } from '../core/errors.ts';
import { quoted, type Redacting } from '../platform/secret.ts';

/** The ports that providers implement. */
export type ModelPort =
  | 'embedder'
  | 'reranker'
  | 'question-answerer'
  | 'entity-recogniser'
  | 'model';

/**
 * A failed attempt. Error codes: unauthorized, rate-limited, server, refused, unreachable, timeout,
 * too-large, malformed, incomplete, wrong-count, wrong-dimensions, not-finite, zero-vector, failed.
 */
export class Fault extends Error {
  readonly error: PortError;
  /**
   * Allows the retry loop to repeat the call. False for a timeout, which has used up the time of
   * the loop, though the caller may retry later.
   */
  readonly retry: boolean;
  /** Pause that the server asked for, in milliseconds. */
  readonly afterMs: number | undefined;

  constructor(
    error: PortError,
    options: { readonly retry?: boolean; readonly afterMs?: number | undefined } = {},
  ) {
    super(error.message);
    this.error = error;
    this.retry = options.retry ?? false;
    this.afterMs = options.afterMs;
  }
}

/**
 * Reports that a server refused a request. Keeps what the server wrote out of the reach of prints
 * and JSON: it may repeat a key.
 */
export class RefusedError extends PortError {
  /** 413 or 400 if a server failed at the size of the request, or at a field of it. */
  readonly status: number;
  readonly #body: string;

  constructor(
    { port, status, body, words = '' }: Refusal,
    message: string,
    details: ErrorDetails & { readonly retryable: boolean },
  ) {
    super(port, 'refused', message, details);
    const said = `${words} ${body ?? ''}`;
    this.status = status < 500 ? status : TOO_LONG.test(said) ? 413 : 400;
    this.#body = body ?? words;
  }

  /** The answer of the server. */
  get body(): string {
    return this.#body;
  }

  /** Returns the error of a request that held one text alone. */
  ofText(what: string): PortError {
    const { port, code, retryable, message } = this;
    return new PortError(port, code, message, { retryable, hint: `It refuses ${what}` });
  }
}

export interface Refusal {
  readonly port: ModelPort;
  /** Printable name of the provider. */
  readonly label: string;
  readonly status: number;
  /** Message of the server, if any. */
  readonly words?: string;
  /** Whole answer of the server, if `words` are a part of it. */
  readonly body?: string | undefined;
  /** Pause that the server asks for: see `pauseMs`. */
  readonly afterMs?: number | undefined;
  readonly secret?: Redacting | undefined;
  /** Explains how to fix a refused key. */
  readonly keyHint: string;
  /** Explains how to fix a wrong address. */
  readonly addressHint?: string | undefined;
}

const TEMPORARY = new Set([408, 409, 425, 429]);
/** Faults of a server that last: it does not know the method, or the version of HTTP. */
const LASTING = new Set([501, 505]);

/** Matches the words by which servers fail at a text that is too long for them. */
const TOO_LONG =
  /input (?:is too large|length exceeds)|physical batch size|context (?:length|size)/i;
/** Matches the words by which servers fail at a field or at a role that they do not know. */
const UNKNOWN_FIELD =
  /unsupported ?params|not support parameters|unknown field|unrecognized (?:request )?argument|extra inputs|system role|roles must alternate|only user and assistant roles/i;

const isTemporary = (status: number): boolean =>
  TEMPORARY.has(status) || (status >= 500 && !LASTING.has(status));

/**
 * Matches the words by which providers refuse a key whose account is used up. Google calls a limit
 * of a minute the current quota.
 */
const NO_QUOTA = /insufficient_quota|insufficient (?:balance|credit)/i;
/** Statuses of addresses without an API; servers refuse names of models by them too. */
const NO_ADDRESS = new Set([404, 405]);

/** Returns the fault without permission to retry. */
export function finalFault(fault: unknown): unknown {
  return fault instanceof Fault ? new Fault(fault.error) : fault;
}

/** Converts an error status to a fault. */
export function refusalFault(refusal: Refusal): Fault {
  const { port, label, status } = refusal;
  const said = `${refusal.words} ${refusal.body ?? ''}`;
  const isUsedUp = NO_QUOTA.test(said);
  const isRefusal = status >= 500 && (TOO_LONG.test(said) || UNKNOWN_FIELD.test(said));
  const retry = isTemporary(status) && !isUsedUp && !isRefusal;
  const afterMs = retry ? refusal.afterMs : undefined;
  const fail = (code: string, message: string, retryable: boolean, hint?: string): Fault => {
    // Omits the message of a server that refuses a key: it may quote the key.
    const words = code === 'unauthorized' ? '' : quoted(refusal.words ?? '', refusal.secret);
    const received = words === '' ? `status ${status}` : `status ${status}: ${words}`;
    const details = { received, retryable, hint };
    const error =
      code === 'refused'
        ? new RefusedError(refusal, message, details)
        : new PortError(port, code, message, details);
    return new Fault(error, { retry, afterMs });
  };
  if (status === 401 || status === 403)
    return fail('unauthorized', `${label} refused the key`, false, refusal.keyHint);
  if (isRefusal) return fail('refused', `${label} refused the request`, false);
  if (isUsedUp) return fail('refused', `${label} refused the request`, false, USED_UP);
  if (status === 429) return fail('rate-limited', `${label} limits the request rate`, true);
  if (status === 408) return fail('timeout', `${label} timed out`, true);
  if (status >= 500) return fail('server', `${label} failed`, true);
  if (status >= 300 && status < 400)
    return fail(
      'refused',
      `${label} redirects`,
      false,
      'Redirects are not followed because they would receive the key. Give the final URL.',
    );
  if (status === 409 || status === 425) return fail('server', `${label} is not ready`, true);
  const isElsewhere = NO_ADDRESS.has(status) && !/model|deployment/i.test(said);
  const hint = isElsewhere ? refusal.addressHint : undefined;
  return fail('refused', `${label} refused the request`, false, hint);
}

const USED_UP = 'The account of the key has no quota or credit left: check its plan and billing.';

/** Returns the pause that headers ask for: `retry-after-ms` of OpenAI and Azure, `retry-after`. */
export function pauseMs(
  headers: Readonly<Record<string, string | readonly string[] | undefined>> | undefined,
  now: number,
): number | undefined {
  const ms = Number(headers?.['retry-after-ms'] ?? Number.NaN);
  if (ms >= 0) return ms;
  return retryAfterMs(headers?.['retry-after']?.toString(), now);
}

/**
 * Returns the milliseconds of a Retry-After header, seconds or an HTTP date; undefined if it is
 * neither.
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
 * Returns the fault of a broken or failed connection. The system error is not passed on: it may
 * hold the request.
 */
export function connectionFault(port: ModelPort, label: string, code: string): Fault {
  const reset = RESET.has(code);
  const error = new PortError(
    port,
    'unreachable',
    reset ? `${label} closed the connection` : `${label} cannot be reached`,
    {
      received: code,
      retryable: true,
      hint: reset ? undefined : 'Check that the server runs and that its URL is correct.',
    },
  );
  return new Fault(error, { retry: reset });
}

const MORE_TIME = {
  hint: 'Give it longer: embedderTimeoutMs of openStore(), limits elsewhere.',
  remedy: { id: 'embedder-time' },
};

const MODEL_TIME = {
  hint: 'Give it longer: modelTimeoutMs of openStore(), limits elsewhere.',
  remedy: { id: 'model-time' },
};

/** Returns the setting of the time that a port's answer may take. */
function moreTime(port: ModelPort, phase: string): Partial<typeof MORE_TIME> {
  if (port === 'embedder' || port === 'reranker') return MORE_TIME;
  return port === 'model' && phase !== CONNECTION ? MODEL_TIME : {};
}

/** Names the phase of a request that the time of an answer does not limit. */
export const CONNECTION = 'a connection';

export function timeoutFault(port: ModelPort, label: string, phase: string, ms: number): Fault {
  return new Fault(
    new PortError(port, 'timeout', `${label} did not answer in time`, {
      expected: `${phase} within ${Math.round(ms) / 1000} s`,
      retryable: true,
      ...moreTime(port, phase),
    }),
  );
}

/**
 * Returns the place that an entry of an answer names, from 0 to `count` - 1. Throws
 * `PortError('malformed')` unless it is one that is not `taken`.
 */
export function placeOf(
  index: unknown,
  count: number,
  taken: (place: number) => boolean,
  { port, label }: { readonly port: ModelPort; readonly label: string },
): number {
  const place = index as number;
  if (Number.isInteger(index) && place >= 0 && place < count && !taken(place)) return place;
  const expected = `each index from 0 to ${count - 1} once`;
  throw answerError(port, 'malformed', label, expected, describeValue(index, 20));
}

/**
 * Returns the error of an invalid answer. It is not retried: the same request would get the same
 * answer.
 */
export function answerError(
  port: ModelPort,
  code: string,
  label: string,
  expected: string,
  received: string,
  hint?: string,
): PortError {
  return new PortError(port, code, `${label} returned an invalid answer`, {
    expected,
    received,
    hint,
  });
}
