/** Answers a request with problem details (RFC 9457). */
import { terminalJson } from '../platform/terminal-json.ts';
import { type Problem, problemOf, Refusal } from '../session/requests/problem.ts';
import type { Redact } from '../session/requests/redact.ts';
import { textResponse } from './route.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Seconds after which a client may try again what failed for now. */
const RETRY_SECONDS = '1';

export function problemResponse(error: unknown, redact?: Redact): Response {
  const problem = problemOf(error, redact);
  // Every route has it: clients of OpenAI also ask for routes that this server lacks.
  const body = { ...problem, error: openAiError(problem) };
  const refusal = error instanceof Refusal ? error.headers : {};
  const retry = problem.status === 503 ? { 'Retry-After': RETRY_SECONDS } : {};
  const headers = { 'Content-Type': PROBLEM_TYPE, ...retry, ...refusal };
  return textResponse(terminalJson(JSON.stringify(body)), { status: problem.status, headers });
}

/** Returns the object of which clients of OpenAI show the message, and nothing else of a body. */
export const openAiError = ({ status, code, detail }: Problem): object => ({
  message: detail,
  type: status < 500 ? 'invalid_request_error' : 'server_error',
  param: null,
  code,
});
