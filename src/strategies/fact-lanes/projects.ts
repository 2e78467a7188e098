/**
 * Tells the projects of a corpus apart by the folders of its documents, and finds their names in
 * texts: "which database does Tern use by default" leads from the folder `tern` to `egret`.
 */
import type { Section } from './sections.ts';

/** Sections of the first project whose text may name the next one. */
const NAMING_SECTIONS = 6;

/** Least length of a name: shorter ones are words of any text. */
const LEAST_NAME = 3;

/**
 * A thing that is described instead of named, as in "the library that Tern uses": such a question
 * needs the name before it can be answered.
 */
const DESCRIPTION =
  /\b(?:the|which|its|whose)\b.*\b(?:that|behind|under|beneath|below|its|it|of the|used by|based on|depends on|rests on|written with)\b/i;

/** Returns the folders of a path, without the file. */
const foldersOf = (id: string): string[] => id.split('/').slice(0, -1);

/** Returns a text as words in lower case between blanks, blanks around it too. */
const wordsBetweenBlanks = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

export class Projects {
  /** Folders that all documents share do not tell them apart. */
  private readonly depth: number;
  /** The names of each project, between blanks; the first is that of its folder. */
  private readonly names = new Map<string, readonly string[]>();

  /** Reads the projects of documents from their ids, which are paths. */
  constructor(ids: Iterable<string>) {
    const paths = [...new Set(ids)].map(foldersOf);
    this.depth = sharedDepth(paths);
    for (const folders of paths) {
      const project = folders[this.depth];
      if (project === undefined || this.names.has(project)) continue;
      const name = wordsBetweenBlanks(project);
      // A major version at the end is part of no name: psycopg3.
      const bare = ` ${name.trim().replace(/\d+$/, '').trim()} `;
      const names = [...new Set([name, bare])].filter(one => one.trim().length >= LEAST_NAME);
      this.names.set(project, names);
    }
  }

  /** Returns the project of a document; undefined if it lies in no folder of its own. */
  of(documentId: string): string | undefined {
    return foldersOf(documentId)[this.depth];
  }

  /** Returns the projects that a text names. */
  namedIn(text: string): string[] {
    const words = wordsBetweenBlanks(text);
    return [...this.names].flatMap(([project, names]) =>
      names.some(name => words.includes(name)) ? [project] : [],
    );
  }

  /** Returns the words of a text without the names of these projects. */
  without(text: string, projects: readonly string[]): string {
    const names = projects.flatMap(project => this.names.get(project) ?? []);
    return names
      .reduce((rest, name) => rest.replaceAll(name, ' '), wordsBetweenBlanks(text))
      .trim();
  }
}

/** Returns the number of folders, from the outermost, that all paths share. */
function sharedDepth(paths: readonly (readonly string[])[]): number {
  const [first = [], ...others] = paths;
  const differs = first.findIndex((folder, at) => others.some(path => path[at] !== folder));
  return Math.max(0, differs);
}

/** The projects to search next, each by words of the question. */
export interface ProjectPlan {
  /** With the query of each. */
  readonly queries: readonly { readonly project: string; readonly text: string }[];
  /** The place of the sections of the first ranking before each of a project's; 0: none. */
  readonly before: number;
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
  const named = projects.namedIn(question);
  if (named.length > 1) {
    const rest = projects.without(question, named);
    const queries = named.map(project => ({ project, text: `${project} ${rest}` }));
    return { queries, before: 0 };
  }
  const first = ranked[0] && projects.of(ranked[0].passage.documentId);
  if (first === undefined || !DESCRIPTION.test(question)) return undefined;
  const project = describedProject(first, named, ranked, projects);
  if (project === undefined) return undefined;
  const rest = projects.without(question, [first, project]);
  return { queries: [{ project, text: `${project} ${rest}` }], before: TAKEN_FIRST };
}

/**
 * Returns the project that the best sections of the first one name earliest and most often, weighed
 * by the sections of its own that were found.
 */
function describedProject(
  first: string,
  named: readonly string[],
  ranked: readonly Section[],
  projects: Projects,
): string | undefined {
  const scores = new Map<string, number>();
  const own = ranked.filter(({ passage }) => projects.of(passage.documentId) === first);
  for (const [place, { passage }] of own.slice(0, NAMING_SECTIONS).entries())
    for (const project of projects.namedIn(passage.text))
      if (project !== first && !named.includes(project))
        scores.set(project, (scores.get(project) ?? 0) + 1 / (place + 2));
  const found = Map.groupBy(ranked, ({ passage }) => projects.of(passage.documentId));
  const weighed = [...scores].map(
    ([project, score]) => [project, score * (found.get(project)?.length ?? 0)] as const,
  );
  return weighed.sort(([, a], [, b]) => b - a)[0]?.[0];
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
