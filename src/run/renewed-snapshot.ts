/**
 * Goes on where a server lost the state that a run reads: opens it once more, and repeats the call
 * that failed. Another state would make a run of two, which is a failure.
 */
import { PortError } from '../core/errors.ts';
import type { Call } from '../core/trace/call.ts';
import { type EngineSnapshot, type SearchEngine, wrapEngine } from '../search/engine.ts';
import type { Port, PortCall } from '../search/ports.ts';

export interface RenewedSnapshot {
  readonly engine: SearchEngine;
  /** Snapshots that the run opened. */
  readonly opened: () => number;
}

type Methods = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

const isLost = (error: unknown): boolean => PortError.is(error) && error.code === 'snapshot-lost';

/** `call` is charged for searches that are repeated. */
export function renewedSnapshot(
  first: SearchEngine,
  open: () => Promise<EngineSnapshot>,
  call: Call,
): RenewedSnapshot {
  const { state } = first as Partial<EngineSnapshot>;
  // A snapshot without a name of its state holds nothing that a server could lose.
  if (state === undefined) return { engine: first, opened: () => 1 };
  let count = 1;
  let second: Promise<EngineSnapshot> | undefined;
  const again = async (error: unknown): Promise<EngineSnapshot> => {
    second ??= open().finally(() => count++);
    const opened = await second;
    if (opened.state !== state) throw error;
    return opened;
  };
  const around = async ({ port, method, args, next }: PortCall): Promise<unknown> => {
    if (second) return callOn(await second, port, method, args);
    try {
      return await next();
    } catch (error) {
      if (!isLost(error)) throw error;
      const opened = await again(error);
      const retrievals = method === 'search' ? queriesIn(args[0]) : 0;
      if (retrievals > 0) call.begin('engine', 'search again', { retrievals })({ retrievals });
      return callOn(opened, port, method, args);
    }
  };
  return { engine: wrapEngine(first, around), opened: () => count };
}

const queriesIn = (request: unknown): number =>
  (request as { readonly queries: readonly unknown[] }).queries.length;

function callOn(
  engine: EngineSnapshot,
  port: string,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  const served = engine.port({ name: port } as Port<object>) as Methods | undefined;
  const methods = served ?? (engine as unknown as Methods);
  return methods[method]!(...args);
}
