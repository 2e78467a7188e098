/**
 * Faults of OpenSearch and of the way there in the middle of a question and of a write: each ends
 * in its time, by a typed error, and nothing of the write is seen.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { PortError } from '../../src/core/errors.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import type { Trace } from '../../src/core/trace/trace.ts';
import { ask } from '../../src/session/verbs.ts';
import type { RemoteEngine } from '../../src/stores/servers/remote-engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { type Fault, losing, proxiedServer } from './fault-proxy.ts';
import {
  administer,
  listed,
  NEEDS_OPENSEARCH,
  NEEDS_OWN_OPENSEARCH,
  newIndex,
  OpenedEngines,
  TestCluster,
} from './opensearch-server.ts';

const call = freeCall();
const LIMIT_MS = 2000;
/** Milliseconds for the work around a request that waits for its limit. */
const BESIDE_MS = 3000;
const [first, ...others] = FIXTURE_DOCUMENTS;
const { text } = FIXTURE_QUESTIONS[0]!;

const FAULTS: readonly (readonly [fault: Fault, code: string])[] = [
  ['silence', 'timeout'],
  ['late', 'timeout'],
  ['cut', 'unreachable'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [429, 'engine-busy'],
  [503, 'unreachable'],
];

const askOver = (engine: RemoteEngine): PromiseLike<Trace> =>
  ask(text, { engine, strategy: 'iterative(rounds=3)', reader: 'evidence-only' });

describe('OpenSearch with faults in the middle', NEEDS_OPENSEARCH, () => {
  const opened = proxiedServer();

  for (const [fault, code] of FAULTS) {
    test(`of a question: ${fault}`, async t => {
      const limit = { timeoutMs: LIMIT_MS };
      const engine = await opened.engines.holding(
        FIXTURE_DOCUMENTS,
        limit,
        newIndex(opened.proxy.url),
      );
      const whole = await askOver(engine);
      let searches = 0;
      opened.proxy.fault = line => (line.includes('_msearch') && ++searches > 2 ? fault : 'pass');
      const began = performance.now();
      const { stopped, hops, evidence } = await askOver(engine);
      const ms = performance.now() - began;
      assert.ok(stopped?.by === 'failure' && stopped.code === code, JSON.stringify(stopped));
      assert.ok(ms < LIMIT_MS + BESIDE_MS, `${ms} ms`);
      // The evidence of the hops before can be read.
      assert.ok(hops.length >= 1 && evidence.length > 0, `${hops.length} ${evidence.length}`);
      t.diagnostic(
        `${fault} | question | ${code} | ${(ms / 1000).toFixed(1)} s of ${LIMIT_MS / 1000}`,
      );
      opened.proxy.fault = () => 'pass';
      assert.deepEqual((await askOver(engine)).evidence, whole.evidence);
    });

    test(`of a write: ${fault}`, async t => {
      const limit = { timeoutMs: LIMIT_MS };
      const engine = await opened.engines.holding([first!], limit, newIndex(opened.proxy.url));
      opened.proxy.fault = line => (line.includes('_bulk') ? fault : 'pass');
      const began = performance.now();
      const failure = await engine.put(others, call).catch(error => error);
      const ms = performance.now() - began;
      assert.ok(PortError.is(failure) && failure.code === code, String(failure));
      assert.ok(ms < LIMIT_MS + BESIDE_MS, `${ms} ms`);
      t.diagnostic(
        `${fault} | write | ${code} | ${(ms / 1000).toFixed(1)} s of ${LIMIT_MS / 1000}`,
      );
      const ids = async () => (await listed(engine)).map(({ id }) => id);
      assert.deepEqual(await ids(), [first!.id]);
      opened.proxy.fault = () => 'pass';
      assert.equal((await engine.put(others, call)).added, others.length);
      assert.equal((await ids()).length, FIXTURE_DOCUMENTS.length);
    });
  }

  test('a slow server is waited for, and the question ends well', async () => {
    const engine = await opened.engines.holding(FIXTURE_DOCUMENTS, {}, newIndex(opened.proxy.url));
    const whole = await askOver(engine);
    opened.proxy.fault = () => 'slow';
    const { stopped, evidence } = await askOver(engine);
    assert.deepEqual([stopped, evidence], [undefined, whole.evidence]);
  });

  test('a server without room for a moment is asked again, and the question ends well', async () => {
    const engine = await opened.engines.holding(FIXTURE_DOCUMENTS, {}, newIndex(opened.proxy.url));
    const whole = await askOver(engine);
    let searches = 0;
    opened.proxy.fault = line => (line.includes('_msearch') && ++searches % 3 !== 0 ? 429 : 'pass');
    const { stopped, evidence } = await askOver(engine);
    assert.deepEqual([stopped, evidence], [undefined, whole.evidence]);
  });

  test('a state that is lost in a second snapshot too ends the run, and says so', async () => {
    const engine = await opened.engines.holding(FIXTURE_DOCUMENTS, {}, newIndex(opened.server.url));
    const { engine: lossy, seen } = losing(
      engine,
      ({ searches, snapshots }) => searches > 1 || snapshots > 1,
    );
    const options = {
      engine: lossy,
      strategy: 'iterative(rounds=3)',
      reader: 'evidence-only',
    } as const;
    const trace = await ask(text, options);
    assert.equal(
      seen.snapshots,
      2,
      JSON.stringify([trace.stopped, trace.spent, trace.hops.length]),
    );
    assert.equal(trace.snapshots, 2);
    assert.ok(trace.stopped?.by === 'failure' && trace.stopped.code === 'snapshot-lost');
    // The searches of both snapshots were made, and count.
    assert.ok(
      trace.spent.retrievals! > (await askOver(engine)).hops.length,
      JSON.stringify(trace.spent),
    );
  });
});

describe('a cluster that takes no writes', NEEDS_OWN_OPENSEARCH, () => {
  let cluster: TestCluster;
  let engines: OpenedEngines;
  before(async () => {
    cluster = await TestCluster.start(1);
    engines = new OpenedEngines(cluster.url);
  });
  after(async () => {
    await engines.close().catch(() => {});
    await cluster.remove();
  });

  const set = (settings: object): Promise<unknown> =>
    administer(cluster.url, 'PUT', '/_cluster/settings', { transient: settings });

  async function refuses(engine: RemoteEngine, code: string): Promise<number> {
    const began = performance.now();
    for (const write of [
      () => engine.put(others, call),
      () => engine.put([{ ...first!, text: 'Changed.' }], call),
      () => engine.remove([first!.id], call),
    ]) {
      const failure = await write().catch(error => error);
      assert.ok(PortError.is(failure) && failure.code === code, String(failure));
    }
    const ms = performance.now() - began;
    assert.ok(ms < 10_000, `${ms} ms`);
    const documents = await listed(engine);
    assert.deepEqual(documents, [first]);
    const { evidence, stopped } = await askOver(engine);
    assert.deepEqual([evidence.length > 0, stopped], [true, undefined]);
    return ms;
  }

  test('because it is read-only', async t => {
    const engine = await engines.holding([first!], {}, newIndex(cluster.url));
    await set({ 'cluster.blocks.read_only': true });
    const ms = await refuses(engine, 'engine-read-only');
    t.diagnostic(
      `cluster.blocks.read_only | three writes | engine-read-only | ${(ms / 1000).toFixed(1)} s`,
    );
    await set({ 'cluster.blocks.read_only': null });
    assert.equal((await engine.put(others, call)).added, others.length);
  });

  test('because its disk is past the flood stage', async t => {
    const engine = await engines.holding([first!], {}, newIndex(cluster.url));
    const disk = 'cluster.routing.allocation.disk';
    const least = { low: '900000gb', high: '900000gb', flood_stage: '900000gb' };
    await set({
      [`${disk}.threshold_enabled`]: true,
      ...Object.fromEntries(
        Object.entries(least).map(([name, gb]) => [`${disk}.watermark.${name}`, gb]),
      ),
      'cluster.info.update.interval': '10s',
    });
    const name = new URL(engine.label.slice(1, -1)).pathname;
    const isBlocked = async (): Promise<boolean> =>
      JSON.stringify(await administer(cluster.url, 'GET', `${name}/_settings`)).includes(
        'read_only_allow_delete',
      );
    for (let looks = 0; !(await isBlocked()) && looks < 120; looks++) await wait(500);
    const ms = await refuses(engine, 'engine-full');
    t.diagnostic(
      `disk past its flood stage | three writes | engine-full | ${(ms / 1000).toFixed(1)} s`,
    );
    const none = Object.keys(least).map(one => [`${disk}.watermark.${one}`, null]);
    await set({ ...Object.fromEntries(none), [`${disk}.threshold_enabled`]: false });
    await administer(cluster.url, 'PUT', `${name}/_settings`, {
      'index.blocks.read_only_allow_delete': null,
    });
    assert.equal((await engine.put(others, call)).added, others.length);
  });
});
