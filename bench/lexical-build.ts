/** Passages indexed a CPU second, on our side with the compilation for the first search. */
import { type Corpus, realCorpus, syntheticCorpus } from './corpora.ts';
import { type LexicalPeer, loadPeers, ours } from './lexical-peers.ts';
import { cpuTime, interleave, machine, type Result, type Setting, type Task } from './measure.ts';

/**
 * Before measuring, and in each run, a contender builds again and again until it has taken this
 * much CPU: its code is compiled by then.
 */
const WARM_CPU_MS = 1500;
const LEAST_CPU_MS = 300;

async function passagesPerSecond(
  peer: LexicalPeer,
  { items, questions }: Corpus,
  least: number,
): Promise<number> {
  let spent = 0;
  let count = 0;
  while (spent < least) {
    spent += await cpuTime(async () => {
      const built = await peer.build(items);
      // Ours compiles a scorer when it is first used: that belongs to the building.
      if (peer === ours) await built.search(questions[0]!, 10);
      built.close?.();
    });
    count += items.length;
  }
  return (count / spent) * 1000;
}

async function compare(
  task: string,
  corpus: Corpus,
  names: readonly ('minisearch' | 'wink' | 'lancedb')[],
  setting: Setting,
): Promise<Result[]> {
  const { peers, absent } = await loadPeers(names);
  setting.say(`${task}: ${setting.runs} interleaved runs`);
  const warm = { ...corpus, items: corpus.items.slice(0, 6000) };
  for (const peer of [ours, ...peers]) await passagesPerSecond(peer, warm, WARM_CPU_MS);
  const values = await interleave(
    [ours, ...peers].map(peer => ({
      name: peer.name,
      run: () => passagesPerSecond(peer, corpus, LEAST_CPU_MS),
    })),
    setting.runs,
  );
  const mine = values.get(ours.name)!;
  const rows = peers.map(({ name, version }) => ({
    name,
    version,
    value: values.get(name)!,
    ratio: mine / values.get(name)!,
  }));
  const missing = absent.map(name => ({ name, version: 'absent', value: null, ratio: null }));
  const note =
    'after a warm-up of 1.5 CPU seconds each; compiling the default scorer for the first search is included';
  return [
    {
      task,
      n: corpus.items.length,
      unit: 'passages per CPU second',
      ours: mine,
      peers: [...rows, ...missing],
      note,
      machine: machine(),
    },
  ];
}

export const build6k: Task = setting =>
  compare('build', realCorpus(setting.data), ['minisearch', 'wink', 'lancedb'], setting);

export const build100k: Task = setting => {
  setting.say('build-100k: making 100,000 passages');
  return compare(
    'build-100k',
    syntheticCorpus(setting.data, 100_000),
    ['minisearch', 'wink', 'lancedb'],
    setting,
  );
};
