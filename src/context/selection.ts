/** Evidence of a run under way: priced by its context, and reserved in its budget as it is kept. */
import type { Call } from '../trace/call.ts';
import type { EvidenceItem } from '../trace/trace.ts';
import type { Context } from './context.ts';

export class Selection {
  private items: EvidenceItem[] = [];
  private readonly ids = new Set<string>();
  private readonly context: Context;
  private readonly call: Call;
  private total = 0;

  constructor(context: Context, call: Call) {
    this.context = context;
    this.call = call;
  }

  /** Everything kept so far, in order. */
  get all(): readonly EvidenceItem[] {
    return this.items;
  }

  /** Context tokens of everything kept so far. */
  get tokens(): number {
    return this.total;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** What this item would add to the context, in tokens. */
  price(item: EvidenceItem): Promise<number> {
    return this.context.cost(item, this.items);
  }

  /** Withdraws everything, for a choice that is made anew. */
  withdrawAll(): void {
    for (const { id } of this.items) this.call.withdraw(id);
    this.items = [];
    this.ids.clear();
    this.total = 0;
  }

  /**
   * Keeps the item if the run's budget allows it. `price` saves asking the context a second time.
   */
  async keep(item: EvidenceItem, price?: number): Promise<boolean> {
    const tokens = price ?? (await this.price(item));
    if (!this.call.keep(item, tokens)) return false;
    this.items.push(item);
    this.ids.add(item.id);
    this.total += tokens;
    return true;
  }
}
