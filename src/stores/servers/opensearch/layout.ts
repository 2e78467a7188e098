/** Creates indices, and compares what one holds with what is wanted. */

import { chunkers } from '../../../core/corpus/chunk.ts';
import { InputError } from '../../../core/errors.ts';
import { DEFAULT_CHUNKER } from '../../../search/embedded-engine.ts';
import { badEngine } from '../engine-address.ts';
import { checkChunker } from '../engine-checks.ts';
import { otherEmbedder, otherVersion } from '../engine-errors.ts';
import { bm25Of } from '../lexical-plan.ts';
import type { RemoteEngineOptions } from '../remote-engine.ts';
import { RemoteSpaces } from '../remote-spaces.ts';
import type { Client } from './client.ts';
import { indexBody, LAYOUT } from './mapping.ts';
import { createState, type IndexState, type ReadState, readState } from './state.ts';

/** Returns the state of a new index. Throws `InputError`. */
export function layoutOf(
  { address }: Client,
  options: RemoteEngineOptions,
  scorers: readonly string[],
): IndexState {
  const { chunker = DEFAULT_CHUNKER } = options;
  const settings = scorers.map(bm25Of);
  const [bm25] = settings;
  if (!bm25 || settings.some(({ k1, b }) => k1 !== bm25.k1 || b !== bm25.b))
    throw new InputError('bad-option', 'The scorers of an index', {
      expected: 'variants of bm25 with one k1 and one b',
      received: scorers.join(', ') || 'none',
    });
  const count = (key: string, usual: number, least: number): number => {
    const value = Number(address.query[key] ?? usual);
    if (Number.isInteger(value) && value >= least) return value;
    throw badEngine(`${key}=${address.query[key]}`);
  };
  return {
    layout: LAYOUT,
    bm25,
    spaces: new RemoteSpaces(options).records,
    shards: count('shards', 1, 1),
    replicas: count('replicas', 0, 0),
    vectorLibrary: address.query['vectors'] ?? 'lucene',
    chunker: typeof chunker === 'string' ? chunkers.canonical(chunker) : chunker.name,
    generation: 0,
    documents: 0,
    taken: 0,
    failed: [],
    gone: [],
    mergeAsked: 0,
  };
}

/** Creates the index and lets its alias appear once it has a state; another may do so as well. */
export async function createIndex(client: Client, state: IndexState): Promise<ReadState> {
  const { name } = client.address;
  const index = `${name}-0`;
  const created = { method: 'PUT', path: `/${index}`, body: indexBody(state) } as const;
  const body = await client.send(created, undefined, [400]);
  if (body.error && body.error.type !== 'resource_already_exists_exception')
    throw client.fault(body.status, body.error);
  await createState(client, index, state);
  const actions = [{ add: { index, alias: name } }];
  await client.send({ method: 'POST', path: '/_aliases', body: { actions } });
  return readState(client);
}

/**
 * Returns the spaces that were given and that the index has. Throws `PortError('other-embedder' |
 * 'other-engine-version')` and `InputError('other-chunker')`.
 */
export function openedSpaces(
  client: Client,
  state: IndexState,
  options: RemoteEngineOptions,
): RemoteSpaces {
  const { bm25 } = state;
  checkChunker(client.address, options.chunker, state.chunker);
  const scorers = (options.scorers ?? []).map(bm25Of);
  if (scorers.some(({ k1, b }) => k1 !== bm25.k1 || b !== bm25.b))
    throw otherVersion(
      client.address,
      `bm25 with k1=${bm25.k1}, b=${bm25.b}`,
      scorers.map(({ name }) => name).join(', '),
    );
  const units = state.spaces[0]?.units ?? options.units;
  const spaces = new RemoteSpaces({ ...options, units });
  for (const { name, dimensions, template } of spaces.records) {
    const known = state.spaces.find(space => space.name === name);
    if (known?.dimensions === dimensions && known.template === template) continue;
    const has = state.spaces.map(space => `${space.name} (${space.dimensions}, ${space.template})`);
    throw otherEmbedder(
      client.address,
      has.join(', ') || 'no embedder',
      `${name} (${dimensions}, ${template})`,
    );
  }
  return spaces;
}
