/** Holds the searches, candidates and choices of `fact-lanes` on one question. */
import { Selection } from '../../context/selection.ts';
import type { CorpusKind } from '../../core/corpus/corpus-kind.ts';
import { defined } from '../../core/defined.ts';
import type { Call } from '../../core/trace/call.ts';
import type { EvidenceItem } from '../../core/trace/trace.ts';
import type { RankerWeights } from '../../models/fact-ranker/fact-ranker.ts';
import { shippedRanker } from '../../models/fact-ranker/shipped.ts';
import type { RecordedSubQuestions } from '../../planning/sub-questions/recorded-sub-questions.ts';
import type { SearchEngine } from '../../search/engine.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { Kit, OpenHop } from '../strategy.ts';
import { CandidateReader } from './candidates.ts';
import { changeOf } from './choice.ts';
import { corpusKindOf } from './corpus-kind.ts';
import { BY_SCORE, LanePacking, type Option } from './keep.ts';
import { LaneSearches } from './lane-searches.ts';
import { inFusedOrder, optionsOf } from './options.ts';
import { type ParsedQuestion, parseQuestion } from './question.ts';
import { LaneRanking, plainSum, type Ranked } from './rank.ts';
import { kindOf, type Signals, searchLanes, signalsOf } from './search.ts';
import type { FactLanesSettings } from './settings.ts';
import { buildView, type LanesView } from './view.ts';

/** Changes to a run for the fit of weights, and its view of the run. */
export interface LanesLearning {
  /** Replaces the shipped weights. */
  readonly weights?: RankerWeights;
  /** Later hops that search for names, whatever the corpus is like. */
  readonly hops?: number;
  /** Receives the candidates that the last hop ranks. */
  onRanked?(view: LanesView): void;
  /** The plans of an earlier run. */
  readonly recorded?: RecordedSubQuestions | undefined;
}

/** The rules by which a hop chooses its evidence. */
export interface Choice {
  readonly packing: RankerWeights['packing'];
  /** True if each lane gets its best option before any gets a second one. */
  readonly lanesFirst?: boolean;
  /** Replaces the setting. */
  readonly duplicates?: number;
  /** Documents of different groups may hold equal texts; all are of one group if missing. */
  groupOf?(documentId: string): string;
}

type RunParts = Pick<LanesRun, 'kit' | 'call' | 'settings' | 'learning'>;

export class LanesRun {
  readonly kit: Kit;
  readonly call: Call;
  readonly settings: FactLanesSettings;
  readonly learning: LanesLearning;
  readonly parsed: ParsedQuestion;
  readonly searches: LaneSearches;
  readonly signals: Signals;
  /** Pairs that a reranker has read. */
  pairs = 0;
  private readonly candidates: CandidateReader;
  private readonly selection: Selection;
  /** The run on the question, if this one searches for the question and more. */
  private readonly before: LanesRun | undefined;
  /** The best evidence of that run: what this one's text was written from. */
  readonly from: StrategyQuery['from'];
  /** The options of the last choice, and those that it kept. */
  private last: { readonly options: readonly Option[]; readonly kept: readonly EvidenceItem[] } = {
    options: [],
    kept: [],
  };
  /** The vector space in which sentences were searched, if any. */
  private space: string | undefined;
  /** Decided once, by what the first search finds. */
  private decided: CorpusKind | undefined;

  private constructor(
    parsed: ParsedQuestion,
    { kit, call, settings, learning }: RunParts,
    before?: LanesRun,
  ) {
    [this.parsed, this.kit, this.call] = [parsed, kit, call];
    [this.settings, this.learning] = [settings, learning];
    this.signals = signalsOf(kit.retriever, settings.vectors);
    this.searches = new LaneSearches(parsed.lanes.length, before?.searches.place);
    this.candidates = new CandidateReader(kit.engine, this.signals.vectors?.space, call);
    this.selection = before?.selection ?? new Selection(kit.context, call);
    [this.before, this.decided] = [before, before?.decided];
    const [best] = this.selection.all;
    this.from = best && { ...best.search, id: best.id };
  }

  /**
   * Reads the text of a question and searches its lanes. With `before`, it is the question of that
   * ended run and more: the hops choose among what both find.
   */
  static async begin(text: string, parts: RunParts, before?: LanesRun): Promise<LanesRun> {
    const { kit, call, settings } = parts;
    const parsed = await parseQuestion(text, kit.engine, call, settings);
    const run = new LanesRun(parsed, parts, before);
    const headed = await searchLanes(run);
    if (headed) run.decided = 'sections';
    else run.space = run.signals.vectors?.space;
    return run;
  }

  /** Documents of the last choice: those of its evidence, then the others, best first. */
  get documents(): string[] {
    const { options, kept } = this.last;
    const byScore = options.toSorted((a, b) => b.score - a.score).map(({ item }) => item);
    return [...new Set([...kept, ...byScore].map(({ documentId }) => documentId))];
  }

  get engine(): SearchEngine {
    return this.kit.engine;
  }

  /** The lanes beside the whole question: the reason of the first hop. */
  get clauses(): string[] {
    return this.parsed.lanes.slice(1).map(({ text }) => text);
  }

  /** True if sections are kept instead of sentences where documents have headings. */
  get keepsSections(): boolean {
    return (
      this.before === undefined &&
      this.signals.words !== undefined &&
      this.settings.unit === 'sentence' &&
      this.ranksUnlearnt
    );
  }

  /** True if kinds of corpora without weights of their own are ranked without weights. */
  get ranksUnlearnt(): boolean {
    return this.settings.ranker === 'learned' && this.learning.weights === undefined;
  }

  get weights(): RankerWeights {
    const { weights } = this.learning;
    return weights ?? shippedRanker(kindOf(this.space, this.decided === 'linked'));
  }

  /** Returns all candidates so far. */
  async view(): Promise<LanesView> {
    const { parsed, searches } = this;
    const seen = buildView(parsed, searches, await this.candidates.readFound(searches));
    this.decided ??= corpusKindOf(seen);
    return { ...seen, kind: this.decided };
  }

  /** Ranks by the weights, by passes of their second stage, or by plain sums. */
  ranking(view: LanesView): (passes: number) => Ranked {
    const { ranker, bridge } = this.settings;
    if (ranker === 'sum') return () => plainSum(view);
    const ranking = new LaneRanking(view, this.weights);
    return passes => ranking.after(bridge === 'off' ? 0 : passes);
  }

  /** Chooses among ranked sentences, or their documents, by the weights. */
  async hopOf(view: LanesView, ranked: Ranked, reason: readonly string[]): Promise<OpenHop> {
    // Few whole documents fit: a place for a lane without content would cost a quarter of them.
    const lanesFirst = this.settings.unit === 'sentence';
    const choice = { packing: this.weights.packing, lanesFirst };
    const options = this.optionsOf(view, ranked);
    const { before, selection, searches } = this;
    if (!before) return this.hop(options, choice, reason);
    const evidence = [...selection.all];
    await this.choose(options, choice);
    const byWords = [...searches.documents[0]!.keys()];
    const orders = [before.documents, this.documents, byWords];
    const fused = inFusedOrder([...before.last.options, ...options], orders);
    return this.hop(fused, { packing: BY_SCORE }, reason, evidence);
  }

  /** Returns ranked sentences, or their documents, as options. */
  optionsOf(view: LanesView, ranked: Ranked): Option[] {
    return optionsOf(view, ranked, this.settings.unit === 'document' ? this.searches : undefined);
  }

  /**
   * Chooses anew among all options, in place of the evidence `before`. Returns the hop of the
   * searches since the one before, for the reason of these searches.
   */
  async hop(
    options: readonly Option[],
    choice: Choice,
    reason: readonly string[],
    before: readonly EvidenceItem[] = this.selection.all,
  ): Promise<OpenHop> {
    const { rejected } = await this.choose(options, choice);
    return defined({
      reason: reason.length > 0 ? reason.join('; ') : undefined,
      searches: this.searches.endHop(),
      ...changeOf(before, this.selection.all, rejected),
    });
  }

  private async choose(
    options: readonly Option[],
    { packing, lanesFirst = false, duplicates, groupOf }: Choice,
  ): Promise<LanePacking> {
    const { selection, settings } = this;
    selection.withdrawAll();
    const kept = { ...settings, duplicates: duplicates ?? settings.duplicates };
    const choice = new LanePacking(selection, kept, packing, groupOf);
    if (lanesFirst) await choice.fillLanes(options);
    await choice.fill(options);
    this.last = { options, kept: selection.all };
    return choice;
  }
}
