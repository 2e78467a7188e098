/** What `fact-lanes` keeps: the candidate whose score is best for its price, lane by lane and source by source, until the tokens are used up. */
import type { Selection } from '../../context/selection.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import { contentStems } from '../../text/stems.ts';
import { countWords } from '../../text/words.ts';
import type { Kept, Rejection, RejectionReason } from '../../trace/trace.ts';
import type { FactLanesSettings } from './settings.ts';

/** Something that can be kept: a sentence, or what holds it. */
export interface Option {
  readonly item: Kept;
  readonly lane: number;
  readonly source: string;
  readonly text: string;
  readonly header: string;
  score: number;
}

/** An option with the lengths of its text and header in words. */
interface Weighed {
  readonly option: Option;
  readonly words: number;
  readonly header: number;
}

/** Only so many of the best are looked at: those behind them never come up. */
const SHORTLIST = 80;
/** The least that an item can cost, so that its logarithm is one. */
const LEAST_PRICE = 1;

export class LanePacking {
  readonly rejected: Rejection[] = [];
  private readonly selection: Selection;
  private readonly settings: FactLanesSettings;
  private readonly weights: RankerWeights['packing'];
  private readonly lanes = new Map<number, number>();
  private readonly sources = new Map<string, number>();
  private readonly documents = new Map<string, number>();
  private readonly words: { readonly documentId: string; readonly stems: ReadonlySet<string> }[] = [];
  private best = Number.NEGATIVE_INFINITY;

  constructor(selection: Selection, settings: FactLanesSettings, weights: RankerWeights['packing']) {
    this.selection = selection;
    this.settings = settings;
    this.weights = weights;
  }

  /** The best option of each lane that has none yet, the best first. */
  async fillLanes(options: readonly Option[]): Promise<void> {
    const best = new Map<number, Option>();
    for (const option of options)
      if (option.score > (best.get(option.lane)?.score ?? Number.NEGATIVE_INFINITY)) best.set(option.lane, option);
    for (const option of [...best.values()].sort((a, b) => b.score - a.score)) if (!this.lanes.has(option.lane)) await this.take(option);
  }

  /** Keeps what is best for its price, again and again. */
  async fill(options: readonly Option[]): Promise<void> {
    const best = options.filter(({ item }) => !this.selection.has(item.id)).sort((a, b) => b.score - a.score);
    const left = new Set(
      best.slice(0, SHORTLIST).map(option => ({ option, words: countWords(option.text), header: countWords(option.header) })),
    );
    for (;;) {
      let [next, most] = [undefined as Weighed | undefined, Number.NEGATIVE_INFINITY];
      for (const weighed of left) {
        const value = this.valueOf(weighed);
        if (value > most) [next, most] = [weighed, value];
      }
      if (!next) return;
      left.delete(next);
      await this.take(next.option);
    }
  }

  private valueOf({ option: { item, lane, source, score }, words, header }: Weighed): number {
    const { lane: byLane, source: bySource, price } = this.weights;
    const own = words + (this.documents.has(item.documentId) ? 0 : header);
    return (
      score -
      byLane * (this.lanes.get(lane) ?? 0) -
      bySource * (source === '' ? 0 : (this.sources.get(source) ?? 0)) -
      // Whole documents have one price each, or nearly: it says nothing.
      (this.settings.unit === 'sentence' ? price * Math.log(Math.max(LEAST_PRICE, own)) : 0)
    );
  }

  private async take(option: Option): Promise<void> {
    const { item, text, score } = option;
    const { tokens, margin } = this.settings;
    const refuse = (why: RejectionReason, detail?: string): void =>
      void this.rejected.push({ id: item.id, search: item.search, why, ...(detail === undefined ? {} : { detail }) });
    if (margin > 0 && score < this.best - margin) return refuse('weak');
    if ((this.documents.get(item.documentId) ?? 0) >= this.settings['per-document']) return refuse('cap');
    const stems = contentStems(text);
    if (this.repeats(item.documentId, stems)) return refuse('near-duplicate');
    const price = await this.selection.price(item);
    if (this.selection.tokens + price > tokens) return refuse('budget', `${price} tokens, ${tokens - this.selection.tokens} left`);
    if (!(await this.selection.keep(item, price))) return refuse('budget', 'the budget of the run');
    this.note(option, stems);
  }

  private note({ item: { documentId }, lane, source, score }: Option, stems: ReadonlySet<string>): void {
    this.best = Math.max(this.best, score);
    this.lanes.set(lane, (this.lanes.get(lane) ?? 0) + 1);
    this.sources.set(source, (this.sources.get(source) ?? 0) + 1);
    this.documents.set(documentId, (this.documents.get(documentId) ?? 0) + 1);
    this.words.push({ documentId, stems });
  }

  /** Whether a kept sentence of another document has nearly the same words (Jaccard). */
  private repeats(documentId: string, stems: ReadonlySet<string>): boolean {
    const least = this.settings.duplicates;
    if (least > 1 || stems.size === 0) return false;
    return this.words.some(kept => {
      if (kept.documentId === documentId) return false;
      let common = 0;
      for (const stem of stems) if (kept.stems.has(stem)) common++;
      return common / (stems.size + kept.stems.size - common) >= least;
    });
  }
}
