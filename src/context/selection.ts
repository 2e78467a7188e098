/**
 * Collects the evidence of a strategy: prices each item by the context and reserves it in the
 * budget, each text once.
 */
import type { Call } from '../core/trace/call.ts';
import type { EvidenceItem, Rejection } from '../core/trace/trace.ts';
import type { Context } from './context.ts';

/** Reason of an item that was not kept. */
export type Refusal = Pick<Rejection, 'why' | 'detail'>;

/** Items whose texts differ, and those among them that have the text of an earlier one. */
export interface DistinctItems<T> {
  readonly items: readonly T[];
  readonly duplicates: readonly Rejection[];
}

/**
 * Collects the evidence of a strategy and reserves its tokens in the budget. Refuses an item whose
 * text is that of an item that was kept, other white space aside.
 *
 * @example
 * ```ts
 * import type { Strategy } from 'multihop';
 * import { keptFrom, Selection, searchAll } from 'multihop/strategies';
 *
 * const hops: Strategy['hops'] = async function* ({ text }, kit, call) {
 *   const searches = await searchAll(kit.retriever, [{ text }], 30, call);
 *   const selection = new Selection(kit.context, call);
 *   const search = { hop: 0, search: 0 };
 *   const rejected = [];
 *   for (const hit of searches[0]!.hits)
 *     if (!(await selection.keep(keptFrom(searches[0]!, search, hit))))
 *       rejected.push({ id: hit.id, search, ...selection.refusal });
 *   yield { searches, kept: [...selection.all], rejected };
 *   return { why: 'completed' };
 * };
 * console.log(typeof hops);
 * ```
 */
export class Selection {
  private items: EvidenceItem[] = [];
  private readonly ids = new Set<string>();
  /** Ids of the evidence by its texts. */
  private readonly texts = new Map<string, string>();
  private refused: Refusal = { why: 'budget' };
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

  /** Reason of the last item that was not kept. */
  get refusal(): Refusal {
    return this.refused;
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
    this.texts.clear();
    this.total = 0;
  }

  /**
   * Returns the first items whose texts differ, at most `most`, and the duplicates before the last
   * of them, whatever is kept.
   */
  async distinct<T>(
    candidates: readonly T[],
    most: number,
    itemOf: (candidate: T) => EvidenceItem,
  ): Promise<DistinctItems<T>> {
    const items: T[] = [];
    const duplicates: Rejection[] = [];
    const seen = new Map<string, string>();
    for (const candidate of candidates) {
      if (items.length === most) break;
      const item = itemOf(candidate);
      const text = await this.textOf(item);
      const same = seen.get(text);
      if (same !== undefined && text !== '')
        duplicates.push({ id: item.id, search: item.search, ...duplicateOf(same) });
      else {
        seen.set(text, item.id);
        items.push(candidate);
      }
    }
    return { items, duplicates };
  }

  /**
   * Keeps the item if its text is new and the budget allows it; returns false otherwise, for the
   * reason in `refusal`. `price` avoids pricing it again; texts are compared within one `group`.
   */
  async keep(item: EvidenceItem, price?: number, group = ''): Promise<boolean> {
    const text = await this.textOf(item, group);
    const duplicate = this.duplicateOfText(text);
    if (duplicate) {
      this.refused = duplicate;
      return false;
    }
    const tokens = price ?? (await this.price(item));
    if (!this.call.keep(item, tokens)) {
      this.refused = { why: 'budget' };
      return false;
    }
    this.items.push(item);
    this.ids.add(item.id);
    if (text !== '') this.texts.set(text, item.id);
    this.total += tokens;
    return true;
  }

  /** Returns the refusal of an item whose text is that of a kept one; undefined for another. */
  async duplicate(item: EvidenceItem, group = ''): Promise<Refusal | undefined> {
    return this.duplicateOfText(await this.textOf(item, group));
  }

  private duplicateOfText(text: string): Refusal | undefined {
    const same = this.texts.get(text);
    return same === undefined ? undefined : duplicateOf(same);
  }

  /**
   * Returns the item's text with single blanks between its words, behind its group; empty if
   * nothing tells it.
   */
  private async textOf(item: EvidenceItem, group = ''): Promise<string> {
    const text = ((await this.context.text?.(item)) ?? '').replace(/\s+/g, ' ').trim();
    return text === '' ? '' : `${group}\n${text}`;
  }
}

/** Returns the reason of an item whose text is that of a kept one. */
export const duplicateOf = (id: string): Required<Refusal> => ({
  why: 'duplicate',
  detail: `the text of ${id}`,
});
