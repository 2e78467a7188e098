/** Answers a request with problem details (RFC 9457). */
import { terminalJson } from '../platform/terminal-json.ts';
import { problemOf, Refusal } from '../session/requests/problem.ts';
import type { Redact } from '../session/requests/redact.ts';
import { textResponse } from './route.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Seconds after which a client may try again what failed for now. */
const RETRY_SECONDS = '1';

export function problemResponse(error: unknown, redact?: Redact): Response {
  const body = problemOf(error, redact);
  const refusal = error instanceof Refusal ? error.headers : {};
  const retry = body.status === 503 ? { 'Retry-After': RETRY_SECONDS } : {};
  const headers = { 'Content-Type': PROBLEM_TYPE, ...retry, ...refusal };
  return textResponse(terminalJson(JSON.stringify(body)), { status: body.status, headers });
}
