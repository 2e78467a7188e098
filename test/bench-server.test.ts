/**
 * Tests the load tests of the server: that broken streams and broken goals are seen, and that the
 * figures of each goal are printed by a short run.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { server } from '../bench/server.ts';
import { faultOfRecord } from '../bench/server-load/bed.ts';
import { percentile } from '../bench/server-load/cannon.ts';
import { EventParser, StreamCheck, type StreamedEvent } from '../bench/server-load/event-reader.ts';
import { atLeast, atMost, isBelowFloor } from '../bench/server-load/goals.ts';
import { traceFault } from '../bench/server-load/soak-clients.ts';
import { slopeOf, soak } from '../bench/soak.ts';
import { freshFolder } from './fresh-folder.ts';

const data = process.env['MULTIHOP_DATA'];
const sender = new URL('../bench/server-load/node_modules/autocannon/', import.meta.url);

describe('goals', () => {
  const figure = { what: 'L0', n: 1, unit: 'ms' };

  test('are missed on the wrong side of their floor alone', () => {
    assert.equal(isBelowFloor(atMost({ ...figure, value: 101, floor: 100, aim: 20 })), true);
    assert.equal(isBelowFloor(atMost({ ...figure, value: 100, floor: 100, aim: 20 })), false);
    assert.equal(isBelowFloor(atLeast({ ...figure, value: 6.9, floor: 7 })), true);
    assert.equal(isBelowFloor(atLeast({ ...figure, value: 7, floor: 7, aim: 30 })), false);
    assert.equal(isBelowFloor(atLeast({ ...figure, value: 0, floor: 7 })), true);
  });

  test('of nothing are missed by anything', () => {
    assert.equal(isBelowFloor(atMost({ ...figure, value: 1, floor: 0 })), true);
    assert.equal(isBelowFloor(atMost({ ...figure, value: -3, floor: 0 })), false);
  });

  test('that have no figure are missed', () => {
    const value = percentile([], 0.99);
    assert.equal(isBelowFloor(atMost({ ...figure, value, floor: 100 })), true);
  });

  test('print their ratio to floor and aim, above 1 where it is reached', () => {
    const { peers } = atMost({ ...figure, value: 50, floor: 100, aim: 20 });
    assert.deepEqual(
      peers.map(({ name, value, ratio }) => [name, value, ratio]),
      [
        ['floor', 100, 2],
        ['aim', 20, 0.4],
      ],
    );
  });
});

describe('a stream', () => {
  const whole: readonly StreamedEvent[] = [
    { event: 'question', data: '{}', id: '0' },
    { event: 'hop', data: '{}', id: '1' },
    { event: 'text', data: '{"text":"At"}' },
    { event: 'end', data: '{}', id: '2' },
    { event: 'result', data: '{"id":"x"}' },
  ];
  const faultOf = (events: readonly StreamedEvent[], traceId = 'x'): string | undefined => {
    const check = new StreamCheck();
    for (const event of events) check.see(event);
    return check.fault(traceId);
  };

  test('is whole with every event and its record', () => {
    assert.equal(faultOf(whole), undefined);
  });

  test('that lost an event is seen, whichever it was', () => {
    for (const [at, lost] of whole.entries()) {
      const fault = faultOf(whole.filter((_, index) => index !== at));
      // Pieces of text have no number; the answer in the record has all of them.
      assert.equal(fault === undefined, lost.event === 'text', `${lost.event}: ${fault}`);
    }
  });

  test('of another trace, with an error or out of order is seen', () => {
    assert.match(faultOf(whole, 'y')!, /another trace/);
    assert.match(faultOf([...whole, whole[2]!])!, /after the record/);
    assert.match(faultOf([whole[1]!, whole[0]!, ...whole.slice(2)])!, /event 1 where 0/);
    assert.match(faultOf([...whole.slice(0, 4), { event: 'error', data: '{}' }])!, /error/);
  });

  test('is read alike however it is cut into chunks', () => {
    const text = 'event: hop\nid: 3\ndata: a\n\n: still here\n\nevent: text\ndata: b\n\n';
    const expected = [
      { event: 'hop', data: 'a', id: '3' },
      { event: 'text', data: 'b' },
    ];
    for (let size = 1; size <= text.length; size++) {
      const parser = new EventParser();
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      assert.deepEqual(
        chunks.flatMap(chunk => [...parser.read(chunk)]),
        expected,
      );
    }
  });
});

test('records of runs with fewer hops or calls, or that were stopped, are faults', () => {
  const record = { hops: [1, 2, 3], spent: { modelCalls: 3 }, answer: { kind: 'answered' } };
  assert.equal(faultOfRecord(JSON.stringify(record)), undefined);
  assert.match(faultOfRecord(JSON.stringify({ ...record, hops: [1] }))!, /1 hops/);
  assert.match(faultOfRecord(JSON.stringify({ ...record, spent: {} }))!, /calls/);
  assert.match(faultOfRecord(JSON.stringify({ ...record, stopped: { by: 'abort' } }))!, /abort/);
});

test('a stream that differs from its trace is seen', () => {
  const lines = ['a', 'b'];
  assert.equal(traceFault(lines, 'a\nb\nseal\n'), undefined);
  assert.match(traceFault(lines, 'a\nb\nc\nseal\n')!, /had 2 events, its trace 3/);
  assert.match(traceFault(lines, 'a\nc\nseal\n')!, /event 1 differs/);
});

test('the slope of a line is that of its steps', () => {
  assert.equal(slopeOf([5, 7, 9, 11]), 2);
  assert.equal(slopeOf([3, 3, 3]), 0);
  assert.ok(slopeOf([10, 8, 9, 5]) < 0);
  assert.equal(slopeOf([4]), 0);
});

/** Holds the store that both runs ask. */
const cache = freshFolder();

test('a short soak loses no event', {
  skip: data === undefined && 'MULTIHOP_DATA is not set',
}, async () => {
  const said: string[] = [];
  const setting = { data: data!, runs: 1, say: (line: string) => void said.push(line), cache };
  const results = await soak({ ...setting, share: 0.0005, minutes: 0.05, clients: 6 });
  assert.equal(said.filter(line => line.startsWith('soak: ')).length, 6);
  const [lost, ...memory] = results;
  assert.equal(lost!.ours, 0, lost!.note);
  assert.ok(lost!.n > 0);
  assert.match(lost!.note!, /[1-9]\d* events; [1-9]\d* streams compared/);
  assert.deepEqual(
    memory.map(({ unit, ours }) => [unit, Number.isFinite(ours)]),
    [
      ['%', true],
      ['%', true],
    ],
  );
});

test('a short run measures each goal on the real command', {
  skip:
    data === undefined
      ? 'MULTIHOP_DATA is not set'
      : !existsSync(sender) && 'needs autocannon: npm ci --prefix bench/server-load',
}, async () => {
  const setting = { data: data!, runs: 1, say: () => {}, share: 0.0005, cache };
  const results = await server({ ...setting, goals: 'L1,L11' });
  const numbers = new Set(results.map(({ task }) => /L\d+/.exec(task)![0]));
  assert.deepEqual([...numbers], ['L1', 'L2', 'L11', 'L8']);
  for (const { task, ours, n, peers } of results) {
    assert.ok(Number.isFinite(ours) && n > 0, `${task}: ${ours}, n = ${n}`);
    // The client of a model has no goal.
    assert.ok(peers.length > 0 || task.includes('behind HTTP'), task);
  }
  const lost = results.filter(({ task }) => /lost|not ended/.test(task));
  assert.deepEqual(
    lost.map(({ ours }) => ours),
    [0],
  );
  // Measured goals are kept: a second run prints the same figures.
  const again = await server({ ...setting, goals: 'L11' });
  assert.deepEqual(
    again[0],
    results.find(({ task }) => task.includes('L11')),
  );
});
