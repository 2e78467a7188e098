/** OpenSearch with k-NN as an engine. */
import { chunkers } from '../../core/corpus/chunk.ts';
import type { Document } from '../../core/corpus/document.ts';
import { defined } from '../../core/defined.ts';
import { type Call, freeCall } from '../../core/trace/call.ts';
import type { Capabilities } from '../../search/capabilities.ts';
import { cutBy } from '../../search/corpus/items.ts';
import type { Stored } from '../../search/engine.ts';
import { noEngine } from './engine-errors.ts';
import { USUAL_SCORERS } from './lexical-plan.ts';
import { Client } from './opensearch/client.ts';
import { createIndex, layoutOf, openedSpaces } from './opensearch/layout.ts';
import { PointInTime } from './opensearch/point-in-time.ts';
import { FieldReads, OpenSearchSnapshot } from './opensearch/snapshot.ts';
import { findState, type IndexState, readState } from './opensearch/state.ts';
import { put, remove, type Writing } from './opensearch/write.ts';
import { UNITS } from './prepared-document.ts';
import type {
  OpenRemote,
  RemoteEngine,
  RemoteEngineOptions,
  RemoteState,
} from './remote-engine.ts';

/**
 * Opens `opensearch://HOST:PORT/NAME?shards=1&replicas=0&nodes=HOST:PORT,...`; `opensearchs:` goes
 * by TLS. The number of shards and replicas is that of a new index.
 */
export const openOpenSearch: OpenRemote = async (url, options) => {
  const scorers = options.scorers ?? USUAL_SCORERS;
  const client = await Client.open(url, options);
  try {
    const layout = layoutOf(client, options, scorers);
    const found = await findState(client);
    if (!found && options.create === false)
      throw noEngine(client.address, `no index "${client.address.name}"`);
    const { state } = found ?? (await createIndex(client, layout));
    return new OpenSearchEngine({ client, state, options, scorers });
  } catch (error) {
    await client.close();
    throw error;
  }
};

interface EngineParts {
  readonly client: Client;
  readonly state: IndexState;
  readonly options: RemoteEngineOptions;
  readonly scorers: readonly string[];
}

class OpenSearchEngine implements RemoteEngine {
  readonly label: string;
  private readonly client: Client;
  private readonly writing: Writing;
  private readonly capabilities: Capabilities;
  private readonly points = new Set<PointInTime>();
  /** Reads of the newest state, and its name. */
  private reads: { readonly key: string; readonly of: FieldReads } | undefined;

  constructor({ client, state, options, scorers }: EngineParts) {
    const { chunker, vectorSearch = 'exact' } = options;
    const cut = cutBy(typeof chunker === 'object' ? chunker : chunkers.create(state.chunker));
    const spaces = openedSpaces(client, state, options);
    this.client = client;
    this.label = client.address.label;
    this.writing = { client, spaces, cut };
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

  put(documents: readonly Document[], call: Call = freeCall()): Promise<Stored> {
    return put(this.writing, documents, call);
  }

  remove(ids: readonly string[], call: Call = freeCall()): Promise<Stored> {
    return remove(this.writing, ids, call);
  }

  async snapshot(): Promise<OpenSearchSnapshot> {
    const { client, capabilities } = this;
    const point = await PointInTime.open(client, closed => this.points.delete(closed));
    this.points.add(point);
    if (this.reads?.key !== point.key) this.reads = { key: point.key, of: new FieldReads() };
    return new OpenSearchSnapshot({
      point,
      capabilities,
      reads: this.reads.of,
      spaces: this.writing.spaces,
    });
  }

  async state(call: Call): Promise<RemoteState> {
    const { state, index } = await readState(this.client, call);
    const { documents, chunker, spaces, generation } = state;
    return { documents, chunker, spaces, generation: `${index} ${generation}` };
  }

  async close(): Promise<void> {
    await Promise.all([...this.points].map(point => point.close()));
    await this.client.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
