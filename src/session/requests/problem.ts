/** Turns errors into problem details (RFC 9457), with the codes that the library has. */

import { defined } from '../../core/defined.ts';
import { InputError, PortError } from '../../core/errors.ts';
import type { Redact } from './redact.ts';

export interface Problem {
  /** Link to the table of error codes, at the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint?: string;
}

/** A refusal of the server itself, before anything of the library is called. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'A model or an engine failed',
  503: 'Service unavailable',
  507: 'Insufficient storage',
};

/** Statuses of errors that are not 400 (`InputError`) or 502 (`PortError`), by code. */
const STATUSES: Readonly<Record<string, number>> = {
  'unknown-id': 404,
  'read-only': 403,
  'budget-reached': 400,
  'no-store': 503,
  'store-closed': 503,
  'store-locked': 503,
  'store-full': 507,
  'store-not-writable': 503,
  'store-failed': 503,
  'store-unreadable': 503,
  'store-damaged': 503,
  'engine-busy': 503,
  'missing-package': 503,
};

/** Never holds the message of an unknown error: it may hold what is not the caller's. */
export function problemOf(error: unknown, redact: Redact = text => text): Problem {
  const found = asProblem(error);
  return defined({
    ...found,
    detail: redact(found.detail),
    hint: found.hint === undefined ? undefined : redact(found.hint),
  });
}

function asProblem(error: unknown): Problem {
  if (error instanceof Refusal) return problem(error.status, error.code, error.message);
  if (InputError.is(error) || PortError.is(error)) {
    const status = STATUSES[error.code] ?? (InputError.is(error) ? 400 : 502);
    return problem(status, error.code, error.message, error.hint);
  }
  if (isAbort(error)) return problem(503, 'aborted', 'The request was aborted');
  return problem(500, 'bug', 'This is a bug in multihop; the log of the server names it');
}

/** True for an error that no code of the library names. */
export const isBug = (error: unknown): boolean => asProblem(error).code === 'bug';

function problem(status: number, code: string, detail: string, hint?: string): Problem {
  return defined({
    type: `urn:multihop:error:${code}`,
    title: TITLES[status] ?? 'Error',
    status,
    detail,
    code,
    hint,
  });
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
