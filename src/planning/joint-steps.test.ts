/** Tests long work that several runs share: pauses between its steps, limits, aborts, failures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Steps } from '../indexes/steps.ts';
import { BudgetReached } from '../trace/call.ts';
import { JointSteps } from './joint-steps.ts';

const { signal } = new AbortController();

function counted(steps: number): { readonly work: Steps<string>; readonly done: number[] } {
  const done: number[] = [];
  function* work(): Steps<string> {
    for (let step = 0; step < steps; step++) {
      done.push(step);
      yield 1;
    }
    return 'ready';
  }
  return { work: work(), done };
}

/** A call that ends at its limit in the given pause. */
const limited = (pauses: number) => {
  let left = pauses;
  const pause = async (): Promise<void> => {
    if (--left === 0) throw new BudgetReached('ms');
  };
  return { signal, pause };
};

test('a run pauses after each step, and the next goes on where one ended at its limit', async () => {
  const { work, done } = counted(10);
  const shared = new JointSteps(work);
  await assert.rejects(shared.finish(limited(4)), BudgetReached);
  assert.deepEqual(done, [0, 1, 2, 3]);
  assert.equal(await shared.finish({ signal }), 'ready');
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal(await shared.finish(limited(1)), 'ready');
});

test('runs that wait together share the steps', async () => {
  const { work, done } = counted(20);
  const shared = new JointSteps(work);
  const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  const results = await Promise.all(
    Array.from({ length: 3 }, () => shared.finish({ signal, pause })),
  );
  assert.deepEqual(results, ['ready', 'ready', 'ready']);
  assert.equal(done.length, 20);
});

test('an abort ends its own run alone', async () => {
  const { work } = counted(3);
  const shared = new JointSteps(work);
  const reason = new Error('enough');
  await assert.rejects(shared.finish({ signal: AbortSignal.abort(reason) }), reason);
  assert.equal(await shared.finish({ signal }), 'ready');
});

test('a failure of the work reaches every run', async () => {
  const failure = new Error('broken');
  const shared = new JointSteps<never>(
    (function* (): Steps<never> {
      yield 1;
      throw failure;
    })(),
  );
  await assert.rejects(shared.finish({ signal }), failure);
  await assert.rejects(shared.finish({ signal }), failure);
});
