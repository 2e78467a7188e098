/** Opens one run over a place: the snapshot that it reads, and its events. */

import { freeCall } from '../core/trace/call.ts';
import { linkedSignal } from '../core/trace/linked-signal.ts';
import type { Manifest, Trace, TraceEvent } from '../core/trace/trace.ts';
import type { ModelSpending } from '../models/metered-model.ts';
import { embedder } from '../models/ports.ts';
import { lookupIn } from '../models/resources.ts';
import { pausesFor, takeTurns } from '../platform/clock.ts';
import { thisPackage } from '../platform/package-root.ts';
import { TimeLimit } from '../platform/time-limit.ts';
import type { AskOptions } from '../run/ask.ts';
import { type Engine, engineWith } from '../search/engine.ts';
import { checkFilterValues } from '../search/filters/filter-values.ts';
import type { Place, PlaceSnapshot } from '../search/place.ts';
import type { Retriever } from '../search/retriever.ts';
import type { Strategy } from '../strategies/strategy.ts';
import {
  priceManifest,
  resourceManifest,
  resourcesByPort,
  type Searched,
} from './opened-resources.ts';
import { reportedAsk } from './otel/reported-ask.ts';

export interface AskedRun extends AsyncDisposable {
  /** The state that the run reads; disposed of with the run, opened again if it is lost. */
  readonly snapshot: PlaceSnapshot;
  readonly events: AsyncGenerator<TraceEvent, Trace, void>;
  /** Tokens of the language model of this run; updated in place. */
  readonly modelSpent?: ModelSpending | undefined;
}

export interface RunOptions
  extends Omit<AskOptions, 'engine' | 'retriever' | 'resources' | 'model' | 'manifest' | 'signal'> {
  readonly strategy: Strategy;
  /** The time on `monotonicClock` from which `budget.ms` counts; now if undefined. */
  readonly startedAt?: number | undefined;
  readonly modelSpent?: ModelSpending | undefined;
  /** Each of them ends the run. */
  readonly signals: readonly (AbortSignal | undefined)[];
}

/**
 * Checks the filter and loads indexes, within the time limit of the run. Throws `InputError` for a
 * filter on an unknown field.
 */
export async function openRun(
  { place, state, retriever, resources }: Searched,
  question: string,
  { startedAt, signals, modelSpent, ...options }: RunOptions,
): Promise<AskedRun> {
  const opened = [await place.snapshot()];
  const [{ engine, corpus }] = opened as [PlaceSnapshot];
  const { filter, budget } = options;
  const { signal, unlink } = linkedSignal(...signals);
  const time = new TimeLimit(budget?.ms, { startedAt, signals: [signal] });
  const close = async (): Promise<void> => {
    time[Symbol.dispose]();
    unlink();
    await Promise.all(opened.map(snapshot => snapshot[Symbol.asyncDispose]()));
  };
  try {
    if (filter) await checkFilterValues(filter, engine, freeCall(signal));
    if (place.buildsIndexes)
      await loadIndexes(
        retriever.bind(engine, lookupIn(resourcesByPort(resources))),
        options,
        time,
      );
  } catch (error) {
    await close();
    throw error;
  }
  const recorded = state.spaces.map(({ name, id }) => ({
    port: embedder.name,
    resource: { id: name },
    identity: id,
  }));
  const manifest: Manifest = {
    multihop: thisPackage().version,
    corpus,
    ...resourceManifest([...recorded, ...resources]),
    ...priceManifest(resources),
  };
  const asked = {
    ...options,
    signal,
    engine: engine.state === undefined ? engine : renewable(place, opened),
    retriever,
    resources: resourcesByPort(resources),
    manifest,
  };
  return {
    get snapshot() {
      return opened.findLast(later => later.engine.state === engine.state)!;
    },
    events: reportedAsk(question, asked, time),
    modelSpent,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Returns an engine whose first snapshot is the one that is open, and whose next ones, which a run
 * opens if a server lost the first, are added to it. What it opens stays open behind the run.
 */
function renewable(place: Place, opened: PlaceSnapshot[]): Engine {
  let next = 0;
  return {
    put: (documents, call) => place.put(documents, call),
    remove: (ids, call) => place.remove(ids, call),
    async snapshot() {
      if (next === opened.length) opened.push(await place.snapshot());
      const { engine } = opened[next++]!;
      const { state } = engine;
      return { ...engineWith(engine, {}), state, [Symbol.asyncDispose]: async () => {} };
    },
  };
}

/**
 * Searches for nothing, which loads or builds each index that the retriever and the strategy read.
 * Ends at an abort or at the time limit, which the run then names.
 */
async function loadIndexes(
  retriever: Retriever,
  { strategy: { units = [] }, filter }: Pick<RunOptions, 'strategy' | 'filter'>,
  { signal }: TimeLimit,
): Promise<void> {
  const parts = (retriever.parts ?? [retriever]).filter(({ space }) => space === undefined);
  const searches = [
    [retriever, { filter }],
    ...units.flatMap(unit => parts.map(part => [part, { unit }] as const)),
  ] as const;
  // Runs that came together begin in turns of their own.
  await takeTurns();
  const pause = pausesFor(signal);
  try {
    for (const [searched, within] of searches) {
      await pause();
      await searched.retrieve([{ text: '' }], 0, { ...freeCall(signal), pause }, within);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
