/** `multihop remove`: deletes documents from a store, and their text from the disk. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { freeCall } from '../../core/trace/call.ts';
import { vectorEvents } from '../../session/ingest-store.ts';
import { cacheOf } from '../../session/models.ts';
import type { Command } from '../command.ts';
import { VectorProgress } from '../embed-store.ts';
import { ENGINE_NOTE, ENGINE_OPTION, engineOf } from '../engine-option.ts';
import { openStore } from '../open-store.ts';
import { STORE_OPTION } from '../options.ts';

export const command: Command = {
  positionals: [
    {
      name: 'ID',
      repeatable: true,
      summary: 'the ids of documents, as search and ask --json print them',
    },
  ],
  options: [
    { ...STORE_OPTION, access: 'keeps' },
    ENGINE_OPTION,
    {
      name: 'purge',
      summary:
        'also delete the cache of the store, which keeps embeddings of removed text, and files of writers that were killed',
    },
  ],
  examples: [{ line: 'multihop remove notes/ferry.md --store notes.store', says: 'one document' }],
  notes: [
    ENGINE_NOTE,
    'An unknown id is an error, and nothing is removed. The vectors of the other documents stay; a space such as lsa is fitted again.',
    'Without --purge the cache of the store keeps embeddings and labels of removed text. With it nothing of the text stays in the store; traces, results, cassettes, other cache folders and backups are not touched, nor is what a disk keeps of deleted files.',
    '--json prints { store, removed, ids, documents, purged }.',
  ],
  async run(context) {
    const { positionals, output, signal } = context;
    const engine = engineOf(context, ['purge']);
    const purges = context.options.flag('purge');
    if (engine !== undefined)
      return (await import('../engine-commands.ts')).removeFromEngine(context, engine);
    const ids = [...new Set(positionals)];
    const store = await openStore(context);
    const { removed } = await store.remove(ids, freeCall(signal));
    await new VectorProgress(output).watch(vectorEvents({ store, fitted: [] }, signal));
    const purged = purges ? [...(await store.purge(freeCall(signal))), 'cache/'] : [];
    if (purges) await rm(cacheOf(store.folder), { recursive: true, force: true });
    const documents = store.manifest.documents;
    if (output.json) output.object({ store: store.folder, removed, ids, documents, purged });
    else output.line(`${removed} removed; ${documents} in the store`);
    if (!purges && existsSync(cacheOf(store.folder)))
      output.note('The cache of the store keeps embeddings of removed text: --purge deletes it');
    return 0;
  },
};
