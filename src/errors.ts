/**
 * The two kinds of error that multihop throws on purpose; anything else that escapes is a bug.
 *
 * `InputError` is the caller's fault and is thrown at the door, before any work. `PortError` is the
 * world's fault: a disk, a network, a model.
 */

export interface ErrorDetails {
  /** What would have been right. */
  readonly expected?: string;
  /** What came instead. */
  readonly received?: string;
  /** What to do about it. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A message that carries what was expected, what was received and what to do, in that order. */
function sentence(message: string, details: ErrorDetails): string {
  const parts = [message];
  if (details.expected !== undefined) parts.push(`expected ${details.expected}`);
  if (details.received !== undefined) parts.push(`received ${details.received}`);
  const text = parts.length > 1 ? `${parts[0]}: ${parts.slice(1).join(', ')}` : message;
  return details.hint === undefined ? text : `${text}. ${details.hint}`;
}

/**
 * Returns a foreign value as text for `received`, at most `most` characters: a text as it is, other
 * JSON as JSON, anything else as its type. Never throws and never calls the value's own `toString`.
 */
export function describeValue(value: unknown, most = 80): string {
  if (typeof value === 'string') return value.slice(0, most);
  if (typeof value === 'number' || typeof value === 'bigint') return `${value}`.slice(0, most);
  try {
    return (JSON.stringify(value) ?? typeof value).slice(0, most);
  } catch {
    return typeof value;
  }
}

/** The caller's fault: a wrong option, a file that is no such thing, a name that nobody has. */
export class InputError extends Error {
  readonly code: string;
  readonly expected: string | undefined;
  readonly received: string | undefined;
  readonly hint: string | undefined;
  /** Marks the kind across copies of the package, where `instanceof` does not work. */
  readonly multihop = 'input';

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(
      sentence(message, details),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'InputError';
    this.code = code;
    this.expected = details.expected;
    this.received = details.received;
    this.hint = details.hint;
  }

  static is(error: unknown): error is InputError {
    return (
      typeof error === 'object' &&
      error !== null &&
      (error as { multihop?: unknown }).multihop === 'input'
    );
  }
}

/**
 * The world's fault: the named port failed. `retryable` says whether the same call may succeed
 * later.
 */
export class PortError extends Error {
  readonly port: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly multihop = 'port';

  constructor(
    port: string,
    code: string,
    message: string,
    details: ErrorDetails & { readonly retryable?: boolean } = {},
  ) {
    super(
      sentence(message, details),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = 'PortError';
    this.port = port;
    this.code = code;
    this.retryable = details.retryable ?? false;
    this.hint = details.hint;
  }

  static is(error: unknown): error is PortError {
    return (
      typeof error === 'object' &&
      error !== null &&
      (error as { multihop?: unknown }).multihop === 'port'
    );
  }
}
