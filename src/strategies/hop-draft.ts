/**
 * Builds a hop of a strategy: keeps hits of its searches, and records rejected hits with the
 * reason.
 */
import type { Refusal, Selection } from '../context/selection.ts';
import { defined } from '../core/defined.ts';
import type { Hit } from '../core/ranking/ranking.ts';
import type { EvidenceItem, Rejection, Search } from '../core/trace/trace.ts';
import { keptFrom } from '../search/retriever.ts';
import type { OpenHop } from './strategy.ts';

/** The parts of a hop beside its searches and its evidence. */
type Stated = Omit<OpenHop, 'searches' | 'kept' | 'rejected'>;

export class HopDraft {
  readonly searches: readonly Search[];
  readonly rejected: Rejection[] = [];
  private readonly selection: Selection;
  private readonly hop: number;
  /** Number of items that earlier hops kept. */
  private readonly before: number;

  constructor(selection: Selection, hop: number, searches: readonly Search[] = []) {
    [this.selection, this.hop, this.searches] = [selection, hop, searches];
    this.before = selection.all.length;
  }

  /** The evidence that this hop added. */
  get kept(): readonly EvidenceItem[] {
    return this.selection.all.slice(this.before);
  }

  /** Returns a hit of a search as evidence. */
  itemOf(hit: Hit, search = 0): EvidenceItem {
    return keptFrom(this.searches[search]!, { hop: this.hop, search }, hit);
  }

  /** Keeps a hit of a search; otherwise notes the refusal and returns false. */
  keep(hit: Hit, search = 0, price?: number): Promise<boolean> {
    return this.keepItem(this.itemOf(hit, search), price);
  }

  /** Keeps an item of this hop's searches or of earlier ones, as `keep` does. */
  async keepItem(item: EvidenceItem, price?: number): Promise<boolean> {
    const isKept = await this.selection.keep(item, price);
    if (!isKept)
      this.rejected.push({ id: item.id, search: item.search, ...this.selection.refusal });
    return isKept;
  }

  /** Keeps hits of a search that are no evidence yet. */
  async keepNew(hits: Iterable<Hit>, search = 0): Promise<void> {
    for (const hit of hits)
      if (this.selection.has(hit.id)) this.refuse(hit.id, { why: 'seen' }, search);
      else await this.keep(hit, search);
  }

  refuse(id: string, refusal: Refusal, search = 0): void {
    this.rejected.push({ id, search: { hop: this.hop, search }, ...refusal });
  }

  /** Returns the hop; empty outputs are left out. */
  closed({ reason, outputs, ...changes }: Stated = {}): OpenHop {
    const { searches, kept, rejected } = this;
    return defined({
      reason,
      searches,
      kept,
      rejected,
      ...changes,
      outputs: outputs?.length ? outputs : undefined,
    });
  }
}
