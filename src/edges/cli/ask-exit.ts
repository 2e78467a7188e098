/** What the end of a run means to a shell. */
import type { Stopped } from '../../trace/trace.ts';

/** An abstention is an answer; a limit makes the result partial. */
export function exitCodeOfStop(stopped: Stopped | undefined): number {
  if (!stopped) return 0;
  if (stopped.by === 'limit') return 3;
  return stopped.by === 'abort' ? 130 : 1;
}
