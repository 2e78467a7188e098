/** Keeps what snapshots of one state read of it. */
import type { AnalysisCache } from '../../../core/corpus/analysis-cache.ts';
import type { FieldValue } from '../../../search/engine.ts';

/** Reads that all snapshots of one state share. */
export interface StateReads {
  readonly analysis: AnalysisCache;
  fields?: Promise<string[]>;
  readonly values: Map<string, Promise<FieldValue[]>>;
}

/** Keeps a promise by key, unless it fails. */
export async function keptByKey<T>(
  known: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const before = known.get(key);
  if (before) return before.catch(make);
  const made = make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}
