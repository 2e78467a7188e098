/** The state of an index: one record, replaced by compare and swap, that names what can be seen. */
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../../core/trace/call.ts';
import { noEngine, otherVersion } from '../engine-errors.ts';
import type { SpaceRecord } from '../remote-spaces.ts';
import type { Client } from './client.ts';
import type { Query } from './filter.ts';
import { LAYOUT, type Layout } from './mapping.ts';

export interface IndexState extends Layout {
  readonly layout: string;
  readonly chunker: string;
  readonly spaces: readonly SpaceRecord[];
  /** Items of a later generation belong to a write that has not ended. */
  readonly generation: number;
  readonly documents: number;
  /** The newest generation that a write took: no other write ever takes it. */
  readonly taken: number;
  /** Generations of writes that failed, the newest ones. */
  readonly failed: readonly number[];
  /** Versions of documents that were changed or removed: their items are hidden. */
  readonly gone: readonly string[];
  /** When a merge was last asked for. */
  readonly mergeAsked: number;
  readonly writer?: { readonly id: string; readonly until: number };
}

/** A state as read, with what a swap compares. */
export interface ReadState {
  readonly state: IndexState;
  readonly index: string;
  readonly version: { readonly if_seq_no: number; readonly if_primary_term: number };
}

const path = (index: string): string => `/${index}/_doc/state`;

/** Returns undefined if there is no index. Throws `PortError('other-engine-version')`. */
export async function findState(client: Client, call?: Call): Promise<ReadState | undefined> {
  const { name } = client.address;
  const body = await client.send({ method: 'GET', path: path(name) }, call, [404]);
  if (body.error?.type === 'index_not_found_exception') return undefined;
  if (body.error) throw client.fault(body.status, body.error);
  const layout = body._source?.state?.layout ?? 'an index that multihop did not write';
  if (layout !== LAYOUT) throw otherVersion(client.address, LAYOUT, String(layout));
  const { _seq_no: if_seq_no, _primary_term: if_primary_term, _index: index } = body;
  return { state: body._source.state, index, version: { if_seq_no, if_primary_term } };
}

export async function readState(client: Client, call?: Call): Promise<ReadState> {
  const read = await findState(client, call);
  if (!read) throw noEngine(client.address, `no index "${client.address.name}"`);
  return read;
}

/** Writes a first state. */
export async function createState(client: Client, index: string, state: IndexState): Promise<void> {
  const request = { method: 'PUT', path: `/${index}/_create/state`, body: { state } } as const;
  await client.send({ ...request, querystring: { refresh: true } }, undefined, [409]);
}

/** Returns the new state, or undefined if the state changed since it was read. */
export async function swapState(
  client: Client,
  { index, version }: ReadState,
  state: IndexState,
): Promise<ReadState | undefined> {
  const request = {
    method: 'PUT',
    path: path(index),
    querystring: version,
    body: { state },
  } as const;
  const body = await client.send(request, undefined, [409]);
  if (body.error) {
    // A request that was sent twice, because its answer was lost, refuses itself.
    const now = await readState(client);
    return sameState(now.state, state) ? now : undefined;
  }
  const { _seq_no: if_seq_no, _primary_term: if_primary_term } = body;
  return { state, index, version: { if_seq_no, if_primary_term } };
}

const sameState = (a: IndexState, b: IndexState): boolean => isDeepStrictEqual(a, b);

/** Passes items that a state hides: of documents that are gone, and of writes that failed. */
export const hidden = ({ gone, failed }: Pick<IndexState, 'gone' | 'failed'>): Query[] => [
  ...(gone.length > 0 ? [{ terms: { version: gone } }] : []),
  ...(failed.length > 0 ? [{ terms: { generation: failed } }] : []),
];

/** Passes items that a state shows: nothing of a write under way. */
export const visible = (state: IndexState): Query => ({
  bool: {
    filter: [{ range: { generation: { lte: state.generation } } }],
    must_not: hidden(state),
  },
});
