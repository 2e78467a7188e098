/** Makes the indexes that tools need, as a user of each would, and opens the tools. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../lab/results/steps.ts';
import { grepTools } from './grep.ts';
import { FULL, multihopTools, SHORT } from './multihop.ts';
import type { Index } from './outcomes.ts';
import { QMD, qmdPlaces, qmdTools } from './qmd.ts';
import { spentBy } from './spent.ts';
import type { ToolSet } from './tool-set.ts';

export interface Places {
  readonly corpus: string;
  readonly work: string;
}

interface Indexed {
  readonly open: (places: Places) => ToolSet | Promise<ToolSet>;
  readonly folder?: string;
  /** Commands of Node that make the index. */
  commands?(places: Places): readonly (readonly string[])[];
}

const qmd = (path: string, name: string): string[] =>
  [QMD, 'collection', 'add', path, '--name', name].concat('--mask', '**/*');

const ours = (sizes: typeof FULL): Indexed => ({
  open: ({ work }) => multihopTools(join(work, 'multihop.store'), sizes),
  folder: 'multihop.store',
  commands: ({ corpus, work }) => [
    [join(ROOT, 'src/cli/main.ts'), 'ingest', corpus, '--store', join(work, 'multihop.store')],
  ],
});

export const SETS: Readonly<Record<string, Indexed>> = {
  grep: { open: ({ corpus }) => grepTools(corpus) },
  qmd: {
    open: ({ corpus, work }) => qmdTools(join(work, 'qmd'), corpus),
    folder: 'qmd',
    // QMD leaves folders named "dist" out; the documents of next are in one.
    commands: ({ corpus }) => [qmd(corpus, 'docs'), qmd(join(corpus, 'next', 'dist'), 'next')],
  },
  multihop: ours(FULL),
  short: ours(SHORT),
};

/** Makes an index unless it is there, and returns what it took. */
export function indexOf(name: string, places: Places): Index | undefined {
  const { folder, commands } = SETS[name]!;
  if (folder === undefined || commands === undefined) return undefined;
  const note = join(places.work, `${folder}.json`);
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8'));
  const place = join(places.work, folder);
  mkdirSync(name === 'qmd' ? place : places.work, { recursive: true });
  const before = spentBy().seconds;
  for (const words of commands(places)) {
    const env = { ...process.env, ...qmdPlaces(join(places.work, 'qmd')) };
    const done = spawnSync(process.execPath, words, { env, stdio: ['ignore', 2, 2] });
    if (done.status !== 0) throw new Error(`${words.join(' ')}: exit code ${done.status}`);
  }
  const files = readdirSync(place, { recursive: true, withFileTypes: true });
  const sizes = files
    .filter(file => file.isFile())
    .map(file => statSync(join(file.parentPath, file.name)).size);
  const index = {
    seconds: spentBy().seconds - before,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
  };
  writeFileSync(note, JSON.stringify(index));
  return index;
}
