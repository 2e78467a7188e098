/**
 * Converts failures of AI SDK models to faults. Errors of the SDK hold request, headers and body,
 * which may contain a key: only status and message are passed on.
 */
import { InputError, PortError } from '../core/errors.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import { quoted, type Redacting } from '../platform/secret.ts';
import {
  answerError,
  connectionFault,
  Fault,
  type ModelPort,
  pauseMs,
  type Refusal,
  refusalFault,
} from './fault.ts';
import { errorPart, type ReportedError, reportedError } from './reported-error.ts';

/** Identifies the provider of a model in errors. */
export interface AiProvider {
  readonly port: ModelPort;
  /** Printable name, without secrets. */
  readonly label: string;
  readonly secret?: Redacting | undefined;
  /** Explains how to fix a refused key. */
  readonly keyHint?: string;
  /** Explains how to fix a wrong address. */
  readonly addressHint?: string;
}

/** Error names by which the SDK reports an unusable answer; the request is not repeated. */
const MALFORMED = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_NoContentGeneratedError',
  'AI_EmptyResponseBodyError',
]);

/**
 * Returns the error as a `Fault` or `PortError`; an inner `PortError`, `InputError` or `Fault` is
 * returned unchanged.
 */
export function aiFault(error: unknown, provider: AiProvider): unknown {
  const { port, label, secret } = provider;
  const known = findInCauses(error, cause =>
    PortError.is(cause) || InputError.is(cause) || cause instanceof Fault ? cause : undefined,
  );
  if (known !== undefined) return known;
  const { statusCode, responseHeaders, responseBody, isRetryable, message, name } = (error ??
    {}) as Record<string, unknown>;
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : '';
  if (typeof statusCode === 'number' && statusCode >= 300) {
    const afterMs = pauseMs(responseHeaders as Record<string, string> | undefined, Date.now());
    const body = typeof responseBody === 'string' ? responseBody : undefined;
    return refused(statusCode, text, provider, { afterMs, body });
  }
  const code = findInCauses(error, systemCode);
  if (code !== undefined) return connectionFault(port, label, code);
  const reported = errorPart(error) ?? errorIn(responseBody);
  if (reported?.status !== undefined) return refused(reported.status, reported.words, provider);
  if (reported)
    return new Fault(
      new PortError(port, 'failed', `${label} failed`, {
        received: quoted(reported.words, secret),
      }),
    );
  if (MALFORMED.has(String(name)) || statusCode !== undefined)
    return answerError(
      port,
      'malformed',
      label,
      'a completion',
      quoted(text, secret) || 'something else',
    );
  const failed = new PortError(port, 'failed', `${label} failed`, {
    received: `${typeof name === 'string' ? quoted(name, secret) : typeof error}: ${quoted(text, secret)}`,
    retryable: isRetryable === true,
  });
  return new Fault(failed, { retry: isRetryable === true });
}

/** Statuses by which servers refuse `response_format` or its type. */
const SCHEMA_REFUSED = new Set([400, 422, 501]);

/**
 * Returns whether the error may concern the schema only. Some servers report failed request
 * validation as status 500 and name the field.
 */
export function refusesSchema(error: unknown): boolean {
  const { statusCode, name, message, responseBody } = (error ?? {}) as Record<string, unknown>;
  if (name === 'AI_UnsupportedFunctionalityError' || SCHEMA_REFUSED.has(Number(statusCode)))
    return true;
  return (
    Number(statusCode) >= 500 &&
    /response_format|json_schema|grammar/i.test(`${message} ${responseBody}`)
  );
}

function refused(
  status: number,
  words: string,
  { port, label, secret, keyHint, addressHint }: AiProvider,
  more: Pick<Refusal, 'afterMs' | 'body'> = {},
): Fault {
  const hint = keyHint ?? "Check the key of the model's provider.";
  return refusalFault({ port, label, status, words, secret, keyHint: hint, addressHint, ...more });
}

function errorIn(body: unknown): ReportedError | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    return reportedError(parseJson(body));
  } catch {
    return undefined;
  }
}

/** Returns the first result of `find` over an error and its chain of causes. */
function findInCauses<T>(error: unknown, find: (cause: object) => T | undefined): T | undefined {
  for (
    let next = error, depth = 0;
    typeof next === 'object' && next !== null && depth < 6;
    depth++
  ) {
    const match = find(next);
    if (match !== undefined) return match;
    next = (next as { cause?: unknown }).cause;
  }
  return undefined;
}

function systemCode(error: object): string | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(?:E[A-Z_]{3,}|UND_ERR_[A-Z_]+)$/.test(code)
    ? code
    : undefined;
}
