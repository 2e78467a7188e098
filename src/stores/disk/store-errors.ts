/** Defines the errors of a store, grouped by what a user can do about them. */
import { InputError, PortError } from '../../core/errors.ts';
import { errno } from '../../platform/errno.ts';

/**
 * Exit codes of the command line by error code: 4 cannot be opened, 5 full or not writable, 6
 * another version, embedder or template.
 */
export const STORE_CODES: Readonly<Record<string, 4 | 5 | 6>> = {
  'no-store': 4,
  'not-a-store': 4,
  'store-damaged': 4,
  'store-unreadable': 4,
  'store-locked': 4,
  'store-full': 5,
  'store-not-writable': 5,
  'store-failed': 5,
  'other-store-version': 6,
  'other-embedder': 6,
  'other-template': 6,
  'other-cache-space': 6,
};

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS'];

/**
 * Returns a failure to write as a `PortError`, whatever errno the disk reports; passes other errors
 * on, which are bugs.
 */
export function writeFailure(folder: string, error: unknown): unknown {
  const code = errno(error);
  if (PortError.is(error) || InputError.is(error) || code === '') return error;
  const details = { cause: error, received: (error as Error).message };
  if (FULL.includes(code))
    return new PortError('store', 'store-full', `The disk of the store "${folder}" is full`, {
      ...details,
      retryable: true,
      hint: 'Earlier documents are safe.  Free some space and run the command again; it continues where it stopped.',
    });
  if (FORBIDDEN.includes(code))
    return new PortError('store', 'store-not-writable', `The store "${folder}" cannot be written`, {
      ...details,
      hint: 'Check the permissions of the folder and whether its disk is mounted read-only.',
    });
  return new PortError('store', 'store-failed', `Writing to the store "${folder}" failed`, {
    ...details,
    hint: `Earlier documents are safe.  Check the disk (${code}), then run the command again.`,
  });
}

/** Returns a failure to read a required file as a `PortError`; passes other errors on. */
export function readFailure(path: string, error: unknown): unknown {
  const code = errno(error);
  if (PortError.is(error) || InputError.is(error) || code === '') return error;
  if (code === 'ENOENT') return damaged(path, 'the file is missing', error);
  return new PortError('store', 'store-unreadable', `"${path}" cannot be read`, {
    cause: error,
    received: (error as Error).message,
    hint: `Check the disk (${code}) and the permissions of the file, then run the command again.`,
  });
}

/** Throws `PortError('store-damaged')` for a file of another size than the manifest says. */
export function checkSize(path: string, bytes: number, expected: number): void {
  if (bytes > expected) throw damaged(path, `it has more than ${expected} bytes`);
  if (bytes < expected) throw damaged(path, `it has ${bytes} bytes, not ${expected}`);
}

/** Returns the error for a file that differs from its written state. */
export function damaged(path: string, problem: string, cause?: unknown): PortError {
  return new PortError('store', 'store-damaged', `"${path}" is damaged: ${problem}`, {
    cause,
    hint: 'Restore the file from a copy, or ingest the documents into a new store.',
  });
}
