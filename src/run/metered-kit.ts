/** Meters engine and retriever of a kit: guards calls, types failures and records searches. */
import { type AnalysisCache, analysisOf } from '../core/corpus/analysis-cache.ts';
import type { Document, Passage } from '../core/corpus/document.ts';
import type { Filter } from '../core/corpus/filter.ts';
import { defined } from '../core/defined.ts';
import { InputError, PortError } from '../core/errors.ts';
import type { Unit } from '../core/ranking/ranking.ts';
import { BudgetReached, type Call } from '../core/trace/call.ts';
import type { Ledger } from '../core/trace/ledger.ts';
import type { CutReply, EvidenceItem, ModelOutput, Search } from '../core/trace/trace.ts';
import type { Usage } from '../core/trace/usage.ts';
import { type SearchEngine, wrapEngine } from '../search/engine.ts';
import type { PortCall } from '../search/ports.ts';
import { bothFilters, type Retriever, type StrategyQuery, searchOf } from '../search/retriever.ts';
import type { Pause } from './pauses.ts';

/**
 * Records the current hop's progress, so that `ask` can close the hop if the run is interrupted.
 */
export class HopProgress {
  searches: Search[] = [];
  kept: EvidenceItem[] = [];
  withdrawn: string[] = [];
  outputs: ModelOutput[] = [];
  /** Replies that were cut, of all hops and of the reading after them. */
  readonly cut: CutReply[] = [];

  /** True if the hop has begun anything that a trace shows. */
  get any(): boolean {
    return [this.searches, this.kept, this.withdrawn, this.outputs].some(
      ({ length }) => length > 0,
    );
  }

  /** Returns what the ports of the hop went without, each once: strategies do not see it. */
  notes(): ModelOutput[] {
    return [...new Set(this.outputs.filter(({ role }) => role === 'degraded'))];
  }

  clear(): void {
    this.searches = [];
    this.kept = [];
    this.withdrawn = [];
    this.outputs = [];
  }
}

/** Returns the call of a strategy: the ledger, and a record of the evidence kept. */
export function meteredCall(ledger: Ledger, progress: HopProgress): Call {
  return {
    signal: ledger.signal,
    left: () => ledger.left(),
    begin: (port, role, atMost) => ledger.begin(port, role, atMost),
    keep(item, tokens) {
      const kept = ledger.keep(item, tokens);
      if (kept) progress.kept.push(item);
      return kept;
    },
    withdraw(id) {
      ledger.withdraw(id);
      progress.withdrawn.push(id);
    },
    refuse: limit => ledger.refuse(limit),
  };
}

/** Calls a port. An abort ends the call; unknown errors become a `PortError`. */
export async function guarded<T>(
  signal: AbortSignal,
  port: string,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  try {
    return await orAbort(signal, work());
  } catch (error) {
    throw asPortError(port, error, signal);
  }
}

/** Reserves, calls and settles. A failed call is charged in full. */
export async function metered<T>(
  call: Call,
  port: string,
  role: string,
  atMost: Usage,
  work: () => Promise<T>,
): Promise<T> {
  const settle = call.begin(port, role, atMost);
  try {
    return await guarded(call.signal, port, work);
  } finally {
    settle(atMost);
  }
}

/** Ends a call at an abort, also an earlier one, even if the port ignores its signal. */
export async function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) work.catch(() => {});
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop!);
  }
}

/** Returns the reason of an abort, or the failure of a port; other typed errors as they are. */
export function asPortError(port: string, error: unknown, signal: AbortSignal): unknown {
  // Ports throw errors of their own when the signal fires: the abort is the cause.
  if (signal.aborted) return signal.reason;
  if (error instanceof BudgetReached || InputError.is(error) || PortError.is(error)) return error;
  return new PortError(
    port,
    'failed',
    `The ${port} failed: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
}

export interface EngineGuard {
  readonly signal: AbortSignal;
  /** Applied before every call. */
  readonly pause?: Pause;
  /** Documents that the run may find; the retriever of the kit has it by itself. */
  readonly filter?: Filter | undefined;
}

/** Pauses before each call of the engine: for members whose many calls count as one. */
export function pausedEngine(
  engine: SearchEngine,
  { signal, pause }: Pick<EngineGuard, 'signal' | 'pause'>,
): SearchEngine {
  return wrapEngine(engine, async ({ next }) => {
    if (pause?.due()) await pause.turn();
    signal.throwIfAborted();
    pause?.check();
    return next();
  });
}

/**
 * Guards every port of the engine, reserves calls whose port has a cost, and stores documents in
 * `known`, so that evidence can be shown even if the engine fails or the run is aborted.
 */
export function meteredEngine(
  engine: SearchEngine,
  { signal, pause, filter }: EngineGuard,
  known: Map<string, Document>,
  analysis: AnalysisCache = analysisOf(engine),
): SearchEngine {
  const around = ({ definition, method, args, call, next }: PortCall): Promise<unknown> => {
    const narrowed = filter && definition.within ? definition.within(filter, [...args]) : args;
    return definition.usage
      ? metered(call, 'engine', method, definition.usage(...narrowed), () => next(narrowed))
      : guarded(signal, 'engine', () => next(narrowed));
  };
  const paused = async (portCall: PortCall): Promise<unknown> => {
    if (pause?.due()) await pause.turn();
    pause?.check();
    return around(portCall);
  };
  const guardedEngine = wrapEngine(engine, paused);
  const read = async (
    unit: Unit,
    ids: readonly string[],
    call: Call,
  ): Promise<(Document | Passage)[]> => {
    if (unit !== 'document') return guardedEngine.read(unit, ids, call);
    if (!ids.every(id => known.has(id)))
      for (const document of await guardedEngine.read('document', ids, call))
        known.set(document.id, document);
    return ids.map(id => known.get(id)!);
  };
  return { ...guardedEngine, analysis, read: read as SearchEngine['read'] };
}

/** Reserves one retrieval for each query, applies the filter of the run and records searches. */
export function meteredRetriever(
  retriever: Retriever,
  runCall: Call,
  progress: HopProgress,
  runFilter: Filter | undefined,
): Retriever {
  return defined<Retriever>({
    name: retriever.name,
    unit: retriever.unit,
    space: retriever.space,
    parts: retriever.parts
      ? retriever.parts.map(part => meteredRetriever(part, runCall, progress, runFilter))
      : undefined,
    async retrieve(queries, k, _call, within) {
      const filter = bothFilters(runFilter, within?.filter);
      const scope = { unit: within?.unit ?? retriever.unit, filter };
      const rankings = await metered(
        runCall,
        'retriever',
        'search',
        { retrievals: queries.length },
        () => retriever.retrieve(queries, k, runCall, scope),
      );
      const place = { retriever: retriever.name, unit: scope.unit, within: within?.filter };
      for (const [index, hits] of rankings.entries())
        progress.searches.push(searchOf(queries[index] as StrategyQuery, hits, place));
      return rankings;
    },
  });
}
