/**
 * Pulls hops from a strategy until it ends, a limit is reached, a port fails, or the user aborts.
 *
 * A run that is cut inside a hop keeps the searches that had finished and what the hop had added to
 * the evidence, unless the hop has withdrawn something: then evidence and ledger are again what the
 * last complete hop left.
 */
import { PortError } from '../errors.ts';
import type { OpenHop } from '../strategies/strategy.ts';
import { BudgetReached } from '../trace/call.ts';
import type { Ledger } from '../trace/ledger.ts';
import type { End, Hop, Stopped } from '../trace/trace.ts';
import { type LimitName, subtractUsage, type Usage } from '../trace/usage.ts';
import type { HopProgress } from './metered-kit.ts';

export interface Pulled {
  readonly end?: End;
  readonly stopped?: Stopped;
}

/** Yields each hop with its cost; returns what stopped the run. Throws for a bug alone. */
export async function* pullHops(
  hops: AsyncGenerator<OpenHop, End, void>,
  ledger: Ledger,
  notes: HopProgress,
): AsyncGenerator<Hop, Pulled, void> {
  let before: Usage = ledger.spent;
  let rollBack = ledger.checkpoint();
  try {
    for (;;) {
      // Beyond its last hop a strategy may still end by itself, but it may not begin anything.
      const over = ledger.over();
      if (over) ledger.close(over);
      notes.clear();
      before = ledger.spent;
      rollBack = ledger.checkpoint();
      const step = await hops.next();
      if (step.done)
        return {
          end: step.value,
          ...(ledger.refused ? { stopped: { by: 'limit', limit: ledger.refused } } : {}),
        };
      // A hop that began nothing met no refusal: it is refused here, or a strategy that only talks
      // would never be stopped.
      if (over) return { stopped: { by: 'limit', limit: over } };
      if (!notes.any) ledger.signal.throwIfAborted();
      ledger.hop();
      yield { ...step.value, spent: subtractUsage(ledger.spent, before) };
    }
  } catch (error) {
    const stopped = stoppedBy(error, ledger.signal);
    if (stopped === undefined) throw error;
    // What was kept beside a withdrawal is half of a choice: the last whole one counts.
    const chosen = notes.withdrawn.length === 0;
    if (!chosen) rollBack();
    if (notes.any) {
      // A round was begun: it counts, unless the limit on rounds is what ended it.
      if (!(stopped.by === 'limit' && stopped.limit === 'hops')) ledger.hop();
      yield {
        searches: notes.searches,
        kept: chosen ? notes.kept : [],
        rejected: [],
        ...(notes.outputs.length > 0 ? { outputs: notes.outputs } : {}),
        spent: subtractUsage(ledger.spent, before),
        incomplete: incompleteBy(stopped),
      };
    }
    return { stopped };
  } finally {
    // The generator may hold resources of a strategy; a strategy that fails while it is being
    // closed changes nothing about the run.
    await hops.return(undefined as never).catch(() => {});
    ledger.reopen();
  }
}

function incompleteBy(stopped: Stopped): LimitName | 'failure' | 'abort' {
  return stopped.by === 'limit' ? stopped.limit : stopped.by;
}

/**
 * What an error says about the end of a run; undefined for a bug, which must surface. `signals`:
 * those that the failing call may have heeded.
 */
export function stoppedBy(error: unknown, ...signals: readonly AbortSignal[]): Stopped | undefined {
  if (error instanceof BudgetReached) return { by: 'limit', limit: error.limit };
  if (signals.some(signal => signal.aborted && error === signal.reason)) {
    return error instanceof DOMException && error.name === 'TimeoutError'
      ? { by: 'limit', limit: 'ms' }
      : { by: 'abort' };
  }
  if (PortError.is(error))
    return { by: 'failure', port: error.port, code: error.code, message: error.message };
  return undefined;
}
