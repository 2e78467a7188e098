/** Maps keys to at most `limit` values; evicts the least recently used entry. */
export class RecentlyUsed<V> {
  private readonly limit: number;
  private readonly entries = new Map<string, V>();
  private lastKey: string | undefined;
  private lastValue: V | undefined;

  constructor(limit: number) {
    this.limit = limit;
  }

  get(key: string): V | undefined {
    if (key === this.lastKey) return this.lastValue;
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    this.lastKey = key;
    this.lastValue = value;
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value!);
  }

  values(): IterableIterator<V> {
    return this.entries.values();
  }
}
