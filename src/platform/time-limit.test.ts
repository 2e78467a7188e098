/** Time limits of runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { monotonicClock } from './clock.ts';
import { TimeLimit } from './time-limit.ts';

const name = (signal: AbortSignal | undefined): string => (signal?.reason as Error)?.name;

test('a limit fires with a TimeoutError, at once if its time is over', async () => {
  using limit = new TimeLimit(5);
  assert.equal(limit.over?.aborted, false);
  // Its timer keeps no process alive: something else must.
  await wait(50);
  assert.deepEqual([name(limit.over), name(limit.signal)], ['TimeoutError', 'TimeoutError']);
  using late = new TimeLimit(10, { startedAt: monotonicClock() - 20 });
  assert.equal(name(late.over), 'TimeoutError');
  for (const ms of [undefined, 2 ** 31]) {
    using none = new TimeLimit(ms);
    assert.deepEqual([none.over, none.signal.aborted], [undefined, false]);
  }
});

test('an ended limit does not fire', async () => {
  const limit = new TimeLimit(5);
  limit[Symbol.dispose]();
  await wait(50);
  assert.equal(limit.over?.aborted, false);
});

test('timers may be numbers, as those of browsers are', async t => {
  const real = globalThis.setTimeout;
  const timers = new Map<number, ReturnType<typeof real>>();
  t.mock.method(globalThis, 'setTimeout', ((run: () => void, ms: number) => {
    timers.set(timers.size + 1, real(run, ms));
    return timers.size;
  }) as unknown as typeof real);
  using limit = new TimeLimit(5);
  t.mock.restoreAll();
  await wait(50);
  assert.equal(timers.size, 1);
  assert.equal(name(limit.over), 'TimeoutError');
});
