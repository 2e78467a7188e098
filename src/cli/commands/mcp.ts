/** `multihop mcp`: serves a store to one client over stdin and stdout. */
import { openStdio } from '../../mcp/stdio.ts';
import { APP_LIMITS } from '../../server/app.ts';
import { AnsweringStore } from '../../session/requests/answering-store.ts';
import type { Command, CommandContext } from '../command.ts';
import {
  EMBEDDER_OPTION,
  EMBEDDER_TIMEOUT_OPTION,
  LANGUAGE_MODEL_OPTIONS,
  RERANKER_URL_OPTION,
  STORED_URL_OPTION,
} from '../model-options.ts';
import { SERVER_NOTE } from '../open-session.ts';
import { STORE_OPTION, TOTAL_BUDGET_OPTION } from '../options.ts';
import { RUN_LIMIT_OPTIONS, storeOptions } from '../server-options.ts';

export const command: Command = {
  positionals: [],
  options: [
    STORE_OPTION,
    ...RUN_LIMIT_OPTIONS,
    EMBEDDER_OPTION,
    STORED_URL_OPTION,
    RERANKER_URL_OPTION,
    EMBEDDER_TIMEOUT_OPTION,
    ...LANGUAGE_MODEL_OPTIONS,
    TOTAL_BUDGET_OPTION,
  ],
  common: 'store model budget total-budget concurrent json',
  examples: [
    {
      line: 'multihop mcp --store notes.store',
      says: 'the command that an assistant starts, see docs/mcp.md',
    },
    {
      line: 'claude mcp add notes -- npx multihop mcp --store "$PWD/notes.store"',
      says: 'lets Claude Code search the store',
    },
  ],
  notes: [
    SERVER_NOTE,
    'Needs the package @modelcontextprotocol/server: npm install @modelcontextprotocol/server',
    'Tools: search, ask, retrieve, read_document and explain_run; none changes the store. A call that names no limit ends after 45 seconds with what it has found: clients give up after a minute.',
    'stdout holds the protocol alone; notes and warnings go to stderr. It ends when its client closes stdin, and at Ctrl-C or SIGTERM. multihop serve serves the same tools over HTTP, under /mcp.',
  ],
  // Runs hand back what they have found, and the store is closed.
  graceMs: 5_000,
  run: serve,
};

async function serve(context: CommandContext): Promise<number> {
  const { options, output, signal } = context;
  const connection = await openStdio();
  const settings = { create: false, readOnly: true, ...storeOptions(context) };
  const store = await AnsweringStore.open(options.required('store'), settings);
  try {
    context.listen();
    await connection.serve(store, {
      signal,
      concurrent: options.integer('concurrent', APP_LIMITS.concurrent),
      queue: APP_LIMITS.queue,
      log: line => output.note(line),
    });
  } finally {
    await store.close();
  }
  return 0;
}
