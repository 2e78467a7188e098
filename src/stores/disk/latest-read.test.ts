/** Tests that shared reads are never older than the wish for them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LatestRead } from './latest-read.ts';

/** A read that ends when the test says so. */
function reads(): {
  readonly begun: { end(value: number): void; fail(error: Error): void }[];
  readonly read: () => Promise<number>;
} {
  const begun: { end(value: number): void; fail(error: Error): void }[] = [];
  const read = (): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    begun.push({ end: resolve, fail: reject });
    return promise;
  };
  return { begun, read };
}
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('LatestRead', () => {
  test('those who come during a read share the next one', async () => {
    const { begun, read } = reads();
    const latest = new LatestRead(read);
    const first = latest.get();
    const [second, third] = [latest.get(), latest.get()];
    assert.equal(begun.length, 1);
    begun[0]!.end(1);
    assert.equal(await first, 1);
    await turn();
    assert.equal(begun.length, 2);
    const fourth = latest.get();
    begun[1]!.end(2);
    assert.deepEqual(await Promise.all([second, third]), [2, 2]);
    await turn();
    begun[2]!.end(3);
    assert.equal(await fourth, 3);
    await turn();
    const fifth = latest.get();
    assert.equal(begun.length, 4);
    begun[3]!.end(4);
    assert.equal(await fifth, 4);
  });

  test('those who come before a read that follows begins share it too', async () => {
    const { begun, read } = reads();
    const between = Promise.withResolvers<void>();
    const latest = new LatestRead(read, () => between.promise);
    const first = latest.get();
    const second = latest.get();
    begun[0]!.end(1);
    assert.equal(await first, 1);
    await turn();
    const third = latest.get();
    assert.equal(begun.length, 1);
    between.resolve();
    await turn();
    assert.equal(begun.length, 2);
    begun[1]!.end(2);
    assert.deepEqual(await Promise.all([second, third]), [2, 2]);
  });

  test('a failure is not kept', async () => {
    const { begun, read } = reads();
    const latest = new LatestRead(read);
    const [first, second] = [latest.get(), latest.get()];
    begun[0]!.fail(new Error('gone'));
    await assert.rejects(first, /gone/);
    await turn();
    begun[1]!.end(2);
    assert.equal(await second, 2);
  });

  test('any order of wishes, changes and ends: no result is older than its wish', async () => {
    const step = fc.constantFrom<'wish' | 'change' | 'end' | 'fail'>(
      'wish',
      'change',
      'end',
      'fail',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, rests) => {
        let state = 0;
        const open: (() => void)[] = [];
        const fails: (() => void)[] = [];
        const latest = new LatestRead(
          () => {
            // It may see the state at its begin, or any later one.
            const { promise, resolve, reject } = Promise.withResolvers<number>();
            const seen = state;
            open.push(() => resolve(seen));
            fails.push(() => reject(new Error('failed')));
            return promise;
          },
          ...(rests ? [turn] : []),
        );
        const wishes: Promise<void>[] = [];
        const wish = (): void => {
          const least = state;
          const checked = (seen: number): void => assert.ok(seen >= least, `${seen} < ${least}`);
          const got = latest.get();
          wishes.push(got.then(checked, error => assert.equal(error.message, 'failed')));
        };
        for (const step of steps) {
          if (step === 'wish') wish();
          else if (step === 'change') state++;
          else (step === 'end' ? open : fails).at(-1)?.();
          await turn();
        }
        for (let left = 0; left < 9; left++) {
          for (const end of open) end();
          await turn();
        }
        await Promise.all(wishes);
      }),
      { numRuns: 200 },
    );
  });
});
