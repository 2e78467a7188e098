/** `multihop remove`: deletes documents from a store, and their text from the disk. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { defined } from '../../core/defined.ts';
import { freeCall } from '../../core/trace/call.ts';
import { needsFolder } from '../../session/ingest.ts';
import { cacheOf } from '../../session/models.ts';
import type { Command } from '../command.ts';
import { VectorProgress } from '../embed-store.ts';
import { openSession, SERVER_NOTE } from '../open-session.ts';
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
    {
      name: 'purge',
      summary:
        'also delete the cache of the store, which keeps embeddings of removed text, and files of writers that were killed',
    },
  ],
  examples: [{ line: 'multihop remove notes/ferry.md --store notes.store', says: 'one document' }],
  notes: [
    SERVER_NOTE,
    'An unknown id is an error, and nothing is removed. The vectors of the other documents stay.',
    'Without --purge the cache of the store keeps embeddings and labels of removed text. With it nothing of the text stays in the store; traces, results, cassettes, other cache folders and backups are not touched, nor is what a disk keeps of deleted files.',
    '--json prints { store, removed, ids, documents, purged }.',
  ],
  async run(context) {
    const { positionals, output, signal, options } = context;
    const purges = options.flag('purge');
    const ids = [...new Set(positionals)];
    await using session = await openSession(context);
    const { label, folder } = session;
    if (purges && !folder) throw needsFolder(session.place, 'a cache');
    const removed = await new VectorProgress(output).watch(session.remove(ids, signal));
    const { documents } = await session.state();
    const cache = folder && cacheOf(label);
    let purged: string[] | undefined;
    if (folder && cache !== undefined) {
      const store = await folder.store();
      purged = purges ? [...(await store.purge(freeCall(signal))), 'cache/'] : [];
      if (purges) await rm(cache, { recursive: true, force: true });
    }
    if (output.json) output.object(defined({ store: label, removed, ids, documents, purged }));
    else output.line(`${removed} removed; ${documents} in the store`);
    if (!purges && cache !== undefined && existsSync(cache))
      output.note('The cache of the store keeps embeddings of removed text: --purge deletes it');
    return 0;
  },
};
