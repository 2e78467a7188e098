/** Finds the kept results of benchmarks whose measured sources have changed since. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importClosure } from '../lab/results/import-closure.ts';
import { git } from './commit.ts';
import type { Result } from './measure.ts';
import { TASKS } from './tasks.ts';

const KEPT = fileURLToPath(new URL('../results/bench/', import.meta.url));

/** A commit of a kept file; rows of some were measured at several. */
export interface KeptResult {
  readonly file: string;
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
}

/** Returns what was measured at each commit, oldest file name first. */
export function keptResults(): KeptResult[] {
  return readdirSync(KEPT).flatMap(file => {
    const text = readFileSync(join(KEPT, file), 'utf8');
    const rows = file.endsWith('.json') ? (JSON.parse(text) as Result[]) : [headOf(text)];
    const kept = rows.flatMap(({ commit = '', date = '', machine }) =>
      commit.split(', ').map(one => ({ file, commit: one.replace(/\+$/, ''), date, machine })),
    );
    return [...new Map(kept.map(one => [one.commit, one])).values()];
  });
}

/** The first line of kept output names the command, its commit, date and machine. */
function headOf(text: string): Pick<Result, 'commit' | 'date' | 'machine'> {
  const [, commit = '', date = '', machine = ''] =
    /\(commit (\w+), ([\d-]+), ([^)]+)\)/.exec(text.split('\n')[0]!) ?? [];
  return { commit, date, machine };
}

/** Returns the benchmark that printed a file: some are named by it and by what was special. */
export function taskOf(file: string): string {
  const name = file.replace(/\.\w+$/, '');
  const names = Object.keys(TASKS).filter(one => name === one || name.startsWith(`${one}-`));
  return names.sort((a, b) => b.length - a.length)[0] ?? name;
}

/** Returns the sources that a benchmark measures: those of `src` that it imports or starts. */
export function measuredSources(task: string): readonly string[] {
  const { file, starts = [] } = TASKS[task]!;
  return importClosure([`bench/${file}`, ...starts]).filter(path => !path.startsWith('bench/'));
}

/** Returns the sources of these that differ from a commit; undefined if git does not know it. */
function changedSince(commit: string, sources: readonly string[]): string[] | undefined {
  if (git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`) === '') return undefined;
  const changed = new Set(git('diff', '--name-only', commit).split('\n'));
  return sources.filter(path => changed.has(path));
}

/** Lists kept results that are stale, as a table. */
export function staleResults(kept: readonly KeptResult[] = keptResults()): string {
  const sources = new Map<string, readonly string[]>();
  const rows = kept.flatMap(({ file, commit, date }) => {
    const task = taskOf(file);
    if (!sources.has(task)) sources.set(task, measuredSources(task));
    const all = sources.get(task)!;
    const changed = changedSince(commit, all);
    if (changed?.length === 0) return [];
    const some = changed?.slice(0, 3).join(', ');
    const what = changed
      ? `${changed.length} of ${all.length} sources changed: ${some}`
      : 'git does not know the commit';
    return [`${file.padEnd(24)}  ${commit.slice(0, 8).padEnd(8)}  ${date}  ${what}`];
  });
  return rows.length > 0 ? rows.join('\n') : 'No kept result is stale.';
}
