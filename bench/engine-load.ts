/**
 * Load: many questions at once over composed passages in one OpenSearch node, beside the embedded
 * engine over the same in the same run, each with a process of its own. `--cache DIR` keeps the
 * server's data, so that a run that is cut goes on and another one writes nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '../src/core/defined.ts';
import type { Asked } from './engine-load/asking.ts';
import type { Loaded, Written } from './engine-load/child.ts';
import { type Cluster, estimate, type Measured } from './engine-load/estimate.ts';
import { machine, type Result, type Setting, type Task } from './measure.ts';

const AT_ONCE = 50;
/** Questions asked at a load of 50; few where each takes seconds. */
const QUESTIONS: Readonly<Record<number, number>> = { 20000: 189, 100000: 189, 1000000: 100 };
/** Memory of the server: first and most. */
const HEAP = '1g:1g';
/** MB of memory that V8 may use for objects of the embedded engine. */
const OLD_SPACE = 14_000;
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function child(words: readonly (string | number)[]): Loaded {
  const memory = `--max-old-space-size=${OLD_SPACE}`;
  const done = spawnSync(
    process.execPath,
    [memory, pathOf('engine-load/child.ts'), ...words.map(String)],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 2], maxBuffer: 1 << 26 },
  );
  if (done.status !== 0) throw new Error(`engine-load/child.ts ${words.join(' ')} failed`);
  return JSON.parse(done.stdout) as Loaded;
}

interface Served {
  readonly written: Written;
  readonly asked: readonly Asked[];
  /** Bytes of the index on the disk. */
  readonly bytes: number;
}

const script = (name: string): string => pathOf(`../tools/engines/${name}`);

/** Writes what a run before has not, and asks. */
async function serve(home: string, folder: string, size: number, data: string): Promise<Served> {
  mkdirSync(folder, { recursive: true });
  // The server runs as another user.
  chmodSync(folder, 0o755);
  const start = [script('opensearch-start.sh'), home, folder, '1', 'any', HEAP];
  const base = execFileSync('bash', start, { encoding: 'utf8' }).trim();
  try {
    const name = `load${size}`;
    const url = `opensearch://${new URL(base).host}/${name}`;
    const words = [data, size, QUESTIONS[size]!, AT_ONCE, url];
    const record = join(folder, `${name}.json`);
    if (!existsSync(record)) {
      const { written } = child(['write', ...words]);
      writeFileSync(record, JSON.stringify(written));
    }
    const written = JSON.parse(readFileSync(record, 'utf8')) as Written;
    const { asked } = child(['ask', ...words]);
    const stats = await (await fetch(`${base}/${name}/_stats/store`)).json();
    const { _all } = stats as { _all: { primaries: { store: { size_in_bytes: number } } } };
    return { written, asked, bytes: _all.primaries.store.size_in_bytes };
  } finally {
    execFileSync('bash', [script('opensearch-stop.sh'), folder]);
  }
}

const rounded = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const said = (one: Asked): string => {
  const failures = Object.entries(one.failures).map(([code, count]) => `${count} ${code}`);
  return [
    `p50 ${rounded(one.p50)}, p99 ${rounded(one.p99)}`,
    `${rounded(one.perSecond)} questions a second`,
    ...(one.roundTrips > 0 ? [`${one.roundTrips.toFixed(1)} round trips a question`] : []),
    `${one.hops.toFixed(1)} hops`,
    `CPU ms a question ${rounded(one.cpu)}${one.serverCpu > 0 ? ` and ${rounded(one.serverCpu)} of the server` : ''}`,
    `failed ${failures.join(', ') || 0} of ${one.questions}`,
  ].join('; ');
};

function rows(size: number, served: Served, embedded: Loaded): Result[] {
  const row = (
    what: string,
    unit: string,
    ours: number,
    value: number,
    notes: readonly string[],
  ): Result => ({
    task: `engines-load: ${what}, OpenSearch, one node`,
    n: size,
    unit,
    ours,
    note: notes[0] ?? '',
    machine: machine(),
    peers: [
      defined({
        name: 'embedded engine',
        version: '',
        value,
        ratio: value / ours,
        note: notes[1] ? notes[1] : undefined,
      }),
    ],
  });
  const written = embedded.written!;
  return [
    row('writing and the first search', 'wall s', served.written.seconds, written.seconds, [
      `${Math.round(served.written.passages / served.written.seconds)} passages a second`,
    ]),
    row(
      'size on the disk, and memory of the process',
      'MB',
      served.bytes / 1e6,
      embedded.resident,
      [`heap of the server ${HEAP.split(':')[1]}`],
    ),
    ...served.asked.map((one, at) => {
      const other = embedded.asked[at]!;
      const what = `${one.way}, ${one.inFlight} at once`;
      return row(what, 'wall ms, p95', one.p95, other.p95, [said(one), said(other)]);
    }),
  ];
}

/** The cluster of the estimate: machines as are usual for a server of searches. */
const CLUSTER: Cluster = {
  passages: 100_000_000,
  nodes: 30,
  coresOfNode: 16,
  replicas: 1,
  networkMs: 0.5,
};

/** Keeps the terms of a size in the folder, and returns those of all sizes measured there. */
function measuredIn(
  folder: string,
  size: number,
  { asked, bytes }: Served,
): Map<string, Measured[]> {
  const terms = asked
    .filter(({ inFlight }) => inFlight === AT_ONCE)
    .map(({ way, cpu: clientCpu, serverCpu, roundTrips }) => ({
      way,
      passages: size,
      bytes,
      clientCpu,
      serverCpu,
      roundTrips,
    }));
  writeFileSync(join(folder, `measured-${size}.json`), JSON.stringify(terms));
  const files = readdirSync(folder).filter(name => /^measured-\d+\.json$/.test(name));
  const all = files.flatMap(name =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  ) as (Measured & { readonly way: string })[];
  return Map.groupBy(all, ({ way }) => way);
}

/** On paper; no row before three sizes were measured. */
function estimated(byWay: ReadonlyMap<string, readonly Measured[]>): Result[] {
  const { passages: n, nodes, coresOfNode, replicas, networkMs } = CLUSTER;
  return [...byWay].flatMap(([way, measured]) => {
    if (measured.length < 3) return [];
    const { shard, gigabytes, nodeCpu, perSecond, idleMs } = estimate(measured, CLUSTER);
    const sizes = measured.map(({ passages }) => passages.toLocaleString('en')).join(', ');
    const note = [
      `${nodes} nodes of ${coresOfNode} cores, ${replicas} copy beside each shard, ${networkMs} ms a request`,
      `${Math.round(shard).toLocaleString('en')} passages a shard, ${gigabytes.toFixed(1)} GB a node`,
      `CPU ms of a node a question ${rounded(nodeCpu)}, a line through ${sizes} passages`,
      `an idle cluster answers in ${rounded(idleMs)} ms`,
    ].join('; ');
    const task = `engines-load: estimate on paper, ${way}`;
    return {
      task,
      n,
      unit: 'questions a second',
      ours: perSecond,
      peers: [],
      note,
      machine: machine(),
    };
  });
}

async function measured(size: number, { data, say, cache }: Setting): Promise<Result[]> {
  const home = process.env['MULTIHOP_OPENSEARCH_HOME'];
  if (!home) {
    say(
      'MULTIHOP_OPENSEARCH_HOME is not set; bring the server: tools/engines/opensearch-install.sh',
    );
    return [];
  }
  const folder = cache
    ? join(resolve(cache), 'engine-load')
    : mkdtempSync(join(tmpdir(), 'multihop-load-'));
  try {
    say(`engines-load: ${size} passages in OpenSearch`);
    const served = await serve(home, folder, size, data);
    say(`engines-load: ${size} passages in an embedded engine`);
    const embedded = child(['both', data, size, QUESTIONS[size]!, AT_ONCE]);
    return [...rows(size, served, embedded), ...estimated(measuredIn(folder, size, served))];
  } finally {
    if (!cache) rmSync(folder, { recursive: true, force: true });
  }
}

export const enginesLoad20k: Task = setting => measured(20_000, setting);
export const enginesLoad100k: Task = setting => measured(100_000, setting);
export const enginesLoad: Task = setting => measured(1_000_000, setting);
