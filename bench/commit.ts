/** Names the commit of this checkout, by git. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns the output of a git command; empty where it fails, as without git. */
export const git = (...words: readonly string[]): string => {
  try {
    return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
};

/** Returns the commit, with `+` after it if files differ from it; empty without git. */
export const commitNow = (): string =>
  `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
