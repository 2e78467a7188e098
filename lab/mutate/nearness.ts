/** Orders the tests of a mutant: those of its file, its room, and all that import its file. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Returns the paths that a module loads by relative names, relative to the repository. */
export function importsOf(path: string, text: string): Set<string> {
  const loading = text.replaceAll(/import type [^;]*;/g, '');
  const found = loading.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return new Set([...found].map(([, name]) => normalize(join(dirname(path), name!))));
}

export class Nearness {
  private readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly room: ReadonlySet<string>;

  /** `room`: tests that run for every mutant of a room; `all`: those that may import its file. */
  constructor(room: readonly string[], all: readonly string[], root: string) {
    this.room = new Set(room);
    this.imports = new Map(
      [...new Set([...room, ...all])].map(path => [
        path,
        importsOf(path, readFileSync(join(root, path), 'utf8')),
      ]),
    );
  }

  /** Returns the tests of a source file: the file's own first, then the quickest first. */
  ordered(source: string, ms: (test: string) => number): string[] {
    const beside = ownTest(source);
    return this.of(source).sort(
      (a, b) => Number(b === beside) - Number(a === beside) || ms(a) - ms(b),
    );
  }

  of(source: string): string[] {
    const beside = ownTest(source);
    return [...this.imports]
      .filter(([test, imports]) => test === beside || imports.has(source) || this.room.has(test))
      .map(([test]) => test);
  }
}

const ownTest = (source: string): string => source.replace(/\.ts$/, '.test.ts');
