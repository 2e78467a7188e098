/** Exit codes of finished runs. */
import type { Stopped } from '../core/trace/trace.ts';
import { STORE_CODES } from '../stores/disk/store-errors.ts';

/**
 * Returns 0 for an answer or an abstention, 3 for a partial result; of a store that failed in the
 * middle of a run the code that its error has anywhere else.
 */
export function exitCodeOfStop(stopped: Stopped | undefined): number {
  if (!stopped) return 0;
  if (stopped.by === 'limit') return 3;
  if (stopped.by === 'abort') return 130;
  return stopped.port === 'store' ? (STORE_CODES[stopped.code] ?? 1) : 1;
}
