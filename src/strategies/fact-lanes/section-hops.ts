/**
 * Keeps sections of documents with headings: searches passages of the question, then of each
 * project that the question names beside others or only describes.
 */
import { type AnalysisCache, analysisOf } from '../../core/corpus/analysis-cache.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';
import { aboutWords } from '../../language/english/question/about-cues.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { TextReader } from '../../models/fact-ranker/text-words.ts';
import type { Retriever } from '../../search/retriever.ts';
import type { Kit } from '../strategy.ts';
import { findBridge, WordForms } from './bridges.ts';
import type { Option } from './keep.ts';
import { total } from './passage-rank.ts';
import {
  bridgePlan,
  type DescribedProject,
  describedProject,
  inTurns,
  namedPlan,
  type ProjectPlan,
  type ProjectQuery,
} from './project-plan.ts';
import { Projects } from './projects.ts';
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
  private projects: Projects | undefined;
  /** The project that is described, until passages that may name it are searched. */
  private described: DescribedProject | undefined;
  private plan: ProjectPlan | undefined;
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

  /** The next searches: a description, or projects, each with the section that names it. */
  get next(): readonly string[] {
    const { described, plan } = this;
    if (described) return [`${described.first}: ${described.described}`];
    if (!plan || this.hits) return [];
    const by = plan.naming ? `, named by ${plan.naming[0]!.passage.id}` : '';
    return plan.queries.map(({ project }) => `${project}${by}`);
  }

  /** True once sections of several projects, all named, are taken in turn. */
  get compares(): boolean {
    return this.hits !== undefined && this.plan?.naming === undefined;
  }

  /** Returns the project of a document; empty for one of none. */
  projectOf(documentId: string): string {
    return this.projects?.of(documentId) ?? '';
  }

  /** Searches passages, those that may name a described project, or those of its or of others. */
  async search(searches: LaneSearches, view: LanesView, words: Retriever): Promise<void> {
    const { call, plan, described } = this;
    if (described) return this.searchNaming(described, searches, view, words);
    if (this.ranked) {
      const first = plan?.naming?.[0] ?? view.found[0]!;
      const from = { ...first.search, id: first.hit.id };
      const queries = (plan?.queries ?? []).map(({ text, asked }) => ({
        text:
          asked === undefined
            ? contentOf(`${text} ${aboutWords(text)}`)
            : `${asked} ${aboutWords(asked)}`.trim(),
      }));
      this.hits = await searchProjects(searches, from, queries, words, call);
      return;
    }
    await searchPassages(searches, view, words, call);
    this.ranked = await this.rank(searches, view);
    if (searches.short) return;
    const [question, { sections }] = [view.lanes[0]!, this.ranked];
    this.projects = projectsOf(searches);
    this.plan = namedPlan(question, sections, this.projects);
    if (!this.plan) this.described = describedProject(question, sections, this.projects);
  }

  /** Searches the project that the question names by the words of the description. */
  private async searchNaming(
    described: DescribedProject,
    searches: LaneSearches,
    { lanes, found: [best] }: LanesView,
    words: Retriever,
  ): Promise<void> {
    this.described = undefined;
    const from = { ...best!.search, id: best!.hit.id };
    const text = `${described.first} ${described.described}`;
    await searchProjects(searches, from, [{ text }], words, this.call);
    const { sections } = this.ranked!;
    const projects = (this.projects = projectsOf(searches));
    const found = await this.readOf([described.first], searches);
    // Sections of the first search are known by their rank, others stand behind them.
    const known = new Set(sections.map(({ passage }) => passage.id));
    const all = [...sections, ...found.filter(({ passage }) => !known.has(passage.id))];
    const common = new WordForms(all, projects);
    const { first } = described;
    const bridge = findBridge({
      ...{ question: lanes[0]!, described: described.described, found: all },
      ...{ projects, common, first },
    });
    if (bridge) this.plan = bridgePlan(lanes[0]!, described, bridge, projects);
  }

  /** Returns the sections that were found as candidates, ranked. */
  async options(searches: LaneSearches, view: LanesView): Promise<Option[]> {
    const reader = new TextReader(this.analysis);
    const { sections, scores } = this.ranked!;
    const { plan, hits, projects } = this;
    if (!plan || !hits || !projects) return sectionOptions(sections, scores, reader);
    const wanted = plan.queries.map(({ project }) => project);
    const all = await this.readOf(wanted, searches);
    const own = plan.queries.map((query, at) =>
      this.rankOf(all, { query, hits: hits[at] ?? [], searches, view }),
    );
    const merged = inTurns(plan.naming ? [plan.naming, ...own] : own, sections);
    // Scores of the first ranking keep their scale, which readers compare with the best.
    const descending = [...scores, ...merged.slice(scores.length).map(() => 0)];
    return sectionOptions(merged, descending, reader);
  }

  /** Reads the passages of some projects that were found. */
  private readOf(wanted: readonly string[], { passages }: LaneSearches): Promise<Section[]> {
    const own = passages.all.filter(({ hit: { documentId } }) =>
      wanted.includes(this.projects!.of(documentId) ?? ''),
    );
    return readSections(own, this.kit.engine, this.call);
  }

  private async rank(searches: LaneSearches, view: LanesView): Promise<Ranked> {
    const found = await readSections(searches.passages.all, this.kit.engine, this.call);
    return best(found, this.score(found, view.lanes[0]!, searches, view));
  }

  /** Ranks the sections of one project by the search for it. */
  private rankOf(
    all: readonly Section[],
    { query: { project, text, asked }, hits, searches, view }: ProjectSearch,
  ): readonly Section[] {
    const most = hits[0]?.score ?? 0;
    const words = new Map(hits.map(({ id, score }) => [id, most > 0 ? score / most : 0]));
    const own = all
      .filter(({ hit }) => this.projects!.of(hit.documentId) === project)
      .map(section => ({ ...section, words: words.get(section.passage.id) ?? 0 }));
    if (asked === undefined) return best(own, this.score(own, text, searches, view)).sections;
    // The whole question found other documents than what it asks of the project.
    const scores = [text, asked].map(one => this.score(own, one, undefined, view));
    return best(own, total(scores)).sections;
  }

  private score(
    sections: readonly Section[],
    question: string,
    searches: LaneSearches | undefined,
    { vocabulary }: LanesView,
  ): number[] {
    const { analysis } = this;
    const asked = searches?.documents[0] ?? new Map();
    return scoreSections(sections, { question, asked, vocabulary, analysis });
  }
}

interface ProjectSearch {
  readonly query: ProjectQuery;
  readonly hits: readonly Hit[];
  readonly searches: LaneSearches;
  readonly view: LanesView;
}

/** Sorts sections by their scores, equal ones as they were found. */
function best(sections: readonly Section[], scores: readonly number[]): Ranked {
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  return { sections: order.map(at => sections[at]!), scores: order.map(at => scores[at]!) };
}

/** Reads the projects from the ids of all that was found. */
const projectsOf = ({ passages, documentSearch, found }: LaneSearches): Projects =>
  new Projects([
    ...passages.all.map(({ hit }) => hit.documentId),
    ...documentSearch.keys(),
    ...found.map(({ hit }) => hit.documentId),
  ]);

/** Returns the content words of a text: function words favour short passages, and cost time. */
const contentOf = (text: string): string => [...contentWords(text)].join(' ');
