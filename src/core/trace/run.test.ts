/**
 * A run: awaited, iterated, both, left early, failing; pulled once, and no failure is reported
 * twice or to nobody.
 */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Run } from './run.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
process.on('unhandledRejection', note);
after(() => {
  process.off('unhandledRejection', note);
});

let log: string[] = [];
beforeEach(() => {
  log = [];
});

async function* source(steps = 3, fail?: Error): AsyncGenerator<number, string, void> {
  log.push('start');
  try {
    for (let step = 0; step < steps; step++) yield step;
    if (fail) throw fail;
    return 'result';
  } finally {
    log.push('closed');
  }
}

/** Nothing may be left rejected and unheard after a test. */
async function quiet(): Promise<void> {
  await turn();
  await turn();
  assert.deepEqual(unhandled.splice(0), []);
}

describe('a run', () => {
  test('does nothing until it is iterated or awaited', async () => {
    new Run(source());
    await quiet();
    assert.deepEqual(log, []);
  });

  test('runs once if awaited several times', async () => {
    const run = new Run(source());
    assert.deepEqual(await Promise.all([run, run, run.then(result => `${result}!`)]), [
      'result',
      'result',
      'result!',
    ]);
    assert.deepEqual(log, ['start', 'closed']);
  });

  test('yields every event if iterated', async () => {
    const seen: number[] = [];
    for await (const event of new Run(source())) seen.push(event);
    assert.deepEqual(seen, [0, 1, 2]);
  });

  test('runs once if iterated and then awaited', async () => {
    const run = new Run(source());
    const seen: number[] = [];
    for await (const event of run) seen.push(event);
    assert.equal(await run, 'result');
    assert.deepEqual(
      [seen, log],
      [
        [0, 1, 2],
        ['start', 'closed'],
      ],
    );
  });

  test('resolves an await during an iteration', async () => {
    const run = new Run(source());
    const looped = (async () => {
      for await (const _ of run) await turn();
    })();
    assert.equal(await run, 'result');
    await looped;
  });

  test('yields its events once', async () => {
    const run = new Run(source());
    for await (const _ of run) break;
    await assert.rejects(
      (async () => {
        for await (const _ of run);
      })(),
      TypeError,
    );
    const drained = new Run(source());
    await drained;
    await assert.rejects(async () => {
      for await (const _ of drained);
    }, TypeError);
    await quiet();
  });

  test('closes its source if left early, and rejects awaits with an AbortError', async () => {
    const run = new Run(source());
    for await (const event of run) if (event === 1) break;
    assert.deepEqual(log, ['start', 'closed']);
    await assert.rejects(async () => await run, { name: 'AbortError' });
    await quiet();
  });

  test('closes its source if the loop throws, and the error surfaces', async () => {
    await assert.rejects(async () => {
      for await (const _ of new Run(source())) throw new Error('mine');
    }, /mine/);
    assert.deepEqual(log, ['start', 'closed']);
    await quiet();
  });
});

describe('a failing run', () => {
  const broken = new Error('broken');

  test('rejects if awaited', async () => {
    await assert.rejects(async () => await new Run(source(1, broken)), broken);
    await quiet();
  });

  test('throws in the loop if only iterated', async () => {
    await assert.rejects(async () => {
      for await (const _ of new Run(source(1, broken)));
    }, broken);
    await quiet();
  });

  test('gives loop and await the same error, without an unhandled rejection', async () => {
    const run = new Run(source(1, broken));
    await assert.rejects(async () => {
      for await (const _ of run);
    }, broken);
    await assert.rejects(async () => await run, broken);
    assert.equal(await run.then(null, () => 'handled'), 'handled');
    await quiet();
  });
});
