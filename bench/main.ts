/**
 * `npm run -s bench -- NAME [--json] [--data DIR] [--runs N] [--embedder NAME] [--cache DIR]
 * [--share PART] [--goals LIST] [--minutes N] [--clients N]`: one benchmark, ours and its peers
 * interleaved in the same run. Exits with 1 if a figure is below its floor.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Task } from './measure.ts';
import { WrongOption } from './measure.ts';
import { printTable } from './report.ts';
import { isBelowFloor } from './server-load/goals.ts';

const here = dirname(fileURLToPath(import.meta.url));
/** Loaded only when asked for: their files import the peers. */
const TASKS: Readonly<Record<string, () => Promise<Task>>> = {
  'lexical-6k': async () => (await import('./lexical-query.ts')).lexical6k,
  'lexical-100k': async () => (await import('./lexical-query.ts')).lexical100k,
  build: async () => (await import('./lexical-build.ts')).build6k,
  'build-100k': async () => (await import('./lexical-build.ts')).build100k,
  load: async () => (await import('./lexical-load.ts')).load,
  'ingest-growth': async () => (await import('./ingest-growth.ts')).ingestGrowth,
  memory: async () => (await import('./lexical-memory.ts')).memory,
  'vector-6k': async () => (await import('./vector-query.ts')).vector6k,
  'vector-57k': async () => (await import('./vector-query.ts')).vector57k,
  'vector-real': async () => (await import('./vector-real.ts')).vectorReal,
  'hybrid-hop': async () => (await import('./hybrid-hop.ts')).hybridHop,
  'fact-lanes': async () => (await import('./fact-lanes.ts')).factLanes,
  'question-length': async () => (await import('./question-length.ts')).questionLength,
  'trace-bytes': async () => (await import('./trace-bytes.ts')).traceBytes,
  'ask-memory': async () => (await import('./ask-memory.ts')).askMemory,
  'tree-hop': async () => (await import('./tree-hop.ts')).treeHop,
  'tree-hop-384': async () => (await import('./tree-hop-questions.ts')).treeHop384,
  'tree-hop-1024': async () => (await import('./tree-hop-questions.ts')).treeHop1024,
  'tree-hop-epoch': async () => (await import('./tree-hop-epoch.ts')).treeHopEpoch,
  graph: async () => (await import('./graph.ts')).graph,
  'catalogue-growth': async () => (await import('./catalogue-growth.ts')).catalogueGrowth,
  growth: async () => (await import('./parser-growth.ts')).parserGrowth,
  'engines-load-20k': async () => (await import('./engine-load.ts')).enginesLoad20k,
  'engines-load-100k': async () => (await import('./engine-load.ts')).enginesLoad100k,
  'engines-load': async () => (await import('./engine-load.ts')).enginesLoad,
  import: async () => (await import('./cold-import.ts')).coldImport,
  'ingest-documents': async () => (await import('./whole-commands.ts')).ingestDocuments,
  'ask-documents': async () => (await import('./whole-commands.ts')).askDocuments,
  'cold-ask': async () => (await import('./cold-ask.ts')).coldAsk,
  server: async () => (await import('./server.ts')).server,
  soak: async () => (await import('./soak.ts')).soak,
};
/** Take an hour or more, so that they run by name alone. */
const LONG = ['server', 'soak'];

function usage(problem: string): never {
  console.error(
    `bench: ${problem}\nusage: npm run -s bench -- NAME [--json] [--data DIR] [--runs N] [--embedder NAME] [--cache DIR]\nserver and soak: [--share PART] [--goals L1,L5] [--minutes N] [--clients N]\nNAME: ${Object.keys(TASKS).join(', ')}, all`,
  );
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
  },
});
const [name] = positionals;
if (name === undefined || !(name === 'all' || name in TASKS))
  usage(name === undefined ? 'which benchmark?' : `there is no benchmark "${name}"`);
const data =
  values.data ??
  process.env['MULTIHOP_DATA'] ??
  usage('the data folder is missing: --data DIR or MULTIHOP_DATA');
if (!LONG.includes(name)) installPeers();
const { embedder, cache, goals } = values;
const setting = {
  ...{ data, embedder, cache, goals },
  ...{ share: Number(values.share ?? 1) },
  ...{ minutes: Number(values.minutes ?? 60), clients: Number(values.clients ?? 50) },
  runs: Number(values.runs ?? 5),
  say: (line: string) => console.error(`bench: ${line}`),
};
const results = [];
for (const task of name === 'all'
  ? Object.keys(TASKS).filter(task => !LONG.includes(task))
  : [name]) {
  try {
    results.push(...(await (await TASKS[task]!())(setting)));
  } catch (error) {
    if (error instanceof WrongOption) usage(error.message);
    throw error;
  }
}
if (values.json) console.log(JSON.stringify(results, null, 2));
else printTable(results);
if (results.some(isBelowFloor)) process.exitCode = 1;
