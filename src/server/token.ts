/** Makes the token of a server, and keeps it in a file that only its user reads. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError, PortError } from '../core/errors.ts';
import { errno } from '../platform/errno.ts';
import { nodeDisk } from '../stores/disk/disk.ts';
import { isAlive, isVisible, parseHolder, thisHolder } from '../stores/disk/lock-holder.ts';

const BYTES = 24;
/** Bytes of the file that names the server whose token stands in a folder. */
const MOST_HOLDER = 4096;
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

/**
 * Keeps the token of a server that listens in a folder, and returns its file: `server.token`, or
 * one named by the port while another server keeps its token there.
 */
export async function writeToken(folder: string, port: string, token: string): Promise<string> {
  const holder = join(folder, 'server.json');
  const bytes = await nodeDisk.read(holder, MOST_HOLDER).catch(() => new Uint8Array());
  const other = parseHolder(new TextDecoder().decode(bytes));
  // Process ids of another machine or container say nothing.
  const isTaken = other !== undefined && isVisible(other) && (await isAlive(other, async () => 0));
  const file = join(folder, isTaken ? `server-${port}.token` : 'server.token');
  try {
    await replacePrivate(file, token);
    if (!isTaken) await replacePrivate(holder, JSON.stringify(thisHolder()));
  } catch (error) {
    throw notWritable(file, error);
  }
  return file;
}

/**
 * Returns the token of a file, which gets a new one if it is missing: later servers have the same.
 * Throws `PortError`: `token-unreadable`, `token-not-writable`.
 */
export async function keptToken(path: string): Promise<string> {
  const token = newToken();
  try {
    await writePrivate(path, token);
    return token;
  } catch (error) {
    if (errno(error) === 'EEXIST') return readToken(path);
    throw notWritable(path, error);
  }
}

async function replacePrivate(path: string, text: string): Promise<void> {
  // A file of others may have another mode, which writing keeps.
  await rm(path, { force: true });
  await writePrivate(path, text);
}

async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${text}\n`, { mode: 0o600, flag: 'wx' });
  await chmod(path, 0o600);
}

const notWritable = (path: string, cause: unknown): PortError =>
  new PortError('server', 'token-not-writable', `The token cannot be written to "${path}"`, {
    received: (cause as Error).message,
    cause,
  });

/** Reads a token that a user keeps in a file. Throws `PortError('token-unreadable')`. */
async function readToken(path: string): Promise<string> {
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
