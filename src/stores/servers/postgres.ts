/** PostgreSQL with pgvector as an engine. */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { type Call, freeCall } from '../../core/trace/call.ts';
import type { Capabilities } from '../../search/capabilities.ts';
import { cutBy } from '../../search/corpus/items.ts';
import type { Stored } from '../../search/engine.ts';
import { bm25Of, USUAL_SCORERS } from './lexical-plan.ts';
import { Client } from './postgres/client.ts';
import { beginReads, type Reads } from './postgres/reads.ts';
import { type OpenedState, openTables } from './postgres/schema.ts';
import { PostgresSnapshot } from './postgres/snapshot.ts';
import { putDocuments, removeDocuments, type Writing } from './postgres/write.ts';
import { UNITS } from './prepared-document.ts';
import type {
  OpenRemote,
  RemoteEngine,
  RemoteEngineOptions,
  RemoteState,
} from './remote-engine.ts';
import { RemoteSpaces } from './remote-spaces.ts';

/** Opens `postgres://USER@HOST:PORT/DATABASE?schema=NAME&pool=CONNECTIONS&sslmode=MODE`. */
export const openPostgres: OpenRemote = async (url, options) => {
  const scorers = (options.scorers ?? USUAL_SCORERS).map(name => bm25Of(name).name);
  const spaces = new RemoteSpaces(options);
  const client = await Client.open(url, options);
  try {
    const state = await openTables(client, { ...options, spaces: spaces.records });
    return new PostgresEngine({ client, state, spaces, options, scorers });
  } catch (error) {
    await client.close();
    throw error;
  }
};

interface EngineParts {
  readonly client: Client;
  readonly state: OpenedState;
  readonly spaces: RemoteSpaces;
  readonly options: RemoteEngineOptions;
  readonly scorers: readonly string[];
}

class PostgresEngine implements RemoteEngine {
  readonly label: string;
  private readonly client: Client;
  private readonly writing: Writing;
  private readonly capabilities: Capabilities;
  private reads: Reads | undefined;
  /** Documents that this engine added. */
  private added = 0;
  /** `added` at the last count of the planner's statistics. */
  private counted = 0;

  constructor({ client, state, spaces, options, scorers }: EngineParts) {
    const { chunker } = options;
    const cut = cutBy(typeof chunker === 'object' ? chunker : chunkers.create(state.chunker));
    this.client = client;
    this.label = client.address.label;
    this.writing = { client, state, spaces, cut };
    const vectorSearch = state.approximate ? 'approximate' : 'exact';
    this.capabilities = defined({
      units: UNITS,
      filters: ['eq', 'in', 'nin', 'range', 'and', 'or', 'not'],
      scorers,
      vectorSearch: spaces.records.length > 0 ? vectorSearch : undefined,
    });
  }

  get roundTrips(): number {
    return this.client.roundTrips;
  }

  async put(documents: readonly Document[], call: Call = freeCall()): Promise<Stored> {
    const stored = await putDocuments(this.writing, documents, call);
    this.added += stored.added;
    if (this.added > 2 * this.counted) await this.count();
    return stored;
  }

  remove(ids: readonly string[], call: Call = freeCall()): Promise<Stored> {
    return removeDocuments(this.writing, ids, call);
  }

  async snapshot(): Promise<PostgresSnapshot> {
    const { client, capabilities, label } = this;
    const { state, spaces } = this.writing;
    const session = await client.session();
    try {
      const reads = await beginReads(client, session, this.reads);
      this.reads = reads;
      return new PostgresSnapshot({ session, reads, label, opened: state, spaces, capabilities });
    } catch (error) {
      session.end(true);
      throw error;
    }
  }

  async state(call: Call): Promise<RemoteState> {
    const [row] = await this.client.with(session =>
      session.rows('SELECT documents, generation FROM state', [], call),
    );
    const { chunker, spaces } = this.writing.state;
    return { documents: row.documents, chunker, spaces, generation: String(row.generation) };
  }

  close(): Promise<void> {
    return this.client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Counts the planner's statistics once documents doubled, and marks rows that every snapshot
   * sees, so that a search reads the index of postings alone. The server does both later by itself.
   */
  private count(): Promise<void> {
    this.counted = this.added;
    return this.client.with(async session => {
      await session.results('VACUUM (ANALYZE) document, value, item, term, posting');
    });
  }
}
