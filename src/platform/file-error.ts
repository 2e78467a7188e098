/** Words failures to read a file that a caller names. */
import { InputError, PortError } from '../core/errors.ts';

const CALLERS_FAULT: Readonly<Record<string, readonly [code: string, says: string]>> = {
  ENOENT: ['missing-file', 'There is no file or folder'],
  ENOTDIR: ['missing-file', 'There is no file or folder'],
  EACCES: ['unreadable-file', 'No permission to read'],
  EPERM: ['unreadable-file', 'No permission to read'],
  EISDIR: ['unreadable-file', 'This is a folder, not a file:'],
  ELOOP: ['unreadable-file', 'The links go round in a circle at'],
  ENAMETOOLONG: ['unreadable-file', 'This name is too long for a file:'],
  ERR_INVALID_ARG_VALUE: ['unreadable-file', 'This is no name of a file:'],
};

/**
 * A failed read as `InputError` where the caller named the wrong thing, else as `PortError` of the
 * port "disk"; other errors come back as they are.
 */
export function fileError(path: string, error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string' || InputError.is(error) || PortError.is(error)) return error;
  const fault = CALLERS_FAULT[code];
  if (fault)
    return new InputError(fault[0], `${fault[1]} ${JSON.stringify(path)}`, { cause: error });
  if (!/^E[A-Z0-9]+$/.test(code)) return error;
  return new PortError('disk', code, `Reading ${JSON.stringify(path)} failed`, { cause: error });
}
