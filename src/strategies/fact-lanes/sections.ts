/**
 * Keeps sections of documents with headings, such as manuals, in place of sentences: searches
 * passages for the question, then for each further project that the question names or describes.
 */
import { analysisOf } from '../../core/corpus/analysis-cache.ts';
import { inTurns } from '../../core/ranking/in-turns.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import { aboutWords } from '../../language/english/question/about-cues.ts';
import { contentWords } from '../../language/english/words/content-words.ts';
import { withoutFunctionWords } from '../../language/plain-words.ts';
import { TextReader } from '../../models/fact-ranker/text-words.ts';
import type { StrategyQuery } from '../../search/retriever.ts';
import type { OpenHop } from '../strategy.ts';
import { findBridge, WordForms } from './bridges.ts';
import type { Option } from './keep.ts';
import { PARTS_DEPTH } from './lane-searches.ts';
import { total } from './passage-rank.ts';
import { BY_SCORE } from './passages.ts';
import {
  bridgePlan,
  type DescribedProject,
  describedProject,
  namedPlan,
  type ProjectPlan,
  type ProjectQuery,
} from './project-plan.ts';
import { Projects } from './projects.ts';
import type { LanesRun } from './run.ts';
import { readSections, type Section, scoreSections, sectionOptions } from './section-rank.ts';
import type { LanesView } from './view.ts';

/** Refuses no section as a near-duplicate; see the setting `duplicates`. */
const NO_DUPLICATES = 1.01;

/** Sections with their scores, best first. */
interface Ranked {
  readonly sections: readonly Section[];
  readonly scores: readonly number[];
}

export async function* keepSections(
  run: LanesRun,
  view: LanesView,
): AsyncGenerator<OpenHop, void, void> {
  run.learning.onRanked?.(view);
  yield await run.hopOf(view, run.ranking(view)(1), run.clauses);
  if (view.found.length === 0) return;
  const hops = new SectionHops(run, view);
  yield await hops.ofQuestion();
  const described = hops.plan ? undefined : hops.described();
  if (described) yield await hops.naming(described);
  if (hops.plan) yield await hops.ofProjects(hops.plan);
}

class SectionHops {
  private readonly run: LanesRun;
  private readonly view: LanesView;
  private readonly question: string;
  private ranked: Ranked = { sections: [], scores: [] };
  private projects = new Projects([]);
  /** The projects to search next, once they are known. */
  plan: ProjectPlan | undefined;

  constructor(run: LanesRun, view: LanesView) {
    [this.run, this.view, this.question] = [run, view, view.lanes[0]!];
  }

  /** Searches passages by each lane, and by the content words of the question. */
  async ofQuestion(): Promise<OpenHop> {
    const { run, question } = this;
    const { lanes } = this.view;
    // Function words favour short passages, so the question is searched by its content words too.
    const content = contentOf(withoutFunctionWords(question));
    const about = aboutWords(question);
    const more = about === '' ? [content] : [content, `${content} ${about}`];
    const made = await this.search([...lanes, ...more], this.best);
    for (const [at, search] of made.entries())
      if (at < lanes.length) run.searches.addPassages(search, at);
      else run.searches.addPassages(search, 0, 'content');
    const found = await readSections(run.searches.passages.all, run.engine, run.call);
    this.ranked = bestFirst(found, this.score(found, question, true));
    this.projects = this.projectsFound();
    this.plan = namedPlan(question, this.ranked.sections, this.projects);
    return run.hop(this.options(), { packing: BY_SCORE }, ['sections']);
  }

  /** Returns the project that the question describes instead of naming it, if any. */
  described(): DescribedProject | undefined {
    return describedProject(this.question, this.ranked.sections, this.projects);
  }

  /** Searches the project that the question names by the words that describe another one. */
  async naming({ first, described, asked }: DescribedProject): Promise<OpenHop> {
    const { run, question, ranked } = this;
    await this.searchProjects([`${first} ${described}`], this.best);
    const projects = (this.projects = this.projectsFound());
    const ofFirst = await this.sectionsOf([first]);
    // Sections of the first search are known by their rank, others stand behind them.
    const known = new Set(ranked.sections.map(({ passage }) => passage.id));
    const found = [...ranked.sections, ...ofFirst.filter(({ passage }) => !known.has(passage.id))];
    const common = new WordForms(found, projects);
    const bridge = findBridge({ question, described, found, projects, common, first });
    if (bridge) this.plan = bridgePlan(question, { first, described, asked }, bridge, projects);
    return run.hop(this.options(), { packing: BY_SCORE }, [`${first}: ${described}`]);
  }

  /** Searches each project of the plan; their sections take turns. */
  async ofProjects({ queries, naming }: ProjectPlan): Promise<OpenHop> {
    const { run, projects } = this;
    const [first] = naming ?? this.view.found;
    const texts = queries.map(({ text, asked }) =>
      asked === undefined
        ? contentOf(`${text} ${aboutWords(text)}`)
        : `${asked} ${aboutWords(asked)}`.trim(),
    );
    const hits = await this.searchProjects(texts, first!);
    const all = await this.sectionsOf(queries.map(({ project }) => project));
    const rankings = queries.map((query, at) => this.rankedOf(query, hits[at] ?? [], all));
    const taken = inTurns(naming ? [naming, ...rankings] : rankings, ({ passage }) => passage.id);
    const ids = new Set(taken.map(({ passage }) => passage.id));
    const rest = this.ranked.sections.filter(({ passage }) => !ids.has(passage.id));
    const options = this.options([...taken, ...rest]);
    const by = naming ? `, named by ${naming[0]!.passage.id}` : '';
    return run.hop(
      options,
      // Two projects may say the same of their defaults, or the same but for a number.
      naming
        ? { packing: BY_SCORE }
        : {
            packing: BY_SCORE,
            duplicates: NO_DUPLICATES,
            groupOf: documentId => projects.of(documentId) ?? '',
          },
      queries.map(({ project }) => `${project}${by}`),
    );
  }

  /** The best sentence: it decides that sections are searched. */
  private get best(): LanesView['found'][number] {
    return this.view.found[0]!;
  }

  private search(
    texts: readonly string[],
    { search, hit }: Pick<Section, 'search' | 'hit'>,
  ): ReturnType<LanesRun['searches']['ask']> {
    const { searches, signals, call } = this.run;
    const queries = texts.map((text): StrategyQuery => ({ text, from: { ...search, id: hit.id } }));
    return searches.ask(signals.words!, queries, PARTS_DEPTH, call, 'passage');
  }

  /** Searches passages of projects. Returns the hits of each text. */
  private async searchProjects(
    texts: readonly string[],
    from: Pick<Section, 'search' | 'hit'>,
  ): Promise<(readonly Hit[])[]> {
    const made = await this.search(texts, from);
    for (const search of made) this.run.searches.addPassages(search, 0);
    return made.map(({ hits }) => hits);
  }

  /** Reads the projects from the ids of all that was found. */
  private projectsFound(): Projects {
    const { passages, documentSearch, found } = this.run.searches;
    return new Projects([
      ...passages.all.map(({ hit }) => hit.documentId),
      ...documentSearch.keys(),
      ...found.map(({ hit }) => hit.documentId),
    ]);
  }

  /** Reads the passages of some projects that were found. */
  private sectionsOf(ids: readonly string[]): Promise<Section[]> {
    const { run, projects } = this;
    const found = run.searches.passages.all.filter(({ hit: { documentId } }) =>
      ids.includes(projects.of(documentId) ?? ''),
    );
    return readSections(found, run.engine, run.call);
  }

  /** Ranks the sections of one project by the search for it. */
  private rankedOf(
    { project, text, asked }: ProjectQuery,
    hits: readonly Hit[],
    all: readonly Section[],
  ): readonly Section[] {
    const most = hits[0]?.score ?? 0;
    const words = new Map(hits.map(({ id, score }) => [id, most > 0 ? score / most : 0]));
    const sections = all
      .filter(({ hit }) => this.projects.of(hit.documentId) === project)
      .map(section => ({ ...section, words: words.get(section.passage.id) ?? 0 }));
    // The whole question found other documents than what it asks of the project.
    const scores =
      asked === undefined
        ? this.score(sections, text, true)
        : total([text, asked].map(part => this.score(sections, part, false)));
    return bestFirst(sections, scores).sections;
  }

  private score(sections: readonly Section[], question: string, byDocuments: boolean): number[] {
    const { searches, engine, parsed } = this.run;
    return scoreSections(sections, {
      question,
      language: parsed.language,
      asked: byDocuments ? searches.documents[0]! : new Map(),
      vocabulary: this.view.vocabulary,
      analysis: analysisOf(engine),
    });
  }

  /** Returns sections as options; scores of the first ranking keep their scale. */
  private options(sections: readonly Section[] = this.ranked.sections): Option[] {
    const { scores } = this.ranked;
    const descending = [...scores, ...sections.slice(scores.length).map(() => 0)];
    return sectionOptions(sections, descending, new TextReader(analysisOf(this.run.engine)));
  }
}

/** Sorts sections by their scores, equal ones as they were found. */
function bestFirst(sections: readonly Section[], scores: readonly number[]): Ranked {
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  return { sections: order.map(at => sections[at]!), scores: order.map(at => scores[at]!) };
}

/** Returns the content words of a text: function words favour short passages, and cost time. */
const contentOf = (text: string): string => [...contentWords(text)].join(' ');
