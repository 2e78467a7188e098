/**
 * Deletes items that no state shows any more. The server counts their terms until it merges the
 * segments that hold them, so a merge is asked for when they are a share of all.
 */
import type { Call } from '../../../core/trace/call.ts';
import type { Client } from './client.ts';
import type { Query } from './filter.ts';
import { hidden, type IndexState, readState, swapState } from './state.ts';

/** Deleted items, as a share of those that stay, at which a merge is due. */
const DUE = 0.2;
/** Milliseconds between two requests for one: a merge keeps what was deleted last. */
const ASKED_EVERY_MS = 5 * 60_000;
/** Versions that a state may name as gone: every search passes over them. */
const NAMED = 32;
/** Items that one request deletes. */
const DELETED = 10_000;

export async function refresh(client: Client, index: string, call?: Call): Promise<void> {
  await client.send({ method: 'POST', path: `/${index}/_refresh` }, call);
}

/** Deletes the items that pass one of the queries, of those that a refresh has shown. */
export async function purge(
  client: Client,
  index: string,
  should: readonly Query[],
  call?: Call,
): Promise<void> {
  if (should.length === 0) return;
  for (;;) {
    const { total, failures } = await client.send(
      {
        method: 'POST',
        path: `/${index}/_delete_by_query`,
        querystring: { conflicts: 'proceed', max_docs: DELETED },
        body: { query: { bool: { should } } },
      },
      call,
    );
    const [failure] = failures;
    if (failure) throw client.fault(failure.status, failure.cause);
    if (total < DELETED) return;
    await refresh(client, index, call);
  }
}

/**
 * Deletes the items that a state hides once it names many versions, and asks for a merge if it is
 * due.
 */
export async function tidy(client: Client, index: string, { gone }: IndexState): Promise<void> {
  if (gone.length <= NAMED) return;
  await purge(client, index, hidden({ gone, failed: [] }));
  await refresh(client, index);
  const stats = await client.send({ method: 'GET', path: `/${index}/_stats/docs` });
  const { count, deleted } = stats._all.primaries.docs;
  const read = await readState(client);
  const deletedNow = new Set(gone);
  const left = read.state.gone.filter(version => !deletedNow.has(version));
  const isDue = deleted > DUE * count && Date.now() > read.state.mergeAsked + ASKED_EVERY_MS;
  const mergeAsked = isDue ? Date.now() : read.state.mergeAsked;
  const tidied = await swapState(client, read, { ...read.state, gone: left, mergeAsked });
  const querystring = { only_expunge_deletes: true, wait_for_completion: false };
  if (tidied && isDue)
    await client.send({ method: 'POST', path: `/${index}/_forcemerge`, querystring });
}
