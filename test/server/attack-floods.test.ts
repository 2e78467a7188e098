/** Attacks a server by many requests: of one client, of strangers, and of clients side by side. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { OWN_ROUTES } from '../../src/server/app.ts';
import { clientOf } from '../../src/server/client-of.ts';
import { RateLimit } from '../../src/server/rate-limit.ts';
import { Admission } from '../../src/session/requests/admission.ts';
import { TARGETS } from './every-route.ts';
import { headOf, rawClient, until } from './raw-client.ts';
import { type Served, sendTo, serveAsking, serveShips } from './served-store.ts';

const probes = Object.entries(OWN_ROUTES).flatMap(([path, { limited }]) => (limited ? [] : [path]));

describe('requests of one client beyond its rate', () => {
  test('are refused on every route but probes, with the time to wait; others are served', async () => {
    for (const { path, sent, name } of TARGETS.filter(one => !probes.includes(one.path))) {
      const { server } = await serveShips({ limits: { perMinute: 2 } });
      await using _ = server;
      const send = (client: string): Promise<Response> => sendTo(server, path, { ...sent, client });
      for (let count = 0; count < 2; count++)
        assert.notEqual((await send('flood')).status, 429, name);
      const refused = await send('flood');
      assert.equal(refused.status, 429, name);
      assert.match(refused.headers.get('retry-after')!, /^[1-9]\d*$/);
      assert.equal(((await refused.json()) as { code: string }).code, 'too-many-requests');
      assert.notEqual((await send('other')).status, 429, name);
    }
  });

  test('of a stranger without the token take nothing of the rate of those who have it', async () => {
    const { server, send } = await serveShips({ limits: { perMinute: 3 } });
    await using _ = server;
    for (let count = 0; count < 50; count++)
      assert.equal((await send('/v1/about', { headers: { Authorization: 'no' } })).status, 401);
    assert.equal((await send('/v1/about')).status, 200);
  });

  test('come back after as long as the refusal says, and the limit forgets no client early', () => {
    let now = 0;
    const rate = new RateLimit(60, () => now);
    for (let count = 0; count < 60; count++) rate.take('a');
    const seconds = (): number => {
      try {
        rate.take('a');
        return 0;
      } catch (error) {
        return Number((error as { headers: Record<string, string> }).headers['Retry-After']);
      }
    };
    assert.equal(seconds(), 1);
    for (let client = 0; client < 9_000; client++) rate.take(`other ${client}`);
    assert.equal(seconds(), 1);
    now += 1000;
    assert.equal(seconds(), 0);
    assert.equal(seconds(), 1);
  });
});

test('addresses that one sender can choose at will are one client', () => {
  const one = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:0db8:0001:0002:a:b:c:d'];
  assert.deepEqual([...new Set(one.map(clientOf))], ['2001:db8:1:2::/64']);
  assert.notEqual(clientOf('2001:db8:1:3::1'), clientOf('2001:db8:1:2::1'));
  assert.equal(clientOf('::ffff:192.0.2.7'), clientOf('192.0.2.7'));
  assert.notEqual(clientOf('192.0.2.7'), clientOf('192.0.2.8'));
  for (const address of ['127.0.0.1', '::1', 'a-name']) assert.equal(clientOf(address), address);
  assert.equal(clientOf('fe80::1%eth0'), clientOf('fe80::2%eth1'));
});

describe('runs beyond the places', () => {
  const body = { question: 'Which ship lost its engines?', strategy: 'fixed-top-k(k=2)' };

  test('wait, are refused with 503 once the queue is full, and probes are answered all along', async () => {
    await using served = await serveAsking({ limits: { concurrent: 1, queue: 2 } });
    const { model } = served;
    const asked = (client: string): Promise<Response> => served.send('/v1/ask', { body, client });
    const first = asked('a');
    const call = await model.nextCall();
    const waiting = [asked('a'), asked('a')];
    await gauge(served, 'multihop_waiting 2');
    const refused = await asked('a');
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('retry-after')!, /^[1-9]\d*$/);
    assert.equal(((await refused.json()) as { code: string }).code, 'busy');
    for (const path of probes) assert.equal((await served.send(path)).status, 200);
    // A client with nothing takes the place of the one that has most.
    const other = asked('b');
    assert.equal((await waiting[1]!).status, 503);
    call.answer('The Linnet [1]');
    assert.equal((await first).status, 200);
    // The one with fewer runs is next, though it came last; both have none now.
    const next = await model.nextCall();
    next.answer('The Linnet [1]');
    (await model.nextCall()).answer('The Linnet [1]');
    const statuses = (await Promise.all([waiting[0]!, other])).map(({ status }) => status);
    assert.deepEqual(statuses, [200, 200]);
  });

  test('are refused before their bodies are read', async () => {
    await using served = await serveAsking({ limits: { concurrent: 1, queue: 1 } });
    const { model } = served;
    const url = await served.server.listen({ port: 0 });
    const asked = (): Promise<Response> => served.send('/v1/ask', { body, client: '127.0.0.1' });
    const first = asked();
    const call = await model.nextCall();
    const second = asked();
    await gauge(served, 'multihop_waiting 1');
    const client = await rawClient(url);
    const about = ['Content-Type: application/json', 'Content-Length: 1000'];
    client.send(`${headOf('POST /v1/ask HTTP/1.1', about)}\r\n{"question": "`);
    await until(() => client.received().includes('"busy"'));
    assert.match(client.received(), /^HTTP\/1\.1 503 /);
    client.socket.destroy();
    call.answer('The Linnet [1]');
    (await model.nextCall()).answer('The Linnet [1]');
    for (const { status } of await Promise.all([first, second])) assert.equal(status, 200);
  });

  test('that wait for a client who is gone give up their place in the queue', async () => {
    await using served = await serveAsking({ limits: { concurrent: 1, queue: 5 } });
    const { model } = served;
    const first = served.send('/v1/ask', { body });
    const call = await model.nextCall();
    const abort = new AbortController();
    const waits = [1, 2, 3].map(() => served.send('/v1/ask', { body, signal: abort.signal }));
    await gauge(served, 'multihop_waiting 3');
    abort.abort();
    for (const { status } of await Promise.all(waits)) assert.equal(status, 503);
    await gauge(served, 'multihop_waiting 0');
    call.answer('The Linnet [1]');
    assert.equal((await first).status, 200);
  });
});

const gauge = ({ send }: Served, line: string): Promise<void> =>
  until(async () =>
    (await (await send('/metrics', { client: 'watcher' })).text()).includes(`\n${line}\n`),
  );

interface Entry {
  readonly client: string;
  leave?: () => void;
}

/** Runs and waiting requests as they should be, beside those of an `Admission`. */
class Crowd {
  readonly running: Entry[] = [];
  readonly waiting: Entry[] = [];
  private readonly admission: Admission;

  constructor(admission: Admission) {
    this.admission = admission;
  }

  async enter(client: string): Promise<void> {
    const entry: Entry = { client };
    this.waiting.push(entry);
    const gone = (): void => void this.waiting.splice(this.waiting.indexOf(entry), 1);
    void this.admission.enter(client, new AbortController().signal).then(leave => {
      gone();
      entry.leave = leave;
      this.running.push(entry);
    }, gone);
    await settled();
  }

  /** Ends the oldest run, and returns the request that should be next, and the one that was. */
  async leave(): Promise<[Entry | undefined, Entry | undefined]> {
    const { leave } = this.running.shift()!;
    const runs = ({ client }: Entry): number =>
      this.running.filter(one => one.client === client).length;
    const fewest = Math.min(...this.waiting.map(runs));
    const next = this.waiting.find(one => runs(one) === fewest);
    const before = this.running.length;
    leave!();
    leave!();
    await settled();
    return [next, this.running[before]];
  }
}

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('whoever comes and goes, limits hold, and the next is the oldest of a client with fewest runs', async () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.constant(undefined));
  const limits = fc.record({
    concurrent: fc.integer({ min: 1, max: 4 }),
    queue: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), limits, async (steps, options) => {
      const admission = new Admission(options);
      const crowd = new Crowd(admission);
      const ends = steps.map(() => undefined);
      for (const client of [...steps, ...ends]) {
        if (client !== undefined) await crowd.enter(client);
        else if (crowd.running.length > 0) {
          const [expected, next] = await crowd.leave();
          assert.equal(next, expected);
        }
        const { running, waiting } = admission.load;
        assert.deepEqual([running, waiting], [crowd.running.length, crowd.waiting.length]);
        assert.ok(running <= options.concurrent && waiting <= options.queue);
        assert.ok(waiting === 0 || running === options.concurrent);
      }
      assert.deepEqual(admission.load, { running: 0, waiting: 0 });
    }),
    { numRuns: 600 },
  );
});

test('one client that sends without end does not keep another from its turn', async () => {
  const admission = new Admission({ concurrent: 2, queue: 8 });
  const { signal } = new AbortController();
  const turns: string[] = [];
  const leaves: (() => void)[] = [];
  const enter = (client: string): void =>
    void admission.enter(client, signal).then(
      leave => {
        turns.push(client);
        leaves.push(leave);
      },
      () => undefined,
    );
  for (let count = 0; count < 30; count++) enter('greedy');
  enter('modest');
  for (let count = 0; count < 3; count++) {
    await settled();
    leaves.shift()!();
    enter('greedy');
  }
  await settled();
  assert.deepEqual(turns.slice(0, 3), ['greedy', 'greedy', 'modest']);
});
