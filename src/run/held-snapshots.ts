/** Releases the snapshots that a run opens, however the run ends. */
import type { Engine, EngineSnapshot, SearchEngine } from '../search/engine.ts';
import { asPortError, orAbort } from './metered-kit.ts';

export interface HeldSnapshots<E> {
  /** The engine, which remembers the snapshots that it opened. */
  readonly engine: E;
  /**
   * Disposes of them and waits until that is done or `signal` fires. A snapshot that fails to
   * release changes nothing about the run.
   */
  release(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Holds the snapshots opened of an engine; a snapshot passed as such remains the caller's. The wait
 * for a snapshot ends when the signal fires.
 */
export function holdSnapshots(
  engine: SearchEngine | Engine,
  signal: AbortSignal,
): HeldSnapshots<SearchEngine | Engine> {
  if (!('snapshot' in engine)) return { engine, release: async () => {} };
  const held: EngineSnapshot[] = [];
  return {
    engine: {
      put: (documents, call) => engine.put(documents, call),
      remove: (ids, call) => engine.remove(ids, call),
      async snapshot() {
        const snapshot = await openSnapshot(engine, signal);
        held.push(snapshot);
        return snapshot;
      },
    },
    release: own => orFired(own, disposeAll(held.splice(0))),
  };
}

/**
 * An abort ends the wait for a snapshot, and one before the call prevents it. A snapshot that comes
 * after the abort is released at once. What the engine throws becomes a `PortError`.
 */
async function openSnapshot(engine: Engine, signal: AbortSignal): Promise<EngineSnapshot> {
  signal.throwIfAborted();
  const opening = (async () => engine.snapshot())();
  try {
    return await orAbort(signal, opening);
  } catch (error) {
    opening.then(late => disposeAll([late])).catch(() => {});
    throw asPortError('engine', error, signal);
  }
}

async function disposeAll(snapshots: readonly EngineSnapshot[]): Promise<void> {
  await Promise.allSettled(snapshots.map(async snapshot => snapshot[Symbol.asyncDispose]()));
}

/** Waits for `work` or the signal: a disposal that hangs must not delay an abort. */
async function orFired(signal: AbortSignal | undefined, work: Promise<void>): Promise<void> {
  if (!signal) return work;
  let stop: (() => void) | undefined;
  const fired = new Promise<void>(resolve => {
    stop = resolve;
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    if (!signal.aborted) await Promise.race([work, fired]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}
