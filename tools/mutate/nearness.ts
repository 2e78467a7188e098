/** Orders the tests of a mutant: its file's own, those that import the file, then the room's. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const OWN = 0;
const IMPORTS = 1;
const OTHER = 2;

/** Returns the paths that a module loads by relative names, relative to the repository. */
export function importsOf(path: string, text: string): Set<string> {
  const loading = text.replaceAll(/import type [^;]*;/g, '');
  const found = loading.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return new Set([...found].map(([, name]) => normalize(join(dirname(path), name!))));
}

export class Nearness {
  private readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly room: readonly string[];

  /** `room`: tests that run for every mutant of a room; `all`: those that may import its file. */
  constructor(room: readonly string[], all: readonly string[], root: string) {
    this.room = room;
    this.imports = new Map(
      [...new Set([...room, ...all])].map(path => [
        path,
        importsOf(path, readFileSync(join(root, path), 'utf8')),
      ]),
    );
  }

  /** Returns the tests, nearest first, and the quickest first of those that are as near. */
  ordered(source: string, ms: (test: string) => number): string[] {
    return [...this.imports.keys()]
      .map(test => ({ test, distance: this.distance(test, source) }))
      .filter(({ test, distance }) => distance < OTHER || this.room.includes(test))
      .sort((a, b) => a.distance - b.distance || ms(a.test) - ms(b.test))
      .map(({ test }) => test);
  }

  private distance(test: string, source: string): number {
    if (test === source.replace(/\.ts$/, '.test.ts')) return OWN;
    return this.imports.get(test)!.has(source) ? IMPORTS : OTHER;
  }
}
