/** The errors of a store, by what a user can do about them. */
import { InputError, PortError } from '../../errors.ts';

/**
 * The errors' codes: 4 cannot be opened, 5 full or not writable, 6 another version, embedder or
 * template (the command line's exit codes).
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
};

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG'];
const FORBIDDEN = ['EACCES', 'EPERM', 'EROFS'];

/** Node's code of a file system error, or the empty string. */
export function errno(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : '';
}

/** A failure to write as a `PortError`; what is no file system error is a bug and passes. */
export function writeFailure(folder: string, error: unknown): unknown {
  const code = errno(error);
  if (PortError.is(error) || InputError.is(error) || code === '') return error;
  const details = { cause: error, received: (error as Error).message };
  if (FULL.includes(code))
    return new PortError('store', 'store-full', `The disk of the store "${folder}" is full`, {
      ...details,
      retryable: true,
      hint: 'What was stored before is safe. Free some space and run the command again; it goes on where it stopped.',
    });
  if (FORBIDDEN.includes(code))
    return new PortError('store', 'store-not-writable', `The store "${folder}" cannot be written`, {
      ...details,
      hint: 'Check the permissions of the folder and whether its disk is mounted read-only.',
    });
  return new PortError('store', 'store-failed', `Writing to the store "${folder}" failed`, {
    ...details,
    hint: 'What was stored before is safe. Check the disk, then run the command again.',
  });
}

/** A failure to read a file that must be there. */
export function readFailure(path: string, error: unknown): unknown {
  const code = errno(error);
  if (PortError.is(error) || InputError.is(error) || code === '') return error;
  if (code === 'ENOENT') return damaged(path, 'the file is missing', error);
  return new PortError('store', 'store-unreadable', `"${path}" cannot be read`, {
    cause: error,
    received: (error as Error).message,
  });
}

/** Something is not as it was written. */
export function damaged(path: string, problem: string, cause?: unknown): PortError {
  return new PortError('store', 'store-damaged', `"${path}" is damaged: ${problem}`, {
    ...(cause === undefined ? {} : { cause }),
    hint: 'Restore the file from a copy, or ingest the documents into a new store.',
  });
}
