/**
 * Collects the evidence of a strategy: prices each item by the context and reserves it in the
 * budget.
 */
import type { Call } from '../trace/call.ts';
import type { EvidenceItem } from '../trace/trace.ts';
import type { Context } from './context.ts';

/**
 * Collects the evidence of a strategy and reserves its tokens in the budget.
 *
 * @example
 * ```ts
 * import type { Strategy } from 'multihop';
 * import { keptFrom, Selection, searchAll } from 'multihop/strategies';
 *
 * const hops: Strategy['hops'] = async function* ({ text }, kit, call) {
 *   const searches = await searchAll(kit.retriever, [{ text }], 30, call);
 *   const selection = new Selection(kit.context, call);
 *   for (const hit of searches[0]!.hits)
 *     if (!(await selection.keep(keptFrom(searches[0]!, { hop: 0, search: 0 }, hit)))) break;
 *   yield { searches, kept: [...selection.all], rejected: [] };
 *   return { why: 'completed' };
 * };
 * console.log(typeof hops);
 * ```
 */
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

  /** All evidence so far, in order. */
  get all(): readonly EvidenceItem[] {
    return this.items;
  }

  /** Context tokens of all evidence so far. */
  get tokens(): number {
    return this.total;
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Returns the number of tokens that the item would add to the context. */
  price(item: EvidenceItem): Promise<number> {
    return this.context.cost(item, this.items);
  }

  /** Drops all evidence and frees its tokens in the budget. */
  withdrawAll(): void {
    for (const { id } of this.items) this.call.withdraw(id);
    this.items = [];
    this.ids.clear();
    this.total = 0;
  }

  /**
   * Keeps the item if the budget allows it; returns false otherwise. `price` avoids pricing it
   * again.
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
