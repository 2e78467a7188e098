/** Meters the resources of a run: every call reserved, guarded, validated, settled and recorded. */

import { defined } from '../core/defined.ts';
import type { Metering } from '../core/port.ts';
import { BudgetReached, type Call } from '../core/trace/call.ts';
import type { Usage } from '../core/trace/usage.ts';
import { guarded, type HopProgress } from './metered-kit.ts';

export interface MeteredPhase {
  readonly call: Call;
  readonly progress: HopProgress;
  /**
   * The signal of the caller alone, set after the hops: `call.signal` also fires with the run's
   * time, and a resource that runs into it meets the limit `ms`.
   */
  readonly caller?: AbortSignal;
  readonly onText?: ((piece: string) => void) | undefined;
}

/** Returns the metering of one port in one phase of a run, the hops or the reading after them. */
export function meteringOf(port: string, phase: MeteredPhase): Metering {
  const { call, progress, caller, onText } = phase;
  return defined({
    signal: call.signal,
    async call(metered, work) {
      try {
        return await meteredCall(port, call, metered, work);
      } catch (error) {
        if (caller && call.signal.aborted && !caller.aborted && error === call.signal.reason)
          throw new BudgetReached('ms');
        throw error;
      }
    },
    output(output) {
      progress.outputs.push(output);
      if (output.cut) progress.cut.push({ role: output.role, ...output.cut });
    },
    onText: onText || undefined,
  });
}

async function meteredCall<R>(
  name: string,
  call: Call,
  metered: Parameters<Metering['call']>[0],
  work: (call: Call) => Promise<R>,
): Promise<R> {
  const { port = name, role, atMost, used, check } = metered;
  const settle = atMost && call.begin(port, role, atMost);
  let spent: Usage = atMost ?? {};
  try {
    const result = await guarded(call.signal, port, async () => check(await work(call)) as R);
    if (used) spent = used(result);
    return result;
  } catch (error) {
    // A budget around the resource refused the call, so it was not made.
    if (error instanceof BudgetReached) spent = {};
    throw error;
  } finally {
    settle?.(spent);
  }
}
