/** Orders the tests of a mutant: its file's own, those that import the file, then all others. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const OWN = 0;
const IMPORTS = 1;
const OTHER = 2;

/** Returns the paths that a module imports by relative names, relative to the repository. */
export function importsOf(path: string, text: string): Set<string> {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return new Set([...found].map(([, name]) => normalize(join(dirname(path), name!))));
}

export class Nearness {
  private readonly imports: ReadonlyMap<string, ReadonlySet<string>>;

  /** Reads the test files below `root`. */
  constructor(paths: readonly string[], root: string) {
    this.imports = new Map(
      paths.map(path => [path, importsOf(path, readFileSync(join(root, path), 'utf8'))]),
    );
  }

  /** Returns the tests, nearest first, and the quickest first of those that are as near. */
  ordered(source: string, ms: (test: string) => number): string[] {
    return [...this.imports.keys()].sort(
      (a, b) => this.distance(a, source) - this.distance(b, source) || ms(a) - ms(b),
    );
  }

  private distance(test: string, source: string): number {
    if (test === source.replace(/\.ts$/, '.test.ts')) return OWN;
    return this.imports.get(test)?.has(source) ? IMPORTS : OTHER;
  }
}
