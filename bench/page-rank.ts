/**
 * Personalised PageRank over 100,000 nodes and 1,000,000 edges beside a plain power iteration and
 * igraph, which HippoRAG uses; the first 20 nodes of each are compared.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '../src/core/defined.ts';
import { mulberry32 } from '../src/core/mulberry32.ts';
import { Adjacency, type WeightedEdges } from '../src/search/indexes/graph/adjacency.ts';
import { WalkGraph } from '../src/search/indexes/graph/page-rank.ts';
import { machine, median, type Peer, type Result, type Setting, type Spent } from './measure.ts';
import { now, since } from './tree-hop-store.ts';

const [NODES, EDGES, QUESTIONS, SEEDS, TOP] = [100_000, 1_000_000, 100, 3, 20];
const [DAMPING, TOLERANCE] = [0.5, 1e-8];
const here = dirname(fileURLToPath(import.meta.url));

type Seeds = ReadonlyMap<number, number>;

/** One end is drawn evenly, the other by the square of an even number: a few nodes have many. */
function drawn(): { readonly edges: WeightedEdges; readonly questions: readonly Seeds[] } {
  const random = mulberry32(20261125);
  const node = (): number => Math.floor(NODES * random());
  const edges = {
    from: Uint32Array.from({ length: EDGES }, () => Math.floor(NODES * random() ** 2)),
    to: Uint32Array.from({ length: EDGES }, node),
    weights: Float32Array.from({ length: EDGES }, () => 1 + Math.floor(3 * random())),
  };
  const questions = Array.from(
    { length: QUESTIONS },
    () => new Map(Array.from({ length: SEEDS }, () => [node(), 1 + random()])),
  );
  return { edges, questions };
}

/** Until the sum of all changes is below the tolerance. */
function powerIteration({ nodes, starts, targets, weights, degrees }: Adjacency, seeds: Seeds) {
  const sum = [...seeds.values()].reduce((all, weight) => all + weight, 0);
  let scores = new Float64Array(nodes);
  for (const [node, weight] of seeds) scores[node] = weight / sum;
  for (let change = 1; change > TOLERANCE; ) {
    const next = new Float64Array(nodes);
    let stuck = 0;
    for (let node = 0; node < nodes; node++) {
      if (degrees[node] === 0) stuck += scores[node]!;
      const share = (DAMPING * scores[node]!) / degrees[node]!;
      if (share > 0 && degrees[node] !== 0)
        for (let at = starts[node]!; at < starts[node + 1]!; at++)
          next[targets[at]!]! += weights[at]! * share;
    }
    for (const [node, weight] of seeds)
      next[node]! += ((1 - DAMPING + DAMPING * stuck) * weight) / sum;
    change = 0;
    for (let node = 0; node < nodes; node++) change += Math.abs(next[node]! - scores[node]!);
    scores = next;
  }
  return scores;
}

function timed<T>(questions: readonly Seeds[], answer: (seeds: Seeds) => T) {
  const spent: Spent[] = [];
  const answers = questions.map(seeds => {
    const started = now();
    const answered = answer(seeds);
    spent.push(since(started));
    return answered;
  });
  return { spent, answers };
}

/** Share of the places at which a node has the score of that place, within the tolerance. */
function agreement(first: readonly (readonly number[])[], expected: readonly Float64Array[]) {
  let same = 0;
  for (const [at, nodes] of first.entries()) {
    const scores = expected[at]!;
    const best = scores.toSorted().reverse();
    for (const [place, node] of nodes.entries())
      if (Math.abs(scores[node]! - best[place]!) <= TOLERANCE) same += 1;
  }
  return same / (first.length * TOP);
}

interface ByIgraph {
  readonly version: string;
  readonly walls: readonly number[];
  readonly cpus: readonly number[];
  readonly first: readonly (readonly number[])[];
}

/** Installs igraph into `.cache` at the first run; undefined where that fails. */
function python(say: Setting['say']): string | undefined {
  const folder = join(here, '..', '.cache', 'igraph');
  const program = join(folder, 'bin', 'python');
  if (existsSync(program)) return program;
  say('graph: installing igraph from PyPI into .cache/igraph ...');
  const made = spawnSync('python3', ['-m', 'venv', folder], { stdio: ['ignore', 2, 2] });
  const pip = ['-m', 'pip', 'install', '-q', 'igraph==1.0.0', 'numpy'];
  if (made.status === 0 && spawnSync(program, pip, { stdio: ['ignore', 2, 2] }).status === 0)
    return program;
  rmSync(folder, { recursive: true, force: true });
  say('graph: igraph cannot be installed; it is reported as absent');
  return undefined;
}

/** The edges of a graph, each once: without loops and repetitions, as ours has them. */
function onceEach({ starts, targets, weights }: Adjacency): WeightedEdges {
  const [from, to, of]: number[][] = [[], [], []];
  for (let node = 0; node + 1 < starts.length; node++)
    for (let at = starts[node]!; at < starts[node + 1]!; at++)
      if (node < targets[at]!) {
        from!.push(node);
        to!.push(targets[at]!);
        of!.push(weights[at]!);
      }
  return {
    from: Uint32Array.from(from!),
    to: Uint32Array.from(to!),
    weights: Float32Array.from(of!),
  };
}

function byIgraph(edges: WeightedEdges, questions: readonly Seeds[], say: Setting['say']) {
  const program = python(say);
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'igraph-'));
  try {
    for (const name of ['from', 'to', 'weights'] as const)
      writeFileSync(join(folder, name), edges[name]);
    const seeds = questions.map(one => [...one]);
    writeFileSync(join(folder, 'seeds.json'), JSON.stringify({ nodes: NODES, seeds }));
    const run = spawnSync(program, [join(here, 'page_rank.py'), folder, String(TOP)], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 2],
    });
    return run.status === 0 ? (JSON.parse(run.stdout) as ByIgraph) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const wallOf = (spent: readonly Spent[]): number => median(spent.map(({ wall }) => wall));
const cpuOf = (spent: readonly Spent[]): string =>
  `CPU p50 ${median(spent.map(({ cpu }) => cpu)).toPrecision(3)} ms`;

export async function pageRank({ say }: Setting): Promise<Result[]> {
  say('graph: PageRank');
  const { edges, questions } = drawn();
  const graph = Adjacency.of(NODES, edges);
  const walk = new WalkGraph(graph);
  const rank = (seeds: Seeds) => walk.rank(seeds, { damping: DAMPING, top: TOP });
  for (const seeds of questions.slice(0, 20)) rank(seeds);
  const ours = timed(questions, rank);
  const plain = timed(questions, seeds => powerIteration(graph, seeds));
  const peer = byIgraph(onceEach(graph), questions, say);
  const expected = plain.answers;
  const first = ours.answers.map(answer => answer.first.map(({ item }) => item));
  const value = wallOf(ours.spent);
  const steps = median(ours.answers.map(answer => answer.steps));
  const peers: Peer[] = [
    {
      name: 'power iteration',
      version: `to ${TOLERANCE}`,
      value: wallOf(plain.spent),
      ratio: wallOf(plain.spent) / value,
      note: cpuOf(plain.spent),
    },
    defined({
      name: 'igraph',
      version: peer?.version ?? '',
      value: peer ? median(peer.walls) : null,
      ratio: peer ? median(peer.walls) / value : null,
      agreement: peer ? agreement(peer.first, expected) : undefined,
      note: peer ? `prpack, CPU p50 ${median(peer.cpus).toPrecision(3)} ms` : '',
    }),
  ];
  return [
    {
      task: `graph: personalised PageRank, ${EDGES.toLocaleString('en')} edges, ${QUESTIONS} questions of ${SEEDS} seeds, agreement@${TOP} with the power iteration`,
      n: NODES,
      unit: 'wall ms, p50',
      ours: value,
      peers,
      agreement: agreement(first, expected),
      note: `${cpuOf(ours.spent)}, ${steps} steps`,
      machine: machine(),
    },
  ];
}
