/** Exit codes of finished runs. */
import type { Stopped } from '../../trace/trace.ts';

/** Returns 0 for an answer or an abstention, 3 for a partial result. */
export function exitCodeOfStop(stopped: Stopped | undefined): number {
  if (!stopped) return 0;
  if (stopped.by === 'limit') return 3;
  return stopped.by === 'abort' ? 130 : 1;
}
