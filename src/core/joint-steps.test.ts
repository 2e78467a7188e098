/** Tests long work that several calls share: pauses between its steps, limits, failures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JointSteps } from './joint-steps.ts';
import { finish, finishWithPauses, inSteps, type Steps } from './steps.ts';

function counted(steps: number): { readonly shared: JointSteps<string>; readonly done: number[] } {
  const done: number[] = [];
  function* work(): Steps<string> {
    yield* inSteps(Array(steps).keys(), 1, step => done.push(step));
    return 'ready';
  }
  return { shared: new JointSteps(work), done };
}

/** A pause that fails the given time it is called. */
const limited = (pauses: number): (() => Promise<void>) => {
  let left = pauses;
  return async () => {
    if (--left === 0) throw new Error('limit');
  };
};

test('a call pauses after each step, and the next goes on where one ended at its limit', async () => {
  const { shared, done } = counted(10);
  await assert.rejects(finishWithPauses(shared.finished(), limited(4)), /limit/);
  assert.deepEqual(done, [0, 1, 2, 3]);
  assert.equal(finish(shared.finished()), 'ready');
  assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal(await finishWithPauses(shared.finished(), limited(1)), 'ready');
});

test('calls that wait together share the steps', async () => {
  const { shared, done } = counted(20);
  const pause = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
  const results = await Promise.all(
    Array.from({ length: 3 }, () => finishWithPauses(shared.finished(), pause)),
  );
  assert.deepEqual(results, ['ready', 'ready', 'ready']);
  assert.equal(done.length, 20);
});

test('steps that fail are begun again by the next call', () => {
  let [begun, broken] = [0, true];
  const shared = new JointSteps<number>(function* () {
    begun++;
    yield 1;
    if (broken) throw new Error('broken');
    return 7;
  });
  assert.throws(() => finish(shared.finished()), /broken/);
  broken = false;
  assert.deepEqual([finish(shared.finished()), begun], [7, 2]);
});
