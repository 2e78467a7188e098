/**
 * Reads the error that a server reports in the body of an answer, whatever its status: OpenAI,
 * Anthropic, Google, vLLM, FastAPI and gateways have a shape each.
 */

export interface ReportedError {
  /** Message of the server. */
  readonly words: string;
  /** The status that fits it; undefined if the body tells none. */
  readonly status: number | undefined;
}

/** Fields that hold the error, or its message, in the order in which they are read. */
const HOLDERS = ['error', 'errors', 'base_resp', 'message', 'msg', 'detail', 'status_msg'];
const CODES = ['code', 'status', 'status_code', 'statusCode', 'http_code', 'type', 'error_type'];
/** Lists that an answer to a request has. */
const RESULTS = ['choices', 'data', 'results', 'embeddings', 'content', 'output'];

/** Statuses by the words with which servers name the kind of an error. */
const KINDS: readonly (readonly [kind: RegExp, status: number])[] = [
  [/rate.?limit|throttl|too.?many|exhausted|quota/i, 429],
  [/overload|unavailable|capacity|loading/i, 503],
  [/timeout|deadline/i, 504],
  [/internal|server.?error|api.?error/i, 500],
  [/auth|permission|api.?key|forbidden/i, 401],
  [/not.?found/i, 404],
  [/invalid|bad.?request|unsupported|validation/i, 400],
];

/** Returns the error of a body that is one instead of an answer; undefined if it is an answer. */
export function reportedError(body: unknown): ReportedError | undefined {
  const value = Array.isArray(body) && body.length === 1 ? body[0] : body;
  if (!isRecord(value)) return undefined;
  const hasError = isNamed(value['error']) || value['object'] === 'error';
  if (!hasError && RESULTS.some(name => Array.isArray(value[name]))) return undefined;
  const words = wordsOf(value, 4);
  return words === undefined ? undefined : { words, status: statusOf(value, 4) };
}

/** Returns the error of a part that is one: an object, or the message alone. */
export const errorPart = (part: unknown): ReportedError | undefined =>
  part instanceof Error ? undefined : reportedError({ error: part });

/** Servers also report that there is no error. */
const isNamed = (error: unknown): boolean =>
  (typeof error === 'string' && error !== '') || (isRecord(error) && Object.keys(error).length > 0);

function wordsOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value)) return depth > 0 ? wordsOf(value[0], depth - 1) : undefined;
  if (!isRecord(value) || depth === 0) return undefined;
  return firstOf(HOLDERS, name => wordsOf(value[name], depth - 1));
}

/** The status of the innermost holder that has one: gateways wrap the errors of others. */
function statusOf(value: unknown, depth: number): number | undefined {
  if (Array.isArray(value)) return depth > 0 ? statusOf(value[0], depth - 1) : undefined;
  if (!isRecord(value) || depth === 0) return undefined;
  const inner = firstOf(HOLDERS, name => statusOf(value[name], depth - 1));
  return (
    inner ??
    firstOf(CODES, name => statusNumber(value[name])) ??
    firstOf(CODES, name => statusOfKind(value[name]))
  );
}

function statusNumber(code: unknown): number | undefined {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) < 600
    ? (status as number)
    : undefined;
}

const statusOfKind = (kind: unknown): number | undefined =>
  typeof kind === 'string' ? KINDS.find(([pattern]) => pattern.test(kind))?.[1] : undefined;

function firstOf<T>(
  names: readonly string[],
  find: (name: string) => T | undefined,
): T | undefined {
  for (const name of names) {
    const found = find(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
