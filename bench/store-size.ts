/**
 * A store of many passages beside other engines that keep an index of words in a folder: writing,
 * opening, searching, memory. Each step has a process of its own. `--cache DIR` keeps what is
 * written.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine, type Result, type Setting, type Task } from './measure.ts';
import type { Asked, Wrote } from './store-size/child.ts';

const CHILD = fileURLToPath(new URL('store-size/child.ts', import.meta.url));
/** The goals of the store, by which the rows are ordered. */
const ROWS: readonly {
  readonly what: string;
  readonly unit: string;
  readonly of: (wrote: Wrote, asked: Asked, size: number) => number;
}[] = [
  {
    what: 'writing',
    unit: 'wall s a million passages',
    of: ({ seconds }, _, n) => (seconds * 1e6) / n,
  },
  { what: 'memory while writing, at most', unit: 'MB', of: ({ peak }) => peak },
  { what: 'opening', unit: 'wall ms', of: (_, { open }) => open },
  { what: 'first search', unit: 'wall ms', of: (_, { first }) => first },
  { what: 'search, p50', unit: 'wall ms', of: (_, { p50 }) => p50 },
  { what: 'search, p95', unit: 'wall ms', of: (_, { p95 }) => p95 },
  { what: 'memory after all questions', unit: 'MB', of: (_, { resident }) => resident },
];

function child<T>(words: readonly (string | number)[]): T | undefined {
  const done = spawnSync(process.execPath, [CHILD, ...words.map(String)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
    maxBuffer: 1 << 26,
  });
  return done.status === 0 ? (JSON.parse(done.stdout) as T) : undefined;
}

interface Measured {
  readonly name: string;
  readonly wrote: Wrote;
  readonly asked: Asked;
}

function measure(name: string, size: number, folder: string, data: string): Measured | undefined {
  const home = join(folder, `${name}-${size}`);
  const record = `${home}.json`;
  if (!existsSync(record)) {
    const wrote = child<Wrote>(['write', name, data, size, home]);
    if (!wrote) return undefined;
    writeFileSync(record, JSON.stringify(wrote));
  }
  const wrote = JSON.parse(readFileSync(record, 'utf8')) as Wrote;
  const asked = child<Asked>(['ask', name, data, size, home]);
  return asked && { name, wrote, asked };
}

/** Returns the part of our ten best passages that another engine has among its own. */
function agreement(ours: Asked, theirs: Asked): number {
  const parts = ours.found.map((ids, at) => {
    const other = new Set(theirs.found[at]);
    return ids.filter(id => other.has(id)).length / Math.max(1, ids.length);
  });
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

function sized(size: number, { data, say, cache }: Setting): Result[] {
  const folder = cache
    ? join(resolve(cache), 'store-size')
    : mkdtempSync(join(tmpdir(), 'multihop-size-'));
  mkdirSync(folder, { recursive: true });
  const measured = (name: string): Measured | undefined => {
    say(`store-size: ${size} passages in ${name}`);
    return measure(name, size, folder, data);
  };
  try {
    const ours = measured('multihop');
    if (!ours) throw new Error('store-size/child.ts failed');
    const others = ['lancedb', 'sqlite'].flatMap(name => measured(name) ?? []);
    return ROWS.map(({ what, unit, of }) => {
      const own = of(ours.wrote, ours.asked, size);
      const peers = others.map(({ name, wrote, asked }) => {
        const value = of(wrote, asked, size);
        return {
          name,
          version: '',
          value,
          ratio: value / own,
          agreement: agreement(ours.asked, asked),
        };
      });
      return { task: `store-size: ${what}`, n: size, unit, ours: own, peers, machine: machine() };
    });
  } finally {
    if (!cache) rmSync(folder, { recursive: true, force: true });
  }
}

export const store200k: Task = async setting => sized(200_000, setting);
export const store1m: Task = async setting => sized(1_000_000, setting);
