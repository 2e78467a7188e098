/** Names the user's own folders by the environment, and reads files that belong to the user. */
import { closeSync, fstatSync, lstatSync, readFileSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { openRegularNow } from '../platform/regular-file.ts';
import type { Environment } from './style.ts';

/** Bytes; settings take a few hundred. */
const MOST_BYTES = 1 << 20;

/** Returns the home folder. */
export const homeOf = (env: Environment): string =>
  (process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || homedir();

/** Returns the folder of settings of this program: XDG Base Directory, or `%APPDATA%`. */
export function settingsFolder(env: Environment): string {
  const set = env[process.platform === 'win32' ? 'APPDATA' : 'XDG_CONFIG_HOME'];
  const base = set && isAbsolute(set) ? set : join(homeOf(env), '.config');
  return join(base, 'multihop');
}

/**
 * Reads a file of settings whose content and link, if any, belong to the user; else
 * undefined. Throws for a file that is missing, too large or none.
 */
export function ownText(path: string): string | undefined {
  if (!isOwn(lstatSync(path))) return undefined;
  const { file, size } = openRegularNow(path);
  try {
    if (!isOwn(fstatSync(file))) return undefined;
    if (size > MOST_BYTES) throw new Error(`it has ${size} bytes, more than ${MOST_BYTES}`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Returns true where files have no owners: Windows. */
function isOwn({ uid }: Pick<Stats, 'uid'>): boolean {
  const user = process.geteuid?.();
  return user === undefined || user === uid;
}
