/** Names system errors. */
import { constants } from 'node:os';

const NAMES = new Map(
  Object.entries(constants.errno).map(([name, number]) => [number, name] as const),
);

/**
 * Returns the name of a system error, such as `EDQUOT`; the number in words for one that has no
 * name here; the empty string for any other error. libuv does not name every errno of the
 * platform: node then writes "Unknown system error -122" as the code.
 */
export function errno(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code, errno: number, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) return code;
  if (typeof number !== 'number' || typeof syscall !== 'string') return '';
  return NAMES.get(Math.abs(number)) ?? `errno ${Math.abs(number)}`;
}
