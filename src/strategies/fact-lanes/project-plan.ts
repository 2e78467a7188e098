/**
 * Plans the searches of further projects: those that a question names, if there are several, and
 * the one that it only describes.
 */
import { type Bridge, findBridge, leftToAsk, WordForms } from './bridges.ts';
import type { Projects } from './projects.ts';
import type { Section } from './sections.ts';

/**
 * A thing that is described instead of named, as in "the library that Tern uses": such a question
 * needs the name before it can be answered.
 */
const DESCRIPTION =
  /\b(?:the|which|its|whose)\b.*\b(?:that|behind|under|beneath|below|its|it|of the|used by|based on|depends on|rests on|written with)\b/i;

/** A project to search next. */
export interface ProjectQuery {
  readonly project: string;
  /** Words of the question without names of other projects. */
  readonly text: string;
  /** Those that the section which names the project does not say; missing if it is named. */
  readonly left?: string;
}

/** The projects to search next, each by words of the question. */
export interface ProjectPlan {
  readonly queries: readonly ProjectQuery[];
  /** The place of the sections of the first ranking before each of a project's; 0: none. */
  readonly before: number;
  /** The section that names the project; missing if the question does. */
  readonly naming?: Section;
}

/** Sections of the first ranking that are taken for each of a described project's. */
const TAKEN_FIRST = 2;

/**
 * Returns the projects that need a search of their own: all that the question names, if it names
 * several, and else the one that the best sections name, if the question describes it. Undefined if
 * there is none.
 *
 * @param ranked sections, best first
 */
export function projectPlan(
  question: string,
  ranked: readonly Section[],
  projects: Projects,
): ProjectPlan | undefined {
  const common = new WordForms(ranked);
  const named = projects.namedIn(question).filter(project => !common.isWordIn(project, question));
  if (named.length > 1) {
    const rest = projects.without(question, named);
    const queries = named.map(project => ({ project, text: `${project} ${rest}` }));
    return { queries, before: 0 };
  }
  const first = named[0] ?? (ranked[0] && projects.of(ranked[0].passage.documentId));
  if (first === undefined || !DESCRIPTION.test(question)) return undefined;
  const bridge = findBridge({ question, ranked, projects, common, first });
  return bridge && bridgePlan(question, first, bridge, projects);
}

function bridgePlan(
  question: string,
  first: string,
  { project, naming }: Bridge,
  projects: Projects,
): ProjectPlan {
  const rest = projects.without(question, [first, project]);
  const left = leftToAsk(rest, naming);
  const query = { project, text: `${project} ${rest}` };
  const queries = [left === '' ? query : { ...query, left: `${project} ${left}` }];
  return { queries, before: TAKEN_FIRST, naming };
}

/**
 * Merges rankings: `before` of the first ranking, then one of each project, again and again; with 0
 * one of each project in turn. The rest of the first ranking comes last. Each section once.
 */
export function inTurns(
  ranked: readonly Section[],
  own: readonly (readonly Section[])[],
  before: number,
): Section[] {
  const lists = before === 0 ? own : [ranked, ...own];
  const counts = lists.map((_, at) => (before > 0 && at === 0 ? before : 1));
  const merged = new Map<string, Section>();
  const most = Math.max(0, ...own.map(({ length }) => length));
  for (let turn = 0; turn < most; turn++)
    for (const [at, list] of lists.entries())
      for (const section of list.slice(turn * counts[at]!, (turn + 1) * counts[at]!))
        if (!merged.has(section.passage.id)) merged.set(section.passage.id, section);
  for (const section of ranked)
    if (!merged.has(section.passage.id)) merged.set(section.passage.id, section);
  return [...merged.values()];
}
