/**
 * Chooses the evidence of `fact-lanes`: takes the candidate with the best score for its price,
 * again and again until the tokens are used up. Lanes and sources that have evidence count less.
 */
import type { Refusal, Selection } from '../../context/selection.ts';
import { defined } from '../../core/defined.ts';
import type { EvidenceItem, Rejection, RejectionReason } from '../../core/trace/trace.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import type { TextWords } from '../../models/fact-ranker/text-words.ts';
import type { FactLanesSettings } from './settings.ts';

/** A candidate for evidence: a sentence, or the document that contains it. */
export interface Option {
  readonly item: EvidenceItem;
  readonly lane: number;
  readonly source: string;
  readonly text: TextWords;
  readonly header: TextWords;
  readonly score: number;
}

/**
 * Limits of the shortlist: an item has at least `WORDS_AN_ITEM` words, so candidates behind the
 * shortlist have no room.
 */
const LEAST_SHORTLIST = 80;
const WORDS_AN_ITEM = 5;
/** Number of candidates tried for a lane's reserved place. */
const LANE_TRIES = 3;

/** Takes options in the order of their scores. */
export const BY_SCORE: RankerWeights['packing'] = { lane: 0, source: 0, price: 0 };

const NEAR_DUPLICATE: Refusal = { why: 'near-duplicate' };
/** Refusals that leave room for the next candidate. */
const REPLACED: ReadonlySet<string | undefined> = new Set(['cap', 'near-duplicate', 'duplicate']);

const byScore = (a: Option, b: Option): number => b.score - a.score;
/** Lower bound of a price, which keeps its logarithm finite. */
const LEAST_PRICE = 1;

export class LanePacking {
  private readonly selection: Selection;
  private readonly settings: FactLanesSettings;
  private readonly weights: RankerWeights['packing'];
  private readonly groupOf: (documentId: string) => string;
  private readonly lanes = new Map<number, number>();
  private readonly sources = new Map<string, number>();
  private readonly documents = new Map<string, number>();
  /** The kept sentences in order, and the places among them of those with each stem. */
  private readonly kept: { readonly documentId: string; readonly size: number }[] = [];
  private readonly having = new Map<number, number[]>();
  private readonly refused = new Map<string, Rejection>();

  /** `groupOf`: documents of different groups may hold equal texts; all are one if missing. */
  constructor(
    selection: Selection,
    settings: FactLanesSettings,
    weights: RankerWeights['packing'],
    groupOf: (documentId: string) => string = () => '',
  ) {
    this.groupOf = groupOf;
    this.selection = selection;
    this.settings = settings;
    this.weights = weights;
  }

  /** Each candidate once, in the order of its last refusal; excludes those kept later. */
  get rejected(): Rejection[] {
    return [...this.refused.values()];
  }

  /** Keeps the best option of each lane that fits, lanes in the order of their best. */
  async fillLanes(options: readonly Option[]): Promise<void> {
    const byLane = Map.groupBy([...options].sort(byScore), ({ lane }) => lane);
    for (const [lane, options] of byLane)
      for (const option of options.slice(0, LANE_TRIES)) {
        await this.take(option);
        if (this.lanes.has(lane)) break;
      }
  }

  /**
   * Keeps the best option for its price until nothing fits; tokens that are left over then admit
   * more sentences of documents that reached `per-document`.
   */
  async fill(options: readonly Option[]): Promise<void> {
    const left = options.filter(({ item }) => !this.selection.has(item.id)).sort(byScore);
    await this.fillFrom(left, this.settings['per-document']);
    const capped = left.filter(({ item }) => this.refused.get(item.id)?.why === 'cap');
    if (capped.length > 0) await this.fillFrom(capped, Number.POSITIVE_INFINITY);
  }

  /**
   * Fills from `sorted`, best first. A refusal as duplicate or by the cap admits the next candidate
   * to the shortlist; a refusal for lack of tokens does not.
   */
  private async fillFrom(sorted: readonly Option[], perDocument: number): Promise<void> {
    let next = Math.max(LEAST_SHORTLIST, Math.ceil(this.settings.tokens / WORDS_AN_ITEM));
    const left = sorted.slice(0, next);
    const values = left.map(option => this.valueOf(option));
    while (left.length > 0) {
      let best = -1;
      let most = Number.NEGATIVE_INFINITY;
      for (let at = 0; at < values.length; at++)
        if (values[at]! > most) [best, most] = [at, values[at]!];
      if (best < 0) return;
      const option = left[best]!;
      left.splice(best, 1);
      values.splice(best, 1);
      await this.take(option, perDocument);
      const why = this.refused.get(option.item.id)?.why;
      // Values change only when an item is kept.
      if (why === undefined)
        for (let at = 0; at < left.length; at++) values[at] = this.valueOf(left[at]!);
      const more = REPLACED.has(why) ? sorted[next++] : undefined;
      if (more) values[left.push(more) - 1] = this.valueOf(more);
    }
  }

  private valueOf({ item, lane, source, score, text, header }: Option): number {
    const { lane: byLane, source: bySource, price } = this.weights;
    const words = text.count + (this.documents.has(item.documentId) ? 0 : header.count);
    return (
      score -
      byLane * (this.lanes.get(lane) ?? 0) -
      bySource * (source === '' ? 0 : (this.sources.get(source) ?? 0)) -
      // Whole documents have nearly equal prices, which carry no information.
      (this.settings.unit === 'sentence' ? price * Math.log(Math.max(LEAST_PRICE, words)) : 0)
    );
  }

  private async take(option: Option, perDocument = this.settings['per-document']): Promise<void> {
    const { item, text } = option;
    const { tokens } = this.settings;
    // An option that was refused for its lane's place is tried again with the rest.
    this.refused.delete(item.id);
    const group = this.groupOf(item.documentId);
    const refuse = (why: RejectionReason, detail?: string): void =>
      void this.refused.set(item.id, defined({ id: item.id, search: item.search, why, detail }));
    if ((this.documents.get(item.documentId) ?? 0) >= perDocument) return refuse('cap');
    if (this.repeats(item.documentId, text)) {
      const { why, detail } = (await this.selection.duplicate(item, group)) ?? NEAR_DUPLICATE;
      return refuse(why, detail);
    }
    const price = await this.selection.price(item);
    if (this.selection.tokens + price > tokens)
      return refuse('budget', `${price} tokens, ${tokens - this.selection.tokens} left`);
    if (await this.selection.keep(item, price, group)) return this.note(option);
    const refusal = this.selection.refusal;
    refuse(refusal.why, refusal.detail ?? 'the budget of the run');
  }

  private note({ item: { documentId }, lane, source, text }: Option): void {
    this.lanes.set(lane, (this.lanes.get(lane) ?? 0) + 1);
    this.sources.set(source, (this.sources.get(source) ?? 0) + 1);
    this.documents.set(documentId, (this.documents.get(documentId) ?? 0) + 1);
    for (const stem of text.stemNumbers) {
      const having = this.having.get(stem);
      if (having) having.push(this.kept.length);
      else this.having.set(stem, [this.kept.length]);
    }
    this.kept.push({ documentId, size: text.stemNumbers.length });
  }

  /** True if a kept sentence of another document has nearly the same words (Jaccard). */
  private repeats(documentId: string, { stemNumbers }: TextWords): boolean {
    const { duplicates: least } = this.settings;
    const { kept, having } = this;
    const size = stemNumbers.length;
    if (least > 1 || size === 0) return false;
    const shared = new Array<number>(kept.length).fill(0);
    for (let stem = 0; stem < size; stem++) {
      const places = having.get(stemNumbers[stem]!);
      if (places) for (let at = 0; at < places.length; at++) shared[places[at]!]!++;
    }
    return kept.some(
      (other, at) =>
        other.documentId !== documentId && shared[at]! / (size + other.size - shared[at]!) >= least,
    );
  }
}
