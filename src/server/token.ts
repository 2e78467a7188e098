/** Makes the token of a server, and keeps it in a file that only its user reads. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InputError, PortError } from '../core/errors.ts';

const BYTES = 24;
/** Characters of the shortest token that a user may give. */
const LEAST_CHARACTERS = 16;

export const newToken = (): string => randomBytes(BYTES).toString('base64url');

/** Throws `InputError('bad-token')`, whose message does not hold the token. */
export function checkedToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token) && token.length >= LEAST_CHARACTERS) return token;
  throw new InputError('bad-token', 'The token of the server', {
    expected: `at least ${LEAST_CHARACTERS} printable characters without spaces`,
    received: `${token.length} characters`,
    hint: 'Make one: openssl rand -base64 24',
  });
}

/** Writes the token and a line end with the mode 0600, whatever the file was before. */
export async function writeToken(path: string, token: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    // A file of others may have another mode, which writing keeps.
    await rm(path, { force: true });
    await writeFile(path, `${token}\n`, { mode: 0o600, flag: 'wx' });
    await chmod(path, 0o600);
  } catch (error) {
    throw new PortError(
      'server',
      'token-not-writable',
      `The token cannot be written to "${path}"`,
      {
        received: (error as Error).message,
        cause: error,
      },
    );
  }
}

/** Reads a token that a user keeps in a file. Throws `PortError('token-unreadable')`. */
export async function readToken(path: string): Promise<string> {
  try {
    return checkedToken((await readFile(path, 'utf8')).trim());
  } catch (error) {
    if (InputError.is(error)) throw error;
    throw new PortError('server', 'token-unreadable', `The token file "${path}" cannot be read`, {
      received: (error as Error).message,
      cause: error,
    });
  }
}
