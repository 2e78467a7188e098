/** Bounds what names in searches build: how many spaces are kept, and how often each is fitted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeCall } from '../src/core/trace/call.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';

/** An engine, and the keys of the indexes that it built. */
function watched(): { readonly engine: EmbeddedEngine; readonly built: string[] } {
  const built: string[] = [];
  const engine = new EmbeddedEngine({
    documents: FIXTURE_DOCUMENTS,
    derived: {
      read: () => undefined,
      building: key => built.push(key),
      turn: () => new Promise(resolve => setImmediate(resolve)),
    },
  });
  return { engine, built };
}

const search = (engine: EmbeddedEngine, dimensions: number, signal?: AbortSignal) =>
  engine.current.search(
    {
      unit: 'document',
      k: 1,
      space: `lsa(dimensions=${dimensions})`,
      queries: [{ text: 'ferry' }],
    },
    freeCall(signal),
  );

test('keep few spaces whose settings a name chooses', async () => {
  const { engine, built } = watched();
  for (let dimensions = 1; dimensions <= 12; dimensions++) {
    await search(engine, dimensions);
    // In use all along, and so it stays.
    await search(engine, 1);
  }
  assert.equal(built.length, 12);
  for (const dimensions of [1, 12, 11, 10, 9, 8, 7, 6]) await search(engine, dimensions);
  assert.equal(built.length, 12);
  await search(engine, 2);
  assert.equal(built.length, 13);
});

test('build once for those who come together, and end at the budget of each', async () => {
  const { engine, built } = watched();
  await Promise.all([search(engine, 2), search(engine, 2), search(engine, 2)]);
  assert.equal(built.length, 1);
  const ended = new AbortController();
  const first = search(engine, 3, ended.signal);
  const second = search(engine, 3);
  ended.abort(new Error('its time is over'));
  await assert.rejects(first, /its time is over/);
  assert.equal((await second)[0]!.length, 1);
});
