/**
 * What a room's entry (`index.ts`) exports, against what the files of the room do: an entry passes
 * on something of each file, or names it as inside.
 */
import { readdirSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';

interface Statement {
  readonly type: string;
  readonly source?: { readonly value: string } | null;
}

function statementsOf(path: string, text: string): readonly Statement[] {
  return (parseSync(path, text) as unknown as { program: { body: readonly Statement[] } }).program
    .body;
}

export interface Entry {
  /** The files, and with a slash the folders, named as inside the room. */
  readonly inside: readonly string[];
  /** The files of which something is passed on. */
  readonly exported: readonly string[];
}

export function readEntry(path: string, text: string): Entry {
  const inside = /^\/\/ Inside the room: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [];
  const exported = statementsOf(path, text).flatMap(({ source }) =>
    source ? [source.value.replace(/^\.\//, '')] : [],
  );
  return { inside, exported };
}

/** What an entry lacks or names wrongly, in words that say what to write. */
export function entryProblems(entry: Entry, files: readonly string[]): string[] {
  const isInside = (file: string): boolean =>
    entry.inside.some(name => (name.endsWith('/') ? file.startsWith(name) : file === name));
  const forgotten = files.filter(file => !entry.exported.includes(file) && !isInside(file));
  const gone = [...entry.inside, ...entry.exported].filter(
    name => !name.endsWith('/') && !files.includes(name),
  );
  return [
    ...forgotten.map(file => `${file} is neither exported nor named as inside the room`),
    ...gone.map(file => `${file} is named, but is not there`),
  ];
}

/** The files of a room, tests and the entry left out. */
export function filesOfRoom(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => /(?<!\.test)\.ts$/.test(file) && file !== 'index.ts')
    .sort();
}
