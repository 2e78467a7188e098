/** Names the user's own folders by the environment, and tells whose a file is. */
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './style.ts';

/** Returns the home folder. */
export const homeOf = (env: Environment): string =>
  (process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || homedir();

/** Returns the folder of settings of this program: XDG Base Directory, or `%APPDATA%`. */
export function settingsFolder(env: Environment): string {
  const set = env[process.platform === 'win32' ? 'APPDATA' : 'XDG_CONFIG_HOME'];
  const base = set && isAbsolute(set) ? set : join(homeOf(env), '.config');
  return join(base, 'multihop');
}

/** Returns true where files have no owners: Windows. */
export function isOwn({ uid }: Pick<Stats, 'uid'>): boolean {
  const user = process.geteuid?.();
  return user === undefined || user === uid;
}
