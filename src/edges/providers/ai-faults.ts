/**
 * Failures of AI SDK models as faults. The SDK's errors hold request, headers and body, where a key
 * may be: only status and words go on.
 */
import { InputError, PortError } from '../../errors.ts';
import { answerError, connectionFault, Fault, type ModelPort, refusalFault } from './fault.ts';
import { quoted, type Secret } from './secret.ts';

/** Whose model it is. */
export interface AiParty {
  readonly port: ModelPort;
  /** As it may be printed. */
  readonly who: string;
  readonly secret?: Secret | undefined;
  /** What to do about a refused key. */
  readonly keyHint?: string;
}

/** What the SDK says of an answer that is none; such an answer is not asked for again. */
const MALFORMED = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_NoContentGeneratedError',
  'AI_EmptyResponseBodyError',
]);

/** `PortError`, `InputError` and `Fault` stay what they are. */
export function aiFault(error: unknown, party: AiParty): unknown {
  const { port, who, secret } = party;
  const own = behind(error, one =>
    PortError.is(one) || InputError.is(one) || one instanceof Fault ? one : undefined,
  );
  if (own !== undefined) return own;
  const { statusCode, responseHeaders, responseBody, isRetryable, message, name } = (error ??
    {}) as Record<string, unknown>;
  const words = typeof message === 'string' ? message : typeof error === 'string' ? error : '';
  if (typeof statusCode === 'number' && statusCode >= 300) {
    const retryAfter = (responseHeaders as Record<string, string> | undefined)?.['retry-after'];
    return refused(statusCode, words, party, retryAfter);
  }
  const code = behind(error, systemCode);
  if (code !== undefined) return connectionFault(port, who, code);
  const said = serverError(error) ?? serverError(errorIn(responseBody));
  if (said?.status !== undefined) return refused(said.status, said.words, party);
  if (said)
    return new Fault(
      new PortError(port, 'failed', `${who} failed`, { received: quoted(said.words, secret) }),
    );
  if (MALFORMED.has(String(name)) || statusCode !== undefined)
    return answerError(
      port,
      'malformed',
      who,
      'a completion',
      quoted(words, secret) || 'something else',
    );
  const failed = new PortError(port, 'failed', `${who} failed`, {
    received: `${typeof name === 'string' ? quoted(name, secret) : typeof error}: ${quoted(words, secret)}`,
    retryable: isRetryable === true,
  });
  return new Fault(failed, { again: isRetryable === true });
}

/** What a server says that does not know `response_format`, or not of this kind. */
const SCHEMA_REFUSED = new Set([400, 422, 501]);

/**
 * Whether an error may be about the schema alone: some servers call their own validation of a
 * request a failure, 500, and name the field.
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
  { port, who, secret, keyHint }: AiParty,
  retryAfter?: string,
): Fault {
  const hint = keyHint ?? "Check the key of the model's provider.";
  return refusalFault({
    port,
    who,
    status,
    words,
    retryAfter,
    now: Date.now(),
    secret,
    keyHint: hint,
  });
}

/**
 * What a server says in the shape of OpenAI, in a stream or in the body of an answer that was none:
 * plain data, no `Error`.
 */
function serverError(
  value: unknown,
): { readonly words: string; readonly status: number | undefined } | undefined {
  if (typeof value === 'string') return { words: value, status: undefined };
  if (typeof value !== 'object' || value === null || value instanceof Error) return undefined;
  const { message, code } = value as Record<string, unknown>;
  if (typeof message !== 'string') return undefined;
  const status =
    Number.isInteger(code) && (code as number) >= 400 && (code as number) < 600
      ? (code as number)
      : undefined;
  return { words: message, status };
}

function errorIn(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return (JSON.parse(body) as { error?: unknown } | null)?.error;
  } catch {
    return undefined;
  }
}

/** The first of an error and its causes that `find` knows. */
function behind<T>(error: unknown, find: (one: object) => T | undefined): T | undefined {
  for (
    let next = error, depth = 0;
    typeof next === 'object' && next !== null && depth < 6;
    depth++
  ) {
    const found = find(next);
    if (found !== undefined) return found;
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
