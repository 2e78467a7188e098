/** CPU time of a lexical query against MiniSearch, wink and LanceDB, k = 10, one at a time. */

import { defined } from '../src/core/defined.ts';
import { type Corpus, realCorpus, syntheticCorpus } from './corpora.ts';
import { type Built, type LexicalPeer, loadPeers, ours, textOf } from './lexical-peers.ts';
import {
  cpuTime,
  interleave,
  machine,
  type Peer,
  type Result,
  type Setting,
  type Task,
} from './measure.ts';
import { Reference } from './reference.ts';

const K = 10;
/**
 * A run repeats its queries until it has taken this much CPU, so that the clock's grain does not
 * matter.
 */
const LEAST_CPU_MS = 300;

async function perQuery(built: Built, queries: readonly string[]): Promise<number> {
  let spent = 0;
  let rounds = 0;
  while (spent < LEAST_CPU_MS) {
    const repeats = spent === 0 ? 1 : Math.ceil(((LEAST_CPU_MS - spent) / spent) * rounds);
    spent += await cpuTime(async () => {
      for (let repeat = 0; repeat < repeats; repeat++) {
        for (const query of queries) {
          const found = built.search(query, K);
          if (found instanceof Promise) await found;
        }
      }
    });
    rounds += repeats;
  }
  return spent / (rounds * queries.length);
}

async function agreement(
  built: Built,
  reference: Reference,
  queries: readonly string[],
): Promise<number> {
  let sum = 0;
  for (const query of queries) sum += reference.agreement(query, await built.search(query, K), K);
  return sum / queries.length;
}

interface Timed {
  readonly peer: LexicalPeer;
  readonly built: Built;
  readonly queries: readonly string[];
}

/**
 * `few`: how many questions slow peers answer a run; ours answers the same ones for their ratio.
 */
async function compare(
  task: string,
  corpus: Corpus,
  few: Readonly<Record<string, number>>,
  setting: Setting,
): Promise<Result[]> {
  const { items, questions } = corpus;
  const { peers, absent } = await loadPeers(['minisearch', 'wink', 'lancedb']);
  const mine = await ours.build(items);
  const timed: Timed[] = [];
  for (const peer of peers) {
    setting.say(`${task}: ${peer.name} builds its index`);
    timed.push({
      peer,
      built: await peer.build(items),
      queries: questions.slice(0, few[peer.name] ?? questions.length),
    });
  }
  const reference = new Reference(items.map(textOf));
  setting.say(`${task}: ${setting.runs} interleaved runs`);
  await perQuery(mine, questions);
  const contenders = timed.flatMap(({ peer, built, queries }) => [
    { name: peer.name, run: () => perQuery(built, queries) },
    { name: `ours for ${peer.name}`, run: () => perQuery(mine, queries) },
  ]);
  const values = await interleave(
    [{ name: 'multihop', run: () => perQuery(mine, questions) }, ...contenders],
    setting.runs,
  );
  const rows: Peer[] = [];
  for (const { peer, built, queries } of timed) {
    const value = values.get(peer.name)!;
    const checked = queries.slice(0, 40);
    const note =
      queries.length < questions.length
        ? `timed on ${queries.length} of ${questions.length} questions`
        : undefined;
    rows.push(
      defined({
        name: peer.name,
        version: peer.version,
        value,
        ratio: value / values.get(`ours for ${peer.name}`)!,
        agreement: await agreement(built, reference, checked),
        note,
      }),
    );
    built.close?.();
  }
  for (const name of absent) rows.push({ name, version: 'absent', value: null, ratio: null });
  const agreed = await agreement(mine, reference, questions);
  return [
    {
      task,
      n: items.length,
      unit: 'CPU ms per query',
      ours: values.get('multihop')!,
      peers: rows,
      agreement: agreed,
      machine: machine(),
    },
  ];
}

export const lexical6k: Task = setting =>
  compare('lexical-6k', realCorpus(setting.data), {}, setting);

export const lexical100k: Task = setting => {
  setting.say('lexical-100k: making 100,000 passages');
  return compare(
    'lexical-100k',
    syntheticCorpus(setting.data, 100_000),
    { minisearch: 3, 'wink-bm25-text-search': 12 },
    setting,
  );
};
