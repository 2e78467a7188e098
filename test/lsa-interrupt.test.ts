/** Tests that a fit gives the event loop turns and ends at an abort, at whatever turn it comes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from '../src/core/corpus/document.ts';
import { freeCall } from '../src/core/trace/call.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { fittedIndex } from '../src/search/fitted-space-index.ts';
import { mulberry32 } from '../src/search/indexes/mulberry32.ts';

const random = mulberry32(5);
const word = (): string => `w${Math.floor(random() ** 2 * 900)}`;
const DOCUMENTS: Document[] = Array.from({ length: 500 }, (_, at) => ({
  ...{ id: `d${at}`, title: `Title ${at}`, metadata: {} },
  text: Array.from({ length: 60 }, word).join(' '),
}));

/** Fits a space and aborts at a turn; returns the number of turns, or the reason of the abort. */
async function fitUntil(abortAt: number): Promise<number | unknown> {
  const stop = new AbortController();
  let turns = 0;
  const turn = async (): Promise<void> => {
    if (++turns === abortAt) stop.abort(new Error('stopped'));
  };
  const engine = new EmbeddedEngine({
    documents: DOCUMENTS,
    chunker: 'tokens',
    derived: { read: () => undefined, turn },
  });
  try {
    await engine.current.openDerived(
      fittedIndex('document', 'lsa(dimensions=64)'),
      freeCall(stop.signal),
    );
    return turns;
  } catch (error) {
    assert.equal(turns, abortAt, 'ends at the turn of the abort');
    return error;
  }
}

test('progress grows to nearly all of the work', async () => {
  const shares: number[] = [];
  const onProgress = (share: number, items: number): void => {
    assert.equal(items, DOCUMENTS.length);
    shares.push(share);
  };
  const { current } = new EmbeddedEngine({ documents: DOCUMENTS, chunker: 'tokens' });
  await current.openDerived(
    fittedIndex('document', 'lsa(dimensions=256)', { onProgress }),
    freeCall(),
  );
  assert.ok(shares.length > 5, `${shares.length} reports`);
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );
  assert.ok(shares[0]! < 0.5 && shares.at(-1)! > 0.8 && shares.at(-1)! <= 1, shares.join());
});

test('a fit takes a turn every few milliseconds, and ends at the turn of an abort', async () => {
  const all = (await fitUntil(Number.POSITIVE_INFINITY)) as number;
  assert.ok(all > 30, `${all} turns`);
  for (const at of [1, 2, Math.floor(all / 3), Math.floor(all / 2), all - 1])
    assert.equal(((await fitUntil(at)) as Error).message, 'stopped', `turn ${at} of ${all}`);
});
