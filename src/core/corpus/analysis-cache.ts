/**
 * Caches values that are computed from stored texts and reused between questions: sentence spans,
 * stems, word counts. A snapshot owns one cache, so that keys are ids and the cache is dropped with
 * the snapshot.
 */

/** A kind of analysis; its constant is the first half of every key. */
export interface AnalysisKind<T> {
  readonly name: string;
  /** Estimates the memory of a value, in bytes. */
  bytes(value: T): number;
}

/** The bound of one snapshot's cache, in estimated bytes. */
export const ANALYSIS_BYTES: number = 128 * 2 ** 20;
/** Estimated bytes of an entry beside its value: key, map slot. */
const ENTRY_BYTES = 64;

type Entries = Map<AnalysisKind<unknown>, Map<string, unknown>>;

/**
 * Bounds its values by estimated bytes, in two halves. New and reused values enter the recent half;
 * when it is full, it becomes the older half, and the values of the previous older half are
 * dropped. A hit among recent values costs two map look-ups.
 */
export class AnalysisCache {
  private readonly half: number;
  private recent: Entries = new Map();
  private older: Entries = new Map();
  private recentBytes = 0;

  constructor(bytes: number = ANALYSIS_BYTES) {
    this.half = bytes / 2;
  }

  get<T>(kind: AnalysisKind<T>, key: string): T | undefined {
    const known = this.recent.get(kind as AnalysisKind<unknown>)?.get(key);
    if (known !== undefined) return known as T;
    const old = this.older.get(kind as AnalysisKind<unknown>)?.get(key) as T | undefined;
    if (old !== undefined) this.set(kind, key, old);
    return old;
  }

  /** Stores a value, unless it alone exceeds half of the bound. */
  set<T>(kind: AnalysisKind<T>, key: string, value: T): void {
    const bytes = ENTRY_BYTES + kind.bytes(value);
    if (bytes > this.half) return;
    if (this.recentBytes + bytes > this.half) this.turn();
    let values = this.recent.get(kind as AnalysisKind<unknown>);
    if (!values) this.recent.set(kind as AnalysisKind<unknown>, (values = new Map()));
    this.recentBytes += bytes;
    values.set(key, value);
  }

  /** Returns the value under the key, or computes and stores it. */
  of<T>(kind: AnalysisKind<T>, key: string, compute: () => T): T {
    const known = this.get(kind, key);
    if (known !== undefined) return known;
    const value = compute();
    this.set(kind, key, value);
    return value;
  }

  private turn(): void {
    this.older = this.recent;
    this.recent = new Map();
    this.recentBytes = 0;
  }
}

/** Returns the cache of an engine, or a new one if the engine has none. */
export const analysisOf = (engine: { readonly analysis?: AnalysisCache }): AnalysisCache =>
  engine.analysis ?? new AnalysisCache();
