/** Tests by a clock of steps that a run gives the event loop turns, and ends at its time limit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LIMIT_NAMES } from '../core/trace/usage.ts';
import { EmbeddedEngine } from '../search/embedded-engine.ts';
import { wrapEngine } from '../search/engine.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { type AskOptions, askEvents } from './ask.ts';
import { pausesOf, readingGrace } from './pauses.ts';

const QUESTION = 'Who won the Silver Prism, and where was the winner born?';

/** Runs a question over an engine each of whose calls takes `step` milliseconds of a made clock. */
async function ask(step: number, options: Partial<AskOptions> = {}, startedAt?: number) {
  let [now, calls, turns] = [0, 0, 0];
  const snapshot = await new EmbeddedEngine({ documents: FIXTURE_DOCUMENTS }).snapshot();
  const engine = wrapEngine(snapshot, async ({ next }) => {
    now += step;
    calls++;
    return next();
  });
  const turn = async (): Promise<void> => void turns++;
  const run = askEvents(QUESTION, { engine, ...options }, () => now, { turn, startedAt });
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { ...value, calls, turns };
  }
}

describe('a run whose calls do not wait', () => {
  test('gives the event loop a turn before a call if ten milliseconds have passed', async () => {
    const slow = await ask(10);
    assert.ok(slow.turns > 0 && slow.turns >= slow.calls - 2, `${slow.turns} of ${slow.calls}`);
    assert.equal((await ask(0)).turns, 0);
  });
});

test('a run pauses while it prepares a large catalogue, and the next run goes on with it', async () => {
  const documents = Array.from({ length: 6000 }, (_, at) => ({
    id: `d${at}`,
    title: `Ferry ${at}`,
    text: `The ferry ${at} sailed.`,
    metadata: { source: `The Ferry Post ${at}` },
  }));
  const engine = await new EmbeddedEngine({ documents }).snapshot();
  const run = async (ms: number) => {
    let [now, turns] = [0, 0];
    const turn = async (): Promise<void> => void turns++;
    const options = { engine, strategy: 'multi-meta-rag', budget: { ms } };
    // Each look at the clock takes ten milliseconds, so that each pause is due.
    const asked = askEvents('What did The Ferry Post 77 report?', options, () => (now += 10), {
      turn,
    });
    for (;;) {
      const { done, value } = await asked.next();
      if (done) return { ...value, turns };
    }
  };
  const cut = await run(400);
  assert.deepEqual([cut.stopped, cut.hops.length], [{ by: 'limit', limit: 'ms' }, 0]);
  const first = await run(100_000);
  assert.equal(first.stopped, undefined);
  const again = await run(100_000);
  assert.ok(first.turns - again.turns >= 10, `${first.turns} turns, then ${again.turns}`);
  assert.deepEqual(again.hops, first.hops);
});

test('reading may exceed the limit by 5 %, and by 25 milliseconds at least', () => {
  assert.deepEqual([readingGrace(100), readingGrace(1000)], [25, 50]);
  let elapsed = 0;
  const ledger = { budget: { ms: 1000 }, elapsed: () => elapsed };
  const { inHops, inReading } = pausesOf({ clock: () => 0, turn: undefined, ledger });
  for (const [at, hops, reading] of [
    [999, true, true],
    [1000, false, true],
    [1050, false, false],
  ] as const) {
    elapsed = at;
    for (const [pause, passes] of [
      [inHops, hops],
      [inReading, reading],
    ] as const)
      if (passes) pause.check();
      else assert.throws(() => pause.check(), { limit: 'ms' });
  }
});

for (const strategy of ['fact-lanes', 'fixed-top-k(k=8)', 'iterative(rounds=3)'])
  test(`${strategy}: a limit below what a run uses is kept and named`, async () => {
    const { spent } = await ask(0, { strategy });
    for (const limit of LIMIT_NAMES) {
      const used = limit === 'ms' ? 0 : (spent[limit] ?? 0);
      if (used < 2) continue;
      const most = Math.floor(used / 2);
      const cut = await ask(0, { strategy, budget: { [limit]: most } });
      assert.ok((cut.spent[limit as keyof typeof spent] ?? 0) <= most, limit);
      assert.deepEqual(cut.stopped, { by: 'limit', limit }, `${limit}: ${used}, at most ${most}`);
    }
  });
