/** Opens the place of `--store` with the models of the options, and notes what it has to build. */
import { Session, type SessionOptions } from '../session/session.ts';
import type { CommandContext } from './command.ts';
import { graphCommand } from './embed-store.ts';
import { resourceFiles, sessionOptions } from './model-options.ts';
import type { Output } from './output.ts';
import { Waiting } from './waiting.ts';

/** For the help of commands that take the address of a server as their store. */
export const SERVER_NOTE =
  'A store is a folder, or on a server: --store postgres://USER@HOST:PORT/DATABASE?schema=NAME needs the package pg, and pgvector for --embedder; --store opensearch://HOST:PORT/NAME?shards=1&replicas=0&nodes=HOST:PORT,... needs the package @opensearch-project/opensearch, and k-NN for --embedder; opensearchs: goes by TLS. A password comes from MULTIHOP_ENGINE_PASSWORD.';

/** Opens the place of `--store` for one command, which closes it. */
export function openSession(
  context: CommandContext,
  more: Partial<SessionOptions> = {},
): Promise<Session> {
  const { options, output } = context;
  const store = options.required('store');
  const waiting = new Waiting(output);
  waiting.begin('opening the store');
  return Session.open(store, {
    ...sessionOptions(context),
    files: resourceFiles(options),
    ...notesOf(context),
    create: false,
    notices: output,
    ...more,
  }).finally(() => waiting.end());
}

type Noted = 'onGraph' | 'onBuilding' | 'onSearchEmbeds';

/** Says what a search has to build, and the command that stores it. */
function notesOf({ options, output }: CommandContext): Required<Pick<SessionOptions, Noted>> {
  const store = options.required('store');
  return {
    onGraph(key) {
      const index = key.slice(0, key.lastIndexOf(' '));
      const space = /^nearest\((.*)\)$/s.exec(index)?.[1];
      output.note(
        `Building ${index} of the graph of sentences; keep it: ${graphCommand(store, 'names', space)}`,
      );
    },
    onBuilding: () =>
      output.note(
        `Building the indexes that the store lacks; store them: multihop verify --repair --store "${store}"`,
      ),
    onSearchEmbeds: space =>
      output.note(
        `Embedding texts by ${space} for this search; multihop ingest --embedder --unit stores their vectors`,
      ),
  };
}

/** Warns of a place without documents, which answers nothing. */
export function warnOfEmpty({ label }: Session, documents: number, output: Output): void {
  if (documents === 0) output.warn(`The store "${label}" holds no documents`);
}
