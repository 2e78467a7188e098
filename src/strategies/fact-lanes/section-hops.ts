/**
 * Keeps sections of documents with headings: searches passages of the question, then of each
 * project that the question names beside others or only describes.
 */
import { type AnalysisCache, analysisOf } from '../../corpus/analysis-cache.ts';
import { TextReader } from '../../models/fact-ranker/text-words.ts';
import type { Hit } from '../../ranking/ranking.ts';
import type { Retriever } from '../../retrieval/retriever.ts';
import type { Call } from '../../trace/call.ts';
import type { Kit } from '../strategy.ts';
import type { Option } from './keep.ts';
import { inTurns, type ProjectPlan, Projects, projectPlan } from './projects.ts';
import { type LaneSearches, searchPassages, searchProjects } from './search.ts';
import { readSections, type Section, scoreSections, sectionOptions } from './sections.ts';
import type { LanesView } from './view.ts';

/** Sections with their scores. */
interface Ranked {
  /** Best first. */
  readonly sections: readonly Section[];
  /** In the same order. */
  readonly scores: readonly number[];
}

export class SectionHops {
  private readonly kit: Kit;
  private readonly call: Call;
  private readonly analysis: AnalysisCache;
  /** Undefined before passages are searched. */
  private ranked: Ranked | undefined;
  private plan: ProjectPlan | undefined;
  private projects: Projects | undefined;
  /** By project of the plan: the hits of its search. */
  private hits: readonly (readonly Hit[])[] | undefined;

  constructor(kit: Kit, call: Call) {
    [this.kit, this.call] = [kit, call];
    this.analysis = analysisOf(kit.engine);
  }

  /** True once passages are searched. */
  get begun(): boolean {
    return this.ranked !== undefined;
  }

  /** The projects to search next. */
  get next(): readonly string[] {
    const { plan } = this;
    return plan && !this.hits ? plan.queries.map(({ project }) => project) : [];
  }

  /** True once sections of several projects, all named, are taken in turn. */
  get compares(): boolean {
    return this.hits !== undefined && this.plan?.before === 0;
  }

  /** Searches passages, or those of the projects that are next. */
  async search(searches: LaneSearches, view: LanesView, words: Retriever): Promise<void> {
    const { call, plan } = this;
    if (this.ranked) {
      this.hits = await searchProjects(searches, view, plan?.queries ?? [], words, call);
      return;
    }
    await searchPassages(searches, view, words, call);
    this.ranked = await this.rank(searches, view);
    const { sections } = this.ranked;
    this.projects = new Projects(sections.map(({ passage }) => passage.documentId));
    this.plan = searches.short ? undefined : projectPlan(view.lanes[0]!, sections, this.projects);
  }

  /** Returns the sections that were found as candidates, ranked. */
  async options(searches: LaneSearches, view: LanesView): Promise<Option[]> {
    const reader = new TextReader(this.analysis);
    const { sections, scores } = this.ranked!;
    const { plan, hits, projects } = this;
    if (!plan || !hits || !projects) return sectionOptions(sections, scores, reader);
    const all = await readSections(searches.passages.all, this.kit.engine, this.call);
    const own = plan.queries.map(({ project, text }, at) =>
      this.rankOf(all, { project, question: text, hits: hits[at] ?? [], searches, view }),
    );
    const merged = inTurns(sections, own, plan.before);
    // Scores of the first ranking keep their scale, which readers compare with the best.
    const descending = [...scores, ...merged.slice(scores.length).map(() => 0)];
    return sectionOptions(merged, descending, reader);
  }

  private async rank(searches: LaneSearches, view: LanesView): Promise<Ranked> {
    const found = await readSections(searches.passages.all, this.kit.engine, this.call);
    return best(found, this.score(found, view.lanes[0]!, searches, view));
  }

  /** Ranks the sections of one project by the search for it. */
  private rankOf(
    all: readonly Section[],
    { project, question, hits, searches, view }: ProjectSearch,
  ): readonly Section[] {
    const most = hits[0]?.score ?? 0;
    const words = new Map(hits.map(({ id, score }) => [id, most > 0 ? score / most : 0]));
    const own = all
      .filter(({ hit }) => this.projects!.of(hit.documentId) === project)
      .map(section => ({ ...section, words: words.get(section.passage.id) ?? 0, content: 0 }));
    return best(own, this.score(own, question, searches, view)).sections;
  }

  private score(
    sections: readonly Section[],
    question: string,
    { documents }: LaneSearches,
    { vocabulary }: LanesView,
  ): number[] {
    const { analysis } = this;
    return scoreSections(sections, { question, asked: documents[0]!, vocabulary, analysis });
  }
}

interface ProjectSearch {
  readonly project: string;
  readonly question: string;
  readonly hits: readonly Hit[];
  readonly searches: LaneSearches;
  readonly view: LanesView;
}

/** Sorts sections by their scores, equal ones as they were found. */
function best(sections: readonly Section[], scores: readonly number[]): Ranked {
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  return { sections: order.map(at => sections[at]!), scores: order.map(at => scores[at]!) };
}
