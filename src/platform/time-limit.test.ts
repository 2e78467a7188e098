/** Time limits of runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { monotonicClock } from './clock.ts';
import { limitTime } from './time-limit.ts';

const name = (signal: AbortSignal | undefined): string => (signal?.reason as Error)?.name;

test('a limit fires with a TimeoutError, at once if its time is over', async () => {
  const { limit, end } = limitTime(5);
  assert.equal(limit.timeLimit?.aborted, false);
  // Its timer keeps no process alive: something else must.
  await wait(50);
  assert.equal(name(limit.timeLimit), 'TimeoutError');
  end();
  assert.equal(name(limitTime(10, monotonicClock() - 20).limit.timeLimit), 'TimeoutError');
  assert.deepEqual(limitTime(undefined).limit, {});
  assert.deepEqual(limitTime(2 ** 31).limit, {});
});

test('an ended limit does not fire', async () => {
  const { limit, end } = limitTime(5);
  end();
  await wait(50);
  assert.equal(limit.timeLimit?.aborted, false);
});

test('timers may be numbers, as those of browsers are', async t => {
  const real = globalThis.setTimeout;
  const timers = new Map<number, ReturnType<typeof real>>();
  t.mock.method(globalThis, 'setTimeout', ((run: () => void, ms: number) => {
    timers.set(timers.size + 1, real(run, ms));
    return timers.size;
  }) as unknown as typeof real);
  const { limit, end } = limitTime(5);
  t.mock.restoreAll();
  await wait(50);
  assert.equal(timers.size, 1);
  assert.equal(name(limit.timeLimit), 'TimeoutError');
  end();
});
