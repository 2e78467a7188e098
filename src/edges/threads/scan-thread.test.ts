/** The second thread itself: what is found with it is what is found without, however the two share the rows, and it holds no process up. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { mulberry32 } from '../../indexes/mulberry32.ts';
import { type ScanThread, scanWith } from '../../indexes/vector/shared-scan.ts';
import { VectorIndex, type VectorQuery } from '../../indexes/vector/vector-index.ts';
import { scanThread, useScanThread } from './scan-thread.ts';

const [ROWS, DIMENSIONS] = [270_000, 16];
const skip = availableParallelism() < 2 ? 'a machine of one processor has no second thread' : false;

after(() => scanWith(undefined));

describe('the second thread', { skip }, () => {
  const next = mulberry32(11);
  const vectors = Float32Array.from({ length: ROWS * DIMENSIONS }, () => next() - 0.5);
  const vector = (): Float32Array => Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const alone = VectorIndex.build(vectors, DIMENSIONS);
  const allowed = [0.001, 0.3].map(share => Uint8Array.from({ length: ROWS }, () => Number(next() < share)));
  const searchOf = (count: number): VectorQuery[] =>
    Array.from({ length: count }, vector).flatMap((one, at) => [{ vector: one }, { vector: one, allowed: allowed[at % 2]! }]);

  test('what is found is the same, whether it takes part or not', async () => {
    let [waits, wakes] = [0, 0];
    const thread = scanThread();
    const counting: ScanThread = {
      share(rows, owner) {
        const partner = thread.share(rows, owner)!;
        return {
          wake: () => {
            wakes++;
            partner.wake();
          },
          wait: (...given) => {
            waits++;
            return partner.wait(...given);
          },
        };
      },
    };
    scanWith(counting);
    const index = VectorIndex.build(vectors, DIMENSIONS);
    for (let round = 0; round < 300; round++) {
      const queries = searchOf(1 + (round % 6));
      const k = [1, 20, 300][round % 3]!;
      assert.deepEqual(index.search(queries, k), alone.search(queries, k), `round ${round}`);
      // It needs a moment to start: it takes part from some round on.
      if (round < 20) await sleep(20);
    }
    assert.equal(wakes, 300);
    assert.ok(waits > 0, 'it took part');
  });

  test('several indexes, some of them gone', async () => {
    assert.equal(useScanThread(), true);
    for (let round = 0; round < 6; round++) {
      const index = VectorIndex.build(vectors, DIMENSIONS);
      const queries = searchOf(3);
      assert.deepEqual(index.search(queries, 30), alone.search(queries, 30));
      await sleep(5);
    }
  });

  test('a process that has one ends when its work is done', () => {
    const script = `
      import { useScanThread } from ${JSON.stringify(new URL('./scan-thread.ts', import.meta.url).href)};
      import { VectorIndex } from ${JSON.stringify(new URL('../../indexes/vector/vector-index.ts', import.meta.url).href)};
      useScanThread();
      const vectors = Float32Array.from({ length: ${ROWS * DIMENSIONS} }, (_, i) => (i % 101) - 50);
      const index = VectorIndex.build(vectors, ${DIMENSIONS});
      await new Promise(done => setTimeout(done, 200));
      console.log(index.search([{ vector: vectors.subarray(0, ${DIMENSIONS}) }], 1)[0].length);
    `;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(stdout.trim(), '1', stderr);
    assert.equal(status, 0, stderr);
  });
});
