/** Runs `fact-lanes` on one question: searches, ranks and chooses, one hop a round. */
import { Selection } from '../../context/selection.ts';
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Call } from '../../core/trace/call.ts';
import type { End, EvidenceItem, Question, Search } from '../../core/trace/trace.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import { shippedRanker } from '../../models/fact-ranker/shipped.ts';
import type { Kit, OpenHop } from '../strategy.ts';
import { CandidateReader } from './candidates.ts';
import { type OpenName, openNames, searchNames } from './chain.ts';
import { changeOf } from './choice.ts';
import { type CorpusKind, mostAreLong } from './corpus-kind.ts';
import { LanePacking } from './keep.ts';
import { withNameLinks } from './name-links.ts';
import { optionsOf } from './options.ts';
import { PASSAGE_PACKING, rankPassages } from './passage-rank.ts';
import { type ParsedQuestion, parseQuestion } from './question.ts';
import { LaneRanking, plainSum, type Ranked } from './rank.ts';
import {
  kindOf,
  LaneSearches,
  type Signals,
  searchContentWords,
  searchLanes,
  signalsOf,
} from './search.ts';
import { SectionHops } from './section-hops.ts';
import type { FactLanesSettings } from './settings.ts';
import { buildView, type LanesView } from './view.ts';

/** Hops after the first, each of which searches names that the best sentences introduce. */
const CHAINED_HOPS = 2;
/** Refuses no sentence as a near-duplicate; see the setting `duplicates`. */
const NO_DUPLICATES = 1.01;

/** What the fit of weights changes in a run, and sees of it. */
export interface LanesLearning {
  /** Replaces the shipped weights. */
  readonly weights?: RankerWeights;
  /** Later hops that search for names, whatever the corpus is like. */
  readonly hops?: number;
  /** Receives the candidates that the last hop ranks. */
  onRanked?(view: LanesView): void;
}

export interface LanesRunOptions extends LanesLearning {
  readonly settings: FactLanesSettings;
}

/** One round's candidates and ranking, and the names that the next round searches. */
interface Round {
  readonly view: LanesView;
  readonly ranked: Ranked;
  readonly names: readonly OpenName[];
}

export class LanesRun {
  private readonly question: Question;
  private readonly kit: Kit;
  private readonly call: Call;
  private readonly options: LanesRunOptions;
  private readonly signals: Signals;
  private readonly candidates: CandidateReader;
  private readonly selection: Selection;
  /** Decided by the candidates of the first hop. */
  private kind: CorpusKind | undefined;
  private nested: boolean | undefined;
  private readonly sections: SectionHops;
  /** The vector space in which sentences were searched, if any. */
  private space: string | undefined;
  /** Keys of the names searched so far. */
  private readonly searchedNames = new Set<string>();

  constructor(question: Question, kit: Kit, call: Call, options: LanesRunOptions) {
    [this.question, this.kit, this.call, this.options] = [question, kit, call, options];
    this.signals = signalsOf(kit.retriever, options.settings.vectors);
    this.candidates = new CandidateReader(kit.engine, this.signals.vectors?.space, call);
    this.selection = new Selection(kit.context, call);
    this.sections = new SectionHops(kit, call);
  }

  async *hops(): AsyncGenerator<OpenHop, End, void> {
    const { kit, call, signals } = this;
    const { settings } = this.options;
    const parsed = await parseQuestion(this.question.text, kit.engine, call, settings);
    const searches = new LaneSearches(parsed.lanes.length);
    const { keepsSections } = this;
    const how = { settings, keepsSections };
    const byVectors = await searchLanes(searches, parsed, signals, kit.engine, how, call);
    this.space = byVectors ? signals.vectors?.space : undefined;
    let reason = parsed.lanes.slice(1).map(({ text }) => text);
    for (let number = 0; ; number++) {
      const round = await this.rank(parsed, searches, number);
      const { view, names } = round;
      const byContent = this.needsContent(view, searches);
      const bySections = this.needsSections(view, searches);
      const last = names.length === 0 && !byContent && !bySections;
      if (last) this.options.onRanked?.(view);
      const before = [...this.selection.all];
      const packing = await this.pack(view, round.ranked, searches);
      yield this.hop(before, packing, searches.endHop(), reason);
      if (searches.short) call.refuse(searches.short);
      if (last) return { why: 'completed' };
      if (bySections) {
        reason = this.sections.begun ? [...this.sections.next] : ['sections'];
        await this.sections.search(searches, view, signals.words!);
        continue;
      }
      if (byContent) {
        await searchContentWords(searches, view, signals.words!, settings.depth, call);
        reason = ['content words'];
        continue;
      }
      const by = { words: signals.words!, unit: settings.unit };
      await searchNames(names, view.lanes[0]!, searches, by, call);
      reason = names.map(({ name }) => name);
    }
  }

  /** Ranks all candidates so far as the last round would, and picks names to search next. */
  private async rank(
    parsed: ParsedQuestion,
    searches: LaneSearches,
    round: number,
  ): Promise<Round> {
    const read = await this.candidates.readFound(searches);
    const view = buildView(parsed, searches, read, this.kind);
    this.kind = view.kind;
    const linked = view.kind === 'linked';
    const { hops, settings } = this.options;
    const nested = (this.nested ??= this.isNested(parsed, view));
    const follows = (settings.bridge === 'auto' && linked) || nested;
    const chained = hops ?? (follows ? CHAINED_HOPS : 0);
    const order = this.orderOf(view, searches, nested);
    const more =
      round < chained &&
      this.signals.words &&
      !searches.short &&
      !this.needsContent(view, searches);
    return {
      view,
      // Weights for articles are learnt on one pass.
      ranked: order(linked ? Math.max(1, chained) : 1),
      names: more ? openNames(view, order(round), this.searchedNames) : [],
    };
  }

  /** Returns the ranking of a view by the number of passes of the second stage. */
  private orderOf(
    view: LanesView,
    searches: LaneSearches,
    nested: boolean,
  ): (passes: number) => Ranked {
    const { ranker, bridge } = this.options.settings;
    if (ranker === 'sum' || this.needsContent(view, searches)) return () => plainSum(view);
    if (this.isFused(view)) {
      const ranked = rankPassages(view, {
        asked: searches.documents[0]!,
        content: searches.content,
        analysis: analysisOf(this.kit.engine),
      });
      return () => ranked;
    }
    const ranking = new LaneRanking(view, this.ranker(view));
    if (nested) {
      const ranked = withNameLinks(ranking.after(1), view, searches.links);
      return () => ranked;
    }
    return passes => ranking.after(bridge === 'off' ? 0 : passes);
  }

  /**
   * True if articles are chained by the names that their best sentences introduce. A long article
   * mentions many names that it is not about, so there searches for names rank worse.
   */
  private isNested({ nested }: ParsedQuestion, { kind, documentsOf }: LanesView): boolean {
    const { bridge, ranker } = this.options.settings;
    const may = nested && kind === 'articles' && bridge === 'auto' && ranker === 'learned';
    return may && !mostAreLong([...new Set(documentsOf)]);
  }

  /** True if the next hop searches by content words. */
  private needsContent(view: LanesView, searches: LaneSearches): boolean {
    return (
      this.isFused(view) &&
      this.signals.words !== undefined &&
      view.found.length > 0 &&
      searches.content.length === 0 &&
      !searches.short
    );
  }

  /** True if the next hop searches passages, or those of further projects. */
  private needsSections(view: LanesView, { short }: LaneSearches): boolean {
    const { begun, next } = this.sections;
    const more = !begun || next.length > 0;
    return this.isSectioned(view) && view.found.length > 0 && more && !short;
  }

  /** True if sections are kept instead of sentences. */
  private isSectioned({ kind }: LanesView): boolean {
    return kind === 'sections' && this.keepsSections;
  }

  /** True if sections of documents with headings are kept instead of sentences. */
  private get keepsSections(): boolean {
    const { ranker, unit } = this.options.settings;
    return (
      this.signals.words !== undefined &&
      ranker === 'learned' &&
      unit === 'sentence' &&
      this.options.weights === undefined
    );
  }

  /** True if no learnt weights rank the view. */
  private isFused({ kind }: LanesView): boolean {
    return (
      kind === 'passages' &&
      this.options.settings.ranker === 'learned' &&
      this.options.weights === undefined
    );
  }

  private ranker({ kind }: LanesView): RankerWeights {
    return this.options.weights ?? shippedRanker(kindOf(this.space, kind === 'linked'));
  }

  /** Chooses anew among all candidates so far. */
  private async pack(
    view: LanesView,
    ranked: Ranked,
    searches: LaneSearches,
  ): Promise<LanePacking> {
    const { settings } = this.options;
    const sections = this.isSectioned(view) && this.sections.begun;
    const options = sections
      ? await this.sections.options(searches, view)
      : optionsOf(view, ranked, settings.unit === 'document' ? searches : undefined);
    this.selection.withdrawAll();
    const fused = sections || this.isFused(view);
    const weights = fused ? PASSAGE_PACKING : this.ranker(view).packing;
    // Two projects may say the same of their defaults, or the same but for a number.
    const packing =
      sections && this.sections.compares
        ? new LanePacking(
            this.selection,
            { ...settings, duplicates: NO_DUPLICATES },
            weights,
            documentId => this.sections.projectOf(documentId),
          )
        : new LanePacking(this.selection, settings, weights);
    // Few whole documents fit: a place for a lane without content would cost a quarter of them.
    if (settings.unit === 'sentence' && !fused) await packing.fillLanes(options);
    await packing.fill(options);
    return packing;
  }

  private hop(
    before: readonly EvidenceItem[],
    packing: LanePacking,
    searches: readonly Search[],
    reason: readonly string[],
  ): OpenHop {
    return {
      ...(reason.length > 0 ? { reason: reason.join('; ') } : {}),
      searches,
      ...changeOf(before, this.selection.all, packing.rejected),
    };
  }
}
