/** Finds the projects of a corpus by the folders of its documents, and their names in questions. */

/** Least length of a name: shorter ones are words of any text. */
const LEAST_NAME = 3;

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
  /** The projects of each name, the longest names first. */
  private readonly longest: readonly (readonly [string, readonly string[]])[];

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
      const names = [...new Set([name, bare])].filter(
        spelling => spelling.trim().length >= LEAST_NAME,
      );
      this.names.set(project, names);
    }
    const byWords = Map.groupBy(
      [...this.names].flatMap(([project, names]) => names.map(name => ({ name, project }))),
      ({ name }) => name,
    );
    this.longest = [...byWords]
      .map(([name, list]) => [name, list.map(({ project }) => project)] as const)
      .sort(([a], [b]) => b.length - a.length);
  }

  /** Returns the project of a document; undefined if it lies in no folder of its own. */
  of(documentId: string): string | undefined {
    return foldersOf(documentId)[this.depth];
  }

  /** Returns the projects that a text names; a name within a longer one is not counted. */
  namedIn(text: string): string[] {
    let words = wordsBetweenBlanks(text);
    const found = new Set<string>();
    for (const [name, projects] of this.longest) {
      if (!words.includes(name)) continue;
      for (const project of projects) found.add(project);
      words = words.replaceAll(name, '  ');
    }
    return [...this.names.keys()].filter(project => found.has(project));
  }
}

/** Returns the number of folders, from the outermost, that all paths share. */
function sharedDepth(paths: readonly (readonly string[])[]): number {
  const [first = [], ...others] = paths;
  const differs = first.findIndex((folder, at) => others.some(path => path[at] !== folder));
  return Math.max(0, differs);
}
