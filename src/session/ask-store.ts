/** Asks a question of an opened store: the composition of `multihop ask`. */

import { freeCall } from '../core/trace/call.ts';
import type { Manifest, Trace, TraceEvent } from '../core/trace/trace.ts';
import { embedder } from '../models/ports.ts';
import { lookupIn } from '../models/resources.ts';
import { pausesFor, takeTurns } from '../platform/clock.ts';
import { thisPackage } from '../platform/package-root.ts';
import { limitTime } from '../platform/time-limit.ts';
import { type AskOptions, DEFAULTS } from '../run/ask.ts';
import { linkedSignal } from '../run/linked-signal.ts';
import { checkQuestionText } from '../run/question-text.ts';
import type { Staleness } from '../search/derived-index.ts';
import { checkFilterValues } from '../search/filter-values.ts';
import type { Retriever } from '../search/retriever.ts';
import type { Snapshot } from '../search/snapshot.ts';
import type { Manifest as StoreManifest } from '../stores/disk/manifest.ts';
import type { Store } from '../stores/disk/store.ts';
import { strategies } from '../strategies/strategies.ts';
import type { Strategy } from '../strategies/strategy.ts';
import {
  givenOf,
  type OpenedResource,
  priceManifest,
  resourceManifest,
} from './opened-resources.ts';
import type { SearchedStore } from './searched-store.ts';
import { timedAsk } from './timed-ask.ts';

type Own = 'engine' | 'retriever' | 'resources' | 'manifest' | 'timeLimit' | 'turn';

export interface AskStoreOptions extends Omit<AskOptions, Own> {
  /** Resources beside those that were opened with the store. */
  readonly opened?: readonly OpenedResource[];
}

export interface AskedStore {
  readonly store: Store;
  /** The snapshot that the run reads: the caller disposes of it. */
  readonly engine: Snapshot;
  readonly events: AsyncGenerator<TraceEvent, Trace, void>;
}

/**
 * Checks the filter and loads indexes, within the time limit of the run if it has begun
 * (`startedAt`). Throws `InputError` for a filter on an unknown field.
 */
export async function askStore(
  searched: SearchedStore,
  question: string,
  options: AskStoreOptions,
): Promise<AskedStore> {
  const { store, retriever } = searched;
  const { opened = [], ...given } = options;
  const all = [...searched.resources, ...opened];
  checkQuestionText(question);
  const engine = await store.snapshot();
  // The manifest of this snapshot: another write may follow while indexes are loaded.
  const { manifest } = store;
  try {
    if (given.filter) await checkFilterValues(given.filter, engine, freeCall(given.signal));
    await loadIndexes(retriever.bind(engine, lookupIn(givenOf(all))), given);
  } catch (error) {
    await engine[Symbol.asyncDispose]();
    throw error;
  }
  const events = timedAsk(question, {
    ...given,
    engine,
    retriever,
    resources: givenOf(all),
    manifest: runManifest(manifest, all, engine.stale()),
  });
  return { store, engine, events };
}

/**
 * Searches for nothing, which loads or builds each index that the retriever and the strategy read.
 * Ends at an abort or at the time limit, which the run then names.
 */
async function loadIndexes(
  retriever: Retriever,
  { strategy, filter, signal, budget, startedAt }: AskStoreOptions,
): Promise<void> {
  const { units = [] } = typeof strategy === 'object' ? strategy : namedStrategy(strategy);
  const parts = (retriever.parts ?? [retriever]).filter(({ space }) => space === undefined);
  const searches = [
    [retriever, filter ? { filter } : {}],
    ...units.flatMap(unit => parts.map(part => [part, { unit }] as const)),
  ] as const;
  // Runs that came together begin in turns of their own.
  await takeTurns();
  const { limit, end } = limitTime(budget?.ms, startedAt);
  const { signal: both, unlink } = linkedSignal(signal, limit.timeLimit);
  const pause = pausesFor(both);
  try {
    for (const [searched, within] of searches) {
      await pause();
      await searched.retrieve([{ text: '' }], 0, { ...freeCall(both), pause }, within);
    }
  } catch (error) {
    if (!both.aborted) throw error;
  } finally {
    end();
    unlink();
  }
}

const namedStrategy = (name: string = DEFAULTS.strategy): Strategy => strategies.create(name);

/** Describes what the run read, and by which resources; holds no times and no paths. */
function runManifest(
  stored: StoreManifest,
  opened: readonly OpenedResource[],
  stale: readonly Staleness[],
): Manifest {
  const { documents, chunker, segments, spaces = [] } = stored;
  const recorded = spaces.map(({ name, id }) => ({
    port: embedder.name,
    resource: { id: name },
    identity: id,
  }));
  return {
    multihop: thisPackage().version,
    corpus: { documents, chunker, files: segments.map(({ sha256 }) => sha256) },
    ...resourceManifest([...recorded, ...opened]),
    ...priceManifest(opened),
    ...(stale.length > 0 ? { stale } : {}),
  };
}
