/**
 * Plans the searches of further projects: the projects that a question names, if there are several,
 * and the project that it only describes.
 */

import {
  type DescribedThing,
  describedThing,
  describesThing,
} from '../../language/english/question/described-thing.ts';
import { type Bridge, WordForms } from './bridges.ts';
import type { Projects } from './projects.ts';
import type { Section } from './section-rank.ts';

/** A project to search next. */
export interface ProjectQuery {
  readonly project: string;
  /** Words of the question without names of other projects. */
  readonly text: string;
  /** Those that ask something of a project that the question only describes. */
  readonly asked?: string;
}

/** The projects to search next, each by words of the question. */
export interface ProjectPlan {
  readonly queries: readonly ProjectQuery[];
  /** The sections that name the project, best first; missing if the question does. */
  readonly naming?: readonly Section[];
}

/** A project that the question only describes, by words about the project that names it. */
export interface DescribedProject extends DescribedThing {
  readonly first: string;
}

/** Returns the projects of a question that names several; undefined if it does not. */
export function namedPlan(
  question: string,
  ranked: readonly Section[],
  projects: Projects,
): ProjectPlan | undefined {
  const stated = namedIn(question, ranked, projects);
  if (stated.length < 2) return undefined;
  const rest = projects.without(question, stated);
  return { queries: stated.map(project => ({ project, text: `${project} ${rest}` })) };
}

const namedIn = (question: string, ranked: readonly Section[], projects: Projects): string[] => {
  const common = new WordForms(ranked, projects);
  return projects.namedIn(question).filter(project => !common.isWordIn(project, question));
};

/**
 * Returns the project that a question describes, beside the one that it names or else the best
 * section is of; undefined if it describes none.
 *
 * @param ranked sections, best first
 */
export function describedProject(
  question: string,
  ranked: readonly Section[],
  projects: Projects,
): DescribedProject | undefined {
  const [stated] = namedIn(question, ranked, projects);
  const first = stated ?? (ranked[0] && projects.of(ranked[0].passage.documentId));
  if (first === undefined) return undefined;
  const place = stated === undefined ? undefined : projects.placeIn(question, stated);
  const thing = place && describedThing(question, place);
  if (thing) return { ...thing, first };
  return describesThing(question) ? { first, described: question, asked: question } : undefined;
}

/** Returns the plan that searches a project that is found. */
export function bridgePlan(
  question: string,
  { first, asked }: DescribedProject,
  { project, naming }: Bridge,
  projects: Projects,
): ProjectPlan {
  const rest = projects.without(question, [first, project]);
  const described = projects.without(asked, [first, project]);
  const query = { project, text: `${project} ${rest}`, asked: `${project} ${described}` };
  return { queries: [query], naming };
}
