/** `multihop remove`: deletes documents from a store, and their text from the disk. */
import { freeCall } from '../../../trace/call.ts';
import { vectorEvents } from '../../serving/ingest-store.ts';
import { type Command, STORE_OPTION } from '../command.ts';
import { VectorProgress } from '../embed-store.ts';
import { ENGINE_NOTE, ENGINE_OPTION, engineOf } from '../engine-option.ts';
import { openStore } from '../open-store.ts';

export const command: Command = {
  positionals: [
    {
      name: 'ID',
      repeatable: true,
      summary: 'the ids of documents, as search and ask --json print them',
    },
  ],
  options: [STORE_OPTION, ENGINE_OPTION],
  examples: [{ line: 'multihop remove notes/ferry.md --store notes.store', says: 'one document' }],
  notes: [
    ENGINE_NOTE,
    'An unknown id is an error, and nothing is removed. The vectors of the other documents stay; a space such as lsa is fitted again.',
    '--json prints { store, removed, ids, documents }.',
  ],
  async run(context) {
    const { positionals, output, signal } = context;
    const engine = engineOf(context);
    if (engine !== undefined)
      return (await import('../engine-commands.ts')).removeFromEngine(context, engine);
    const ids = [...new Set(positionals)];
    const store = await openStore(context);
    const { removed } = await store.remove(ids, freeCall(signal));
    await new VectorProgress(output).watch(vectorEvents({ store, fitted: [] }, signal));
    const documents = store.manifest.documents;
    if (output.json) output.object({ store: store.folder, removed, ids, documents });
    else output.line(`${removed} removed; ${documents} in the store`);
    return 0;
  },
};
