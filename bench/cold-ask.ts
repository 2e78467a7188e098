/**
 * CPU time and memory of `multihop ask` in a new process: over a store with its indexes, and over
 * the same store without them, which builds them in memory.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeCall } from '../src/core/trace/call.ts';
import { commitManifest } from '../src/stores/disk/commit.ts';
import { nodeDisk } from '../src/stores/disk/disk.ts';
import { Store } from '../src/stores/disk/store.ts';
import { command, type Used, used } from './child-usage.ts';
import { realCorpus } from './corpora.ts';
import { interleave, machine, type Result, type Task } from './measure.ts';

function ask(question: string, store: string): Used {
  return used([command, 'ask', question, '--store', store, '--answer-at', '0']);
}

/** Writes a store, and a second one of the same documents without indexes. */
async function stores(folder: string, data: string): Promise<{ indexed: string; bare: string }> {
  const [indexed, bare] = [join(folder, 'indexed'), join(folder, 'bare')];
  const store = await Store.open(indexed, { create: true });
  await store.put(realCorpus(data).items, freeCall());
  await store.close();
  cpSync(indexed, bare, { recursive: true });
  const segments = store.manifest.segments.map(({ indexes: _, ...segment }) => segment);
  await commitManifest(nodeDisk, bare, { next: { ...store.manifest, segments } }, async () => {});
  return { indexed, bare };
}

export const coldAsk: Task = async ({ data, runs, say }) => {
  if (!existsSync(command)) {
    say('cold-ask: dist/ is missing; build it first with: npm run build');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'multihop-cold-ask-'));
  try {
    const { indexed, bare } = await stores(folder, data);
    const { items, questions } = realCorpus(data);
    const memory = new Map<string, number>();
    const contenders = [
      { name: 'stored', store: indexed },
      { name: 'rebuilt', store: bare },
    ].map(({ name, store }) => {
      let asked = 0;
      const run = async (): Promise<number> => {
        const taken = ask(questions[asked++ % questions.length]!, store);
        memory.set(name, Math.max(memory.get(name) ?? 0, taken.memory));
        return taken.cpu;
      };
      return { name, run };
    });
    for (const { run } of contenders) await run();
    const values = await interleave(contenders, Math.max(runs, 7));
    const ours = values.get('stored')!;
    const value = values.get('rebuilt')!;
    const megabytes = ['stored', 'rebuilt'].map(name => memory.get(name)!.toFixed(0));
    const result: Result = {
      task: 'cold-ask',
      n: items.length,
      unit: 'CPU ms',
      ours,
      peers: [{ name: 'indexes built at the question', version: '', value, ratio: value / ours }],
      note: `at most ${megabytes.join(' and ')} MB resident`,
      machine: machine(),
    };
    return [result];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
