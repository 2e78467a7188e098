/** Turns an error into an exit code and a message on stderr. */
import { InputError, PortError } from '../core/errors.ts';
import { STORE_CODES } from '../stores/disk/store-errors.ts';
import { ENGINE_CODES } from '../stores/servers/engine-codes.ts';
import { commandHint, inCommandWords } from './command-hints.ts';
import type { Output } from './output.ts';

/** Returns the exit code of an error. */
export function exitCodeOf(error: unknown, signal: AbortSignal): number {
  if (signal.aborted && isAbort(error, signal)) return 130;
  if (InputError.is(error)) return 2;
  if (PortError.is(error)) {
    if (error.port === 'engine') return ENGINE_CODES[error.code] ?? 1;
    return error.port === 'store' ? (STORE_CODES[error.code] ?? 1) : 1;
  }
  return 1;
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}

export interface FailureContext {
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Words that start the command, or the program if the command is unknown. */
  readonly name: string;
  /** True to print the stack of an error. */
  readonly debug: boolean;
}

/** The error of the work, not that of what was closed after it. Node 22 lacks the class. */
const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.name === 'SuppressedError' && 'suppressed' in error
    ? causeOf(error.suppressed)
    : error;

/** Prints the error and returns the exit code. */
export function reportFailure(
  thrown: unknown,
  { output, signal, name, debug }: FailureContext,
): number {
  const error = causeOf(thrown);
  const exit = exitCodeOf(error, signal);
  const known = InputError.is(error) || PortError.is(error);
  const message = exit === 130 ? 'Interrupted' : messageOf(error);
  if (output.json)
    output.error(JSON.stringify({ error: { ...errorDetails(error, exit), message }, exit }));
  else {
    output.error(`${output.noteStyle.red(`${name}:`)} ${message}`);
    if (exit === 2) output.error(`${output.noteStyle.faint(`See: ${name} --help`)}`);
    if (!known && exit !== 130)
      output.error(
        'This is a bug in multihop. Run the command again with MULTIHOP_DEBUG=1 for a stack trace, and report it.',
      );
  }
  if (debug && error instanceof Error && exit !== 130) output.error(error.stack ?? '');
  return exit;
}

/** Returns the message of an error, its hint in options of the command line. */
export function messageOf(error: unknown): string {
  if (InputError.is(error) || PortError.is(error)) return inCommandWords(error.message, error);
  return error instanceof Error ? error.message : String(error);
}

export function errorDetails(error: unknown, exit: number): Record<string, unknown> {
  if (exit === 130) return { code: 'interrupted' };
  if (InputError.is(error))
    return {
      code: error.code,
      expected: error.expected,
      received: error.received,
      hint: commandHint(error),
    };
  if (PortError.is(error))
    return {
      code: error.code,
      port: error.port,
      retryable: error.retryable,
      hint: commandHint(error),
    };
  return { code: 'bug' };
}
