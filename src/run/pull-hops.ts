/**
 * Pulls hops from a strategy until it ends, a limit is reached, a port fails, or the user aborts.
 *
 * A run that is interrupted inside a hop keeps the finished searches and the evidence that the hop
 * added. If the hop has withdrawn evidence, evidence and ledger return to the last complete hop.
 */

import type { CorpusKind } from '../core/corpus/corpus-kind.ts';
import { defined } from '../core/defined.ts';
import { PortError } from '../core/errors.ts';
import { BudgetReached } from '../core/trace/call.ts';
import type { Ledger } from '../core/trace/ledger.ts';
import type { End, Hop, Stopped } from '../core/trace/trace.ts';
import { type LimitName, subtractUsage, type Usage } from '../core/trace/usage.ts';
import type { OpenHop } from '../strategies/strategy.ts';
import type { HopProgress } from './metered-kit.ts';

export interface Pulled {
  /** The kind that the strategy decided on. */
  readonly corpusKind?: CorpusKind;
  readonly end?: End;
  readonly stopped?: Stopped;
}

/** Yields each hop with its cost; returns what stopped the run. Throws only for bugs. */
export async function* pullHops(
  hops: AsyncGenerator<OpenHop, End, void>,
  ledger: Ledger,
  progress: HopProgress,
): AsyncGenerator<Hop, Pulled, void> {
  let before: Usage = ledger.spent;
  let rollBack = ledger.checkpoint();
  let corpusKind: CorpusKind | undefined;
  try {
    for (;;) {
      // Beyond the limit a strategy may end by itself, but begin nothing.
      const over = ledger.over();
      if (over) ledger.close(over);
      progress.clear();
      before = ledger.spent;
      rollBack = ledger.checkpoint();
      const step = await hops.next();
      if (step.done)
        return defined({
          corpusKind,
          end: step.value,
          stopped: ledger.refused ? { by: 'limit', limit: ledger.refused } : undefined,
        });
      // A hop without calls meets no refusal in the ledger and is refused here.
      if (over) return defined({ corpusKind, stopped: { by: 'limit', limit: over } });
      if (!progress.any) ledger.signal.throwIfAborted();
      ledger.hop();
      const { corpusKind: kind = corpusKind, ...hop } = step.value;
      corpusKind = kind;
      const outputs = [...(hop.outputs ?? []), ...progress.notes()];
      const spent = subtractUsage(ledger.spent, before);
      yield outputs.length > 0 ? { ...hop, outputs, spent } : { ...hop, spent };
    }
  } catch (error) {
    const stopped = stoppedBy(error, ledger.signal);
    if (stopped === undefined) throw error;
    // Evidence kept after a withdrawal is an incomplete choice: the last complete one counts.
    const complete = progress.withdrawn.length === 0;
    if (!complete) rollBack();
    if (progress.any) {
      // The interrupted hop counts, unless the limit on hops ended it.
      if (!(stopped.by === 'limit' && stopped.limit === 'hops')) ledger.hop();
      yield defined({
        searches: progress.searches,
        kept: complete ? progress.kept : [],
        rejected: [],
        outputs: progress.outputs.length > 0 ? progress.outputs : undefined,
        spent: subtractUsage(ledger.spent, before),
        incomplete: incompleteBy(stopped),
      });
    }
    return defined({ corpusKind, stopped });
  } finally {
    // Releases resources of the strategy; a failure to close does not change the run.
    await hops.return(undefined as never).catch(() => {});
    ledger.reopen();
  }
}

function incompleteBy(stopped: Stopped): LimitName | 'failure' | 'abort' {
  return stopped.by === 'limit' ? stopped.limit : stopped.by;
}

/**
 * Returns how an error ended the run; undefined for a bug, which must surface. `signals`: those of
 * the failing call.
 */
export function stoppedBy(error: unknown, ...signals: readonly AbortSignal[]): Stopped | undefined {
  if (error instanceof BudgetReached) return { by: 'limit', limit: error.limit };
  if (signals.some(signal => signal.aborted && error === signal.reason)) {
    return error instanceof DOMException && error.name === 'TimeoutError'
      ? { by: 'limit', limit: 'ms' }
      : { by: 'abort' };
  }
  return PortError.is(error) ? failureOf(error) : undefined;
}

function failureOf({ port, code, message, hint, remedy }: PortError): Stopped {
  const advice = hint !== undefined && remedy ? { hint, remedy } : {};
  return { by: 'failure', port, code, message, ...advice };
}
