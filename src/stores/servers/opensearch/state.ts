/** The state of an index: one record, replaced by compare and swap, that names what can be seen. */
import { isDeepStrictEqual } from 'node:util';
import type { Call } from '../../../core/trace/call.ts';
import { sleep } from '../../../platform/clock.ts';
import { busy, noEngine, otherVersion } from '../engine-errors.ts';
import type { SpaceRecord } from '../remote-spaces.ts';
import type { Client } from './client.ts';
import { LAYOUT, type Layout } from './mapping.ts';

export interface IndexState extends Layout {
  readonly layout: string;
  readonly chunker: string;
  readonly spaces: readonly SpaceRecord[];
  /** Items of a later generation belong to a write that has not ended. */
  readonly generation: number;
  readonly documents: number;
  readonly writer?: { readonly id: string; readonly until: number };
  /** Items of a later generation are left of a write that failed. */
  readonly dirty?: boolean;
  /** Indices of earlier generations, which snapshots may still read. */
  readonly retired: readonly { readonly index: string; readonly until: number }[];
}

/** A state as read, with what a swap compares. */
export interface ReadState {
  readonly state: IndexState;
  readonly index: string;
  readonly version: { readonly if_seq_no: number; readonly if_primary_term: number };
}

/** Time after which a writer that gave no sign of life counts as ended. Milliseconds. */
export const WRITER_MS = 60_000;
/** Wait between two looks at a lock. Milliseconds. */
const LOOK_MS = 50;

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

/** Takes the lock of writers. Throws `PortError('engine-busy')` after the time limit. */
export async function lockState(client: Client, id: string, call: Call): Promise<ReadState> {
  const end = Date.now() + client.timeoutMs;
  for (;;) {
    const read = await readState(client, call);
    const { writer } = read.state;
    if (!writer || writer.until < Date.now()) {
      const dirty = read.state.dirty || writer !== undefined;
      const until = Date.now() + WRITER_MS;
      const mine = { ...read.state, writer: { id, until }, dirty };
      const locked = await swapState(client, read, mine);
      if (locked) return locked;
    }
    if (Date.now() > end) throw busy(client.address, 'another write that goes on');
    await sleep(LOOK_MS, call.signal);
  }
}

export function unlocked({ writer: _, ...state }: IndexState): IndexState {
  return state;
}
