/**
 * `npm run -s bench -- NAME [--json] [--data DIR] [--runs N] [--embedder NAME] [--cache DIR]
 * [--share PART] [--goals LIST] [--minutes N] [--clients N]`: one benchmark, ours and its peers
 * interleaved in the same run. Exits with 1 if a figure is below its floor. `--stale` lists the
 * kept results whose measured sources have changed since.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { commitNow } from './commit.ts';
import type { Result, Task } from './measure.ts';
import { WrongOption } from './measure.ts';
import { printTable } from './report.ts';
import { isBelowFloor } from './server-load/goals.ts';
import { staleResults } from './stale.ts';
import { TASKS } from './tasks.ts';

const here = dirname(fileURLToPath(import.meta.url));
/** Take an hour or more, so that they run by name alone. */
const LONG = ['server', 'soak', 'capacity'];

const USAGE = `usage: npm run -s bench -- NAME [--json] [--data DIR] [--runs N] [--embedder NAME] [--cache DIR]
engines-changes: [--share PART]
capacity: [--share PART]
server and soak: [--share PART] [--goals L1,L5] [--minutes N] [--clients N]
NAME: ${Object.keys(TASKS).join(', ')}, all
or: npm run -s bench -- --stale`;

function usage(problem: string): never {
  console.error(`bench: ${problem}\n${USAGE}`);
  process.exit(2);
}

function installPeers(): void {
  if (existsSync(join(here, 'node_modules', '@langchain'))) return;
  console.error('bench: installing the peers into bench/node_modules ...');
  const done = spawnSync(
    'npm',
    ['ci', '--prefix', here, '--ignore-scripts', '--no-audit', '--no-fund'],
    { stdio: ['ignore', 2, 2] },
  );
  if (done.status !== 0)
    console.error('bench: npm ci failed; peers that are missing are reported as absent');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    data: { type: 'string' },
    runs: { type: 'string' },
    embedder: { type: 'string' },
    cache: { type: 'string' },
    share: { type: 'string' },
    goals: { type: 'string' },
    minutes: { type: 'string' },
    clients: { type: 'string' },
    stale: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
if (values.stale) {
  console.log(staleResults());
  process.exit();
}
const [name] = positionals;
if (name === undefined || !(name === 'all' || name in TASKS))
  usage(name === undefined ? 'which benchmark?' : `there is no benchmark "${name}"`);
const names = name === 'all' ? Object.keys(TASKS).filter(task => !LONG.includes(task)) : [name];
const data = values.data ?? process.env['MULTIHOP_DATA'] ?? '';
if (data === '' && names.some(one => TASKS[one]!.needsData !== false))
  usage('the data folder is missing: --data DIR or MULTIHOP_DATA');
if (!LONG.includes(name)) installPeers();
const { embedder, cache, goals } = values;
const setting = {
  data,
  embedder,
  cache,
  goals,
  share: Number(values.share ?? 1),
  minutes: Number(values.minutes ?? 60),
  clients: Number(values.clients ?? 50),
  runs: Number(values.runs ?? 5),
  say: (line: string) => console.error(`bench: ${line}`),
};
/** Loaded only when asked for: its file imports the peers. */
async function measured(name: string): Promise<Result[]> {
  const { file, task } = TASKS[name]!;
  const { [task]: run } = (await import(`./${file}`)) as Record<string, Task>;
  const before = { commit: commitNow(), date: new Date().toISOString().slice(0, 10) };
  return (await run!(setting)).map(result => ({ ...before, ...result }));
}

const results: Result[] = [];
for (const name of names) {
  try {
    results.push(...(await measured(name)));
  } catch (error) {
    if (error instanceof WrongOption) usage(error.message);
    throw error;
  }
}
if (values.json) console.log(JSON.stringify(results, null, 2));
else printTable(results);
if (results.some(isBelowFloor)) process.exitCode = 1;
