/** Refuses a Node that is too old when the package is imported, before anything of it fails. */
import { InputError } from '../core/errors.ts';

/** The least version of `engines` in package.json. */
const NEEDED = '22.13';

type Versions = Readonly<Partial<Record<'node' | 'bun' | 'deno', string>>>;

/**
 * Throws `InputError('old-node')`. Bun and Deno, which name a Node that they resemble, are not
 * refused.
 */
export function checkNode({ node = NEEDED, bun, deno }: Versions = process.versions): void {
  if (bun !== undefined || deno !== undefined || !isOlder(node, NEEDED)) return;
  throw new InputError('old-node', 'This Node is too old for multihop', {
    expected: `Node ${NEEDED} or newer`,
    received: `Node ${node}`,
    hint: 'Install a newer one: https://nodejs.org/en/download',
  });
}

function isOlder(version: string, needed: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = needed.split('.').map(Number);
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}
