/**
 * Time of a question that TreeHop asks in two hops at K = 5, without its embedding.
 */
import { readFileSync } from 'node:fs';
import { prepareTreeHop } from '../src/models/tree-hop/tree-hop.ts';
import { SEARCH_DEPTH } from '../src/strategies/strategy.ts';
import {
  machine,
  median,
  type Peer,
  type Result,
  type Setting,
  type Spent,
  type Task,
} from './measure.ts';
import {
  clocked,
  hopsOf,
  now,
  type Parts,
  ROWS,
  since,
  type TreeHopStore,
  treeHopStore,
} from './tree-hop-store.ts';

const K = 5;
const WARM_UP = 20;
const MEASURED = 220;
/** Questions of the peers in each round. */
const PEER_QUESTIONS = 6;

interface Asked extends Parts {
  readonly whole: Spent;
}

/** The value below which a share of the sorted values lies. */
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(share * values.length))
  ]!;

const figure = (value: number): string => value.toPrecision(3);

/** The same work of the peers: six searches by usearch, five updates in plain JavaScript. */
interface Peers {
  readonly search: ((question: number) => void) | undefined;
  readonly update: () => void;
}

async function peersOf({ vectors, parameters }: TreeHopStore): Promise<Peers> {
  const { rows, queries, dimensions } = vectors;
  const plain = prepareTreeHop(parameters, { mode: 'plain' });
  const layer = rows.slice(0, K * dimensions);
  const update = (): void => void plain.update(layer, layer);
  try {
    const { exactSearch, MetricKind } = await import('usearch');
    const search = (question: number): void => {
      exactSearch(
        rows,
        queries[question % queries.length]!,
        dimensions,
        SEARCH_DEPTH,
        MetricKind.IP,
        1,
      );
      exactSearch(rows, layer, dimensions, K, MetricKind.IP, 1);
    };
    return { search, update };
  } catch {
    return { search: undefined, update };
  }
}

const usearchVersion = (): string =>
  JSON.parse(readFileSync(new URL('node_modules/usearch/package.json', import.meta.url), 'utf8'))
    .version;

/** Times of each, in the order of the questions. */
interface Measured {
  readonly asked: readonly Asked[];
  readonly searches: readonly Spent[];
  readonly updates: readonly Spent[];
}

async function single(
  store: TreeHopStore,
  peers: Peers,
  { runs, say }: Setting,
): Promise<Measured> {
  const { kit, take } = clocked(store);
  const { questions, vectors } = store;
  let next = 0;
  const ask = async (): Promise<Asked> => {
    const started = now();
    await hopsOf(kit, questions[next++ % questions.length]!);
    return { whole: since(started), ...take() };
  };
  for (let i = 0; i < WARM_UP; i++) await ask();
  say(`tree-hop: single questions at d = ${vectors.dimensions}, ${runs} interleaved runs`);
  const asked: Asked[] = [];
  const [searches, updates]: [Spent[], Spent[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    for (const end = ((run + 1) * MEASURED) / runs; asked.length < end; ) asked.push(await ask());
    for (let i = 0; i < PEER_QUESTIONS; i++) {
      const started = now();
      peers.search?.(run * PEER_QUESTIONS + i);
      if (peers.search) searches.push(since(started));
      const between = now();
      peers.update();
      updates.push(since(between));
    }
  }
  return { asked, searches, updates };
}

const medianSpent = (spent: readonly Spent[]): Spent => ({
  wall: median(spent.map(({ wall }) => wall)),
  cpu: median(spent.map(({ cpu }) => cpu)),
});

function questionResult(d: number, { asked, searches, updates }: Measured): Result {
  const whole = medianSpent(asked.map(one => one.whole));
  const search = medianSpent(asked.map(one => sum(one.searches)));
  const update = medianSpent(asked.map(one => one.update));
  const share = (part: number): string => `${Math.round((100 * part) / whole.cpu)}%`;
  const parts = `search ${both(search)}, update ${both(update)}; of the CPU: search ${share(search.cpu)}, update ${share(update.cpu)}, rest ${share(whole.cpu - search.cpu - update.cpu)}`;
  const p95 = percentile(
    asked.map(one => one.whole.wall),
    0.95,
  );
  return {
    task: `tree-hop: a question in two hops, K = ${K}, d = ${d}`,
    n: ROWS,
    unit: 'wall ms',
    ours: whole.wall,
    machine: machine(),
    note: `p50 of ${asked.length}; p95 ${figure(p95)} ms; CPU p50 ${figure(whole.cpu)} ms; ${parts}`,
    peers: [
      partPeer(
        'usearch exactSearch',
        usearchVersion,
        searches,
        search,
        'the six searches, to our searches',
      ),
      partPeer('plain JavaScript', () => '', updates, update, 'the five updates, to our update'),
      ...published(d),
    ],
  };
}

const sum = (spent: readonly Spent[]): Spent => ({
  wall: spent.reduce((total, { wall }) => total + wall, 0),
  cpu: spent.reduce((total, { cpu }) => total + cpu, 0),
});

const both = ({ wall, cpu }: Spent): string => `${figure(wall)} ms (CPU ${figure(cpu)})`;

/** Adds a peer that does a part of the work, beside that part of ours. */
function partPeer(
  name: string,
  version: () => string,
  theirs: readonly Spent[],
  ours: Spent,
  what: string,
): Peer {
  if (theirs.length === 0) return { name, version: 'absent', value: null, ratio: null };
  const { wall, cpu } = medianSpent(theirs);
  const note = `${what}; CPU ${figure(cpu)} ms, ${figure(cpu / ours.cpu)}x`;
  return { name, version: version(), value: wall, ratio: wall / ours.wall, note };
}

/** Figures of the paper, a question of a batch on an A100, 2Wiki (Table 2). */
function published(d: number): Peer[] {
  return d === 1024
    ? [
        {
          name: 'TreeHop as published',
          version: '(A100)',
          value: 22,
          ratio: null,
          note: 'amortised over a batch',
        },
      ]
    : [];
}

function layerResult(d: number, { asked }: Measured): Result {
  const layer = medianSpent(asked.map(one => one.layer));
  const search = medianSpent(asked.map(({ searches }) => searches[1]!));
  const others = medianSpent(asked.map(one => since(one.update, one.layer)));
  return {
    task: `tree-hop: a layer of ${K} updates and its pruning, d = ${d}`,
    n: ROWS,
    unit: 'wall ms',
    ours: layer.wall,
    machine: machine(),
    note: `${figure(layer.wall / search.wall)} times the search that it causes, by CPU ${figure(layer.cpu / search.cpu)} times; CPU ${figure(layer.cpu)} ms, of it all but the update ${figure(others.cpu)}`,
    peers: [
      {
        name: 'the search that it causes',
        version: '',
        value: search.wall,
        ratio: search.wall / layer.wall,
        note: `${K} queries; CPU ${figure(search.cpu)} ms`,
      },
    ],
  };
}

const questionsAt =
  (dimensions: number): Task =>
  async setting => {
    const store = await treeHopStore(dimensions, setting);
    const measured = await single(store, await peersOf(store), setting);
    return [questionResult(dimensions, measured), layerResult(dimensions, measured)];
  };

export const treeHop384: Task = questionsAt(384);
export const treeHop1024: Task = questionsAt(1024);
