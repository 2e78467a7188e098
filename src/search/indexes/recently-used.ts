/** Bounds the total size of values that differ in size. */
export interface SizeBound<V> {
  /** Most bytes of all values; the newest one stays even if it alone has more. */
  readonly most: number;
  bytes(value: V): number;
}

/** Maps keys to at most `limit` values; evicts the least recently used entry. */
export class RecentlyUsed<V, K = string> {
  private readonly limit: number;
  private readonly bound: SizeBound<V> | undefined;
  private readonly entries = new Map<K, V>();
  private total = 0;
  private lastKey: K | undefined;
  private lastValue: V | undefined;

  constructor(limit: number, bound?: SizeBound<V>) {
    this.limit = limit;
    this.bound = bound;
  }

  get(key: K): V | undefined {
    if (key === this.lastKey) return this.lastValue;
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.delete(key);
    this.entries.set(key, value);
    this.total += this.bytesOf(value);
    this.lastKey = key;
    this.lastValue = value;
    while (this.entries.size > 1 && this.isOver()) this.delete(this.entries.keys().next().value!);
  }

  delete(key: K): void {
    const value = this.entries.get(key);
    if (value === undefined) return;
    this.entries.delete(key);
    this.total -= this.bytesOf(value);
    if (key === this.lastKey) this.lastKey = this.lastValue = undefined;
  }

  values(): IterableIterator<V> {
    return this.entries.values();
  }

  private bytesOf(value: V): number {
    return this.bound ? this.bound.bytes(value) : 0;
  }

  private isOver(): boolean {
    return this.entries.size > this.limit || this.total > (this.bound?.most ?? this.total);
  }
}
