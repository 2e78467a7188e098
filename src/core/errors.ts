/**
 * Declares the two errors that multihop throws deliberately; any other error is a bug.
 *
 * `InputError` reports invalid input and is thrown when input is validated, before any work.
 * `PortError` reports a failure outside the process: a disk, a network, a model.
 */

/**
 * Identifies a hint and the name that it mentions, for a caller that words it in its own terms: the
 * command line names its options.
 */
export interface Remedy {
  readonly id: string;
  readonly name?: string | undefined;
}

export interface ErrorDetails {
  /** The valid values. */
  readonly expected?: string;
  /** The invalid value. */
  readonly received?: string;
  /** An action that resolves the error, in terms of the library. */
  readonly hint?: string;
  readonly remedy?: Remedy;
  readonly cause?: unknown;
}

/** Appends expected, received and hint to a message, in that order. */
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

/**
 * Thrown for invalid input: an invalid option, an unreadable file, an unknown name.
 *
 * @example
 * ```ts
 * import { ask, InputError, ingest } from 'multihop';
 *
 * const engine = await ingest(['Ada wrote the program.', 'Charles built the engine in London.']);
 * try {
 *   await ask('Who built the engine?', { engine, strategy: 'itertive' });
 * } catch (error) {
 *   if (!InputError.is(error)) throw error;
 *   console.log(error.code, error.hint); // unknown-strategy, and the nearest name
 * }
 * ```
 */
export class InputError extends Error {
  readonly code: string;
  readonly expected: string | undefined;
  readonly received: string | undefined;
  readonly hint: string | undefined;
  readonly remedy: Remedy | undefined;
  /** Identifies the error across copies of the package, for which `instanceof` fails. */
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
    this.remedy = details.remedy;
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
 * Thrown if a port fails. `retryable` is true if the same call may succeed later.
 *
 * @example
 * ```ts
 * import { openStore, PortError } from 'multihop';
 *
 * try {
 *   await openStore('missing.store', { create: false });
 * } catch (error) {
 *   if (PortError.is(error)) console.log(error.port, error.code, error.retryable);
 * }
 * ```
 */
export class PortError extends Error {
  readonly port: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly remedy: Remedy | undefined;
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
    this.remedy = details.remedy;
  }

  static is(error: unknown): error is PortError {
    return (
      typeof error === 'object' &&
      error !== null &&
      (error as { multihop?: unknown }).multihop === 'port'
    );
  }
}
