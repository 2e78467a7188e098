/** `multihop serve`: serves a store over HTTP until it is interrupted. */
import { DEFAULT_PORT, openServer } from '../../server/open-server.ts';
import { writeToken } from '../../server/token.ts';
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
import { HTTP_OPTIONS, LIMIT_OPTIONS, serverOptions, serverToken } from '../server-options.ts';

export const command: Command = {
  positionals: [],
  options: [
    { ...STORE_OPTION, access: 'keeps' },
    ...HTTP_OPTIONS,
    ...LIMIT_OPTIONS,
    EMBEDDER_OPTION,
    STORED_URL_OPTION,
    RERANKER_URL_OPTION,
    EMBEDDER_TIMEOUT_OPTION,
    ...LANGUAGE_MODEL_OPTIONS,
    TOTAL_BUDGET_OPTION,
  ],
  common: 'store host port token-file allow-origin budget concurrent read-only model json',
  examples: [
    {
      line: 'multihop serve --store notes.store',
      says: 'a server for this machine, with its token in the address that it prints',
    },
    {
      line: 'MULTIHOP_TOKEN=$(cat token) multihop serve --store notes.store --host 0.0.0.0 --allow-host multihop.example',
      says: 'a server for the network, behind a proxy that speaks https',
    },
    {
      line: `curl -H "Authorization: Bearer $(cat notes.store/server.token)" -H 'Content-Type: application/json' -d '{"question":"Who owns the firm that built the ferry?"}' http://127.0.0.1:7777/v1/ask`,
      says: 'a question',
    },
  ],
  notes: [
    SERVER_NOTE,
    'The printed address opens the inspector, which asks questions and shows their runs as they go (see inspect).',
    'GET /openapi.json describes the routes: /v1/ask, /v1/retrieve and /v1/search, /v1/documents, /v1/traces, /v1/chat/completions in the shape of OpenAI; /health, /ready and /metrics. /mcp serves the tools of multihop mcp to assistants, with the same token, if @modelcontextprotocol/server is installed.',
    'Ctrl-C or SIGTERM takes no new runs, lets those that go end within --grace seconds, and then ends them with what they have found. A second one ends at once.',
    'With --verbose, one line a request goes to stderr: method, path, status and seconds; never a header, a query or a body.',
  ],
  // The user may set a longer --grace; a second signal ends at once.
  graceMs: 3_600_000,
  run: serve,
};

async function serve(context: CommandContext): Promise<number> {
  const { options, output, signal } = context;
  const { token, folder } = await serverToken(context);
  const server = await openServer(options.required('store'), serverOptions(context, token));
  try {
    context.listen();
    const host = options.text('host');
    const port = options.integer('port', DEFAULT_PORT);
    const graceMs = 1000 * options.integer('grace', 10);
    const url = await server.listen({ host, port, graceMs });
    // Not before: a server whose port is taken must not replace the token of the one that has it.
    const isNew = token !== false && folder !== undefined;
    const file = isNew
      ? await writeToken(folder, new URL(url).port, token)
      : options.text('token-file');
    const page = isNew ? `${url}/#token=${token}` : url;
    if (output.json) output.object({ url, page, tokenFile: file });
    else output.line(page);
    if (token === false)
      output.warn(
        'Every program and every user of this machine can read the store: it has no token',
      );
    else if (file !== undefined)
      output.note(`The token stands in ${file}, which only you can read`);
    await interrupted(signal);
    output.note('Stopping: runs may end; a second interrupt ends at once');
  } finally {
    await server.close();
  }
  return 0;
}

const interrupted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
