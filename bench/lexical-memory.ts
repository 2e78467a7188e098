/** Memory of an index of 100,000 passages, text excluded. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LexicalIndex } from '../src/search/indexes/lexical/lexical-index.ts';
import { syntheticCorpus } from './corpora.ts';
import { loadPeers, ours } from './lexical-peers.ts';
import { machine, type Peer, type Task } from './measure.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const held = (): number => {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

export const memory: Task = async ({ data, say }) => {
  say('memory: making 100,000 passages');
  const { items, questions } = syntheticCorpus(data, 100_000);
  const { peers } = await loadPeers(['minisearch', 'wink']);
  const built = await ours.build(items);
  await built.search(questions[0]!, 10);
  const bytes = (built.native as LexicalIndex).bytes;
  const rows: Peer[] = [];
  for (const peer of peers) {
    say(`memory: ${peer.name}`);
    const before = held();
    const theirs = await peer.build(items);
    const value = (held() - before) / 1e6;
    rows.push({
      name: peer.name,
      version: peer.version,
      value,
      ratio: value / (bytes / 1e6),
      note: 'heap growth',
    });
    theirs.close?.();
  }
  return [
    {
      task: 'memory',
      n: items.length,
      unit: 'MB',
      ours: bytes / 1e6,
      peers: rows,
      note: 'typed arrays, those of the compiled scorer included',
      machine: machine(),
    },
  ];
};
