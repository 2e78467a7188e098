/** Tests that the graph of a walk is made in turns, ends at an abort, and goes on with the next. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Passage } from '../src/core/corpus/document.ts';
import type { Ranking } from '../src/core/ranking/ranking.ts';
import { BudgetReached, type Call, freeCall } from '../src/core/trace/call.ts';
import { SnapshotWalks, type WalkSource } from '../src/search/graphs/snapshot-walks.ts';

const SYLLABLES = ['ka', 'lo', 'mi', 'nu', 're', 'sa', 'to', 'vi', 'we', 'zo'];
const nameOf = (number: number): string =>
  [...String(number + 10_000)].map(digit => SYLLABLES[Number(digit)]).join('');
/** 2,500 documents of four names, of which one is that of the document before. */
const IDS = Array.from({ length: 2500 }, (_, at) => `d${10_000 + at}`);
const ENTITIES = new Map(
  IDS.map((id, at) => {
    const names = [0, 1, 2, 3].map(by => nameOf(3 * at + by));
    return [id, { sentences: [names], triples: [] }];
  }),
);

const passage = (id: string): Passage => ({ id, documentId: id, start: 0, end: 1, text: 'x' });
const walksOf = (source: Partial<WalkSource> = {}): SnapshotWalks =>
  new SnapshotWalks({
    item: (_, id) => passage(id),
    parts: (_, id) => [passage(id)],
    passing: () => new Set(IDS),
    entities: async () => ENTITIES,
    ...source,
  });
const walk = (walks: SnapshotWalks, call: Call): Promise<Ranking> =>
  walks.walk(
    { unit: 'document', entities: [[nameOf(9), 1]], through: 'items', k: 50, synonyms: true },
    call,
  );

/** Walks that count their turns, and abort at one. */
function counted() {
  const seen = { turns: 0, abortAt: 0 };
  const stop = new AbortController();
  const turn = async (): Promise<void> => {
    if (++seen.turns === seen.abortAt) stop.abort(new Error('stopped'));
  };
  return { seen, stop, walks: walksOf({ turn }) };
}

const whole = counted();
const expected = await walk(whole.walks, freeCall());
const { turns: all } = whole.seen;

test('a first walk takes many turns, a later one few', async () => {
  assert.ok(all > 100, `${all} turns`);
  assert.equal(expected.length, 50);
  assert.deepEqual(await walk(whole.walks, freeCall()), expected);
  assert.equal(whole.seen.turns, all);
});

test('a walk ends at the turn of an abort, and the next one goes on from there', async () => {
  for (const abortAt of [1, 2, 20, Math.floor(all / 2), all - 1]) {
    const { seen, stop, walks } = counted();
    seen.abortAt = abortAt;
    await assert.rejects(walk(walks, freeCall(stop.signal)), { message: 'stopped' });
    assert.equal(seen.turns, abortAt);
    assert.deepEqual(await walk(walks, freeCall()), expected);
    assert.equal(seen.turns, all, 'no step is taken again');
  }
});

test('walks at once share one graph, also if one of them is aborted', async () => {
  const { seen, stop, walks } = counted();
  seen.abortAt = Math.floor(all / 2);
  const [aborted, ...others] = await Promise.allSettled(
    [freeCall(stop.signal), freeCall(), freeCall()].map(call => walk(walks, call)),
  );
  assert.equal(aborted!.status, 'rejected');
  for (const other of others) assert.deepEqual(other, { status: 'fulfilled', value: expected });
  assert.equal(seen.turns, all);
});

test('a walk ends at its time limit, without turns too', async () => {
  const walks = walksOf();
  let asked = 0;
  const call: Call = {
    ...freeCall(),
    left: () => ({ ms: Math.max(0, 30 - ++asked) }),
  };
  await assert.rejects(walk(walks, call), BudgetReached);
  assert.equal(asked, 30);
  assert.deepEqual(await walk(walks, freeCall()), expected);
});

test('a graph whose making fails is made again', async () => {
  let isBroken = true;
  const walks = walksOf({
    parts: (_, id) => {
      if (isBroken && id === IDS[2000]) throw new Error('no disk');
      return [passage(id)];
    },
  });
  for (const _ of [1, 2]) await assert.rejects(walk(walks, freeCall()), { message: 'no disk' });
  isBroken = false;
  assert.deepEqual(await walk(walks, freeCall()), expected);
});
