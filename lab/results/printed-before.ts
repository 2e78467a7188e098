/**
 * Keeps what a report printed before of steps that are not finished here, so that one step can be
 * printed without running the others again. Sections keep their text; `result.json` keeps the
 * figures and manifests of their steps, under the names that say which sources printed them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Compacted, readCompact } from './compact.ts';

export interface PrintedBefore {
  /** The whole report. */
  readonly markdown: string;
  /** Text below each heading. */
  readonly sections: ReadonlyMap<string, string>;
  readonly result: Compacted;
}

/** The line that ends every report. */
export const LAST_LINE =
  'Rows by their full names, intervals and manifests: [result.json](result.json).';

/** Reads the report of a folder; undefined if there is none. */
export function printedBefore(folder: string): PrintedBefore | undefined {
  const path = join(folder, 'report.md');
  if (!existsSync(path)) return undefined;
  const markdown = readFileSync(path, 'utf8');
  const [, ...parts] = markdown.replace(LAST_LINE, '').split(/^## /m);
  const sections = parts.map((part): [string, string] => {
    const end = part.indexOf('\n');
    return [part.slice(0, end).trim(), part.slice(end).trim()];
  });
  const result = readCompact(readFileSync(join(folder, 'result.json'), 'utf8'));
  return { markdown, sections: new Map(sections), result };
}

/** Names of steps end in the versions of the sources that they measure, if these are few. */
const withoutVersions = (name: string): string => name.replace(/(?:-[0-9a-f]{8})+$/, '');

/** Returns by name of a step the name under which an earlier report has its figures. */
export function namesBefore(
  names: readonly string[],
  { result }: Pick<PrintedBefore, 'result'>,
): Map<string, string> {
  const before = new Map(
    Object.keys(result.evaluations).map(name => [withoutVersions(name), name] as const),
  );
  return new Map(
    names.flatMap((name): [string, string][] => {
      const known = before.get(withoutVersions(name));
      return known === undefined ? [] : [[name, known]];
    }),
  );
}

/** A map that remembers which of `names` were read and are not there. */
export class Watched<T> extends Map<string, T> {
  readonly missed: Set<string> = new Set();
  private readonly names: readonly string[];

  constructor(entries: ReadonlyMap<string, T>, names: readonly string[]) {
    super(entries);
    this.names = names;
  }

  override get(name: string): T | undefined {
    if (!this.has(name)) this.missed.add(name);
    return super.get(name);
  }

  override values(): MapIterator<T> {
    for (const name of this.names) if (!this.has(name)) this.missed.add(name);
    return super.values();
  }
}
