/** Tests that many runs at once hold the event loop no longer than one of them does. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { takeTurns } from '../src/platform/clock.ts';
import { EmbeddedEngine } from '../src/search/embedded-engine.ts';
import { wrapEngine } from '../src/search/engine.ts';
import type { PlaceSnapshot } from '../src/search/place.ts';
import { retrievers } from '../src/search/retrievers.ts';
import { MemoryPlace } from '../src/session/places/memory-place.ts';
import { searchOnce } from '../src/session/search.ts';
import { FIXTURE_DOCUMENTS } from '../src/testing/fixture-corpus.ts';

/** Works without a break for longer than the event loop should wait. */
const WORK_MS = 12;

function work(): void {
  const started = performance.now();
  while (performance.now() - started < WORK_MS);
}

/** Runs work, and returns for each piece of it the turn of the event loop in which it was done. */
async function turnsOf(run: (worked: () => void) => Promise<unknown>): Promise<number[]> {
  let [turn, ended] = [0, false];
  const count = (): void => {
    turn++;
    if (!ended) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  await run(() => {
    work();
    turns.push(turn);
  });
  ended = true;
  return turns;
}

describe('those who yield to the event loop', () => {
  test('go on one in each turn, in their order', async () => {
    const order: number[] = [];
    const turns = await turnsOf(worked =>
      Promise.all(
        Array.from({ length: 5 }, async (_, at) => {
          await takeTurns();
          order.push(at);
          worked();
        }),
      ),
    );
    assert.deepEqual(order, [0, 1, 2, 3, 4]);
    assert.equal(new Set(turns).size, 5, turns.join());
  });

  test('go on also where others yield again and again', async () => {
    let others = true;
    const busy = (async () => {
      while (others) await takeTurns();
    })();
    for (let turn = 0; turn < 10; turn++) await takeTurns();
    others = false;
    await busy;
  });

  test('wait for connections, of which an iteration of the event loop accepts one', async () => {
    const COUNT = 30;
    const arrived = Promise.withResolvers<void>();
    let accepted = 0;
    const server = createServer(() => {
      if (++accepted === COUNT) arrived.resolve();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    let [turns, busy] = [0, true];
    const working = (async () => {
      while (busy) {
        await takeTurns();
        turns++;
        work();
      }
    })();
    const clients = Array.from({ length: COUNT }, () => connect(port, '127.0.0.1'));
    await arrived.promise;
    busy = false;
    await working;
    for (const client of clients) client.destroy();
    server.close();
    // 30 turns and more if each turn served one iteration; a busy machine needs up to 20.
    assert.ok(turns < 0.9 * COUNT, `${turns} turns for ${COUNT} connections`);
  });
});

test('searches that come together, and their calls of the engine, each have a turn', async () => {
  const snapshot = await new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS }).snapshot();
  const turns = await turnsOf(worked => {
    const engine = wrapEngine(snapshot, ({ method, next }) => {
      if (method === 'search') worked();
      return next();
    });
    class Counted extends MemoryPlace {
      override async snapshot(): Promise<PlaceSnapshot> {
        const opened = { ...engine, async [Symbol.asyncDispose]() {} };
        return { ...(await super.snapshot()), engine: opened };
      }
    }
    const searched = {
      place: new Counted(),
      state: { documents: 0, chunker: 'whole', spaces: [] },
      resources: [],
      retriever: retrievers.create('hybrid(none)'),
    };
    const request = { query: 'Who won the Silver Prism, and where was he born?', k: 3 };
    return Promise.all(Array.from({ length: 3 }, () => searchOnce(searched, request)));
  });
  assert.ok(turns.length >= 9, `${turns.length} searches of the engine`);
  assert.equal(new Set(turns).size, turns.length, turns.join());
});
