/** Faults of OpenSearch and of the way there: each a typed error in time, nothing half written. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../../src/core/corpus/document.ts';
import { PortError } from '../../src/core/errors.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { ask } from '../../src/session/verbs.ts';
import type { RemoteEngine } from '../../src/stores/servers/remote-engine.ts';
import { FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from '../../src/testing/fixture-corpus.ts';
import { type Fault, losing, proxiedServer } from './fault-proxy.ts';
import { administer, listed, NEEDS_OPENSEARCH, newIndex } from './opensearch-server.ts';

const call = freeCall();
const [first, second, ...others] = FIXTURE_DOCUMENTS;
const TIMEOUT_MS = 1000;

/** Checks the code, that it came in time, and that no message shows the password. */
async function failsWith(
  code: string,
  work: () => Promise<unknown>,
  atMost: number = 2 * TIMEOUT_MS,
): Promise<PortError> {
  const start = performance.now();
  let failure: unknown;
  await work().catch(error => {
    failure = error;
  });
  assert.ok(PortError.is(failure), `${code}: ${String(failure)}`);
  assert.equal(failure.code, code, failure.message);
  assert.equal(failure.port, 'engine');
  assert.ok(performance.now() - start < atMost, `${code} after ${performance.now() - start} ms`);
  assert.ok(!failure.message.includes('geheim') && !failure.message.includes('Z2VoZWlt'));
  return failure;
}

async function idsIn(engine: RemoteEngine): Promise<string[]> {
  return (await listed(engine)).map(({ id }) => id);
}

describe('OpenSearch with faults', NEEDS_OPENSEARCH, () => {
  const opened = proxiedServer();

  const blocked = async (setting: string, code: string): Promise<void> => {
    const url = newIndex(opened.server.url);
    const name = new URL(url).pathname;
    const engine = await opened.engines.holding([first!, second!], {}, url);
    await administer(opened.server.url, 'PUT', `${name}/_settings`, {
      [`index.blocks.${setting}`]: true,
    });
    await failsWith(code, () => engine.put(others, call));
    await failsWith(code, () => engine.put([{ ...first!, text: 'Changed.' }], call));
    await failsWith(code, () => engine.remove([second!.id], call));
    assert.deepEqual(await idsIn(engine), [first!.id, second!.id].sort());
    await administer(opened.server.url, 'PUT', `${name}/_settings`, {
      [`index.blocks.${setting}`]: null,
    });
    assert.equal((await engine.put(others, call)).added, others.length);
  };

  test('takes no writes while it is read-only', () => blocked('read_only', 'engine-read-only'));
  test('takes no writes past its disk watermark', () =>
    blocked('read_only_allow_delete', 'engine-full'));

  test('an abort ends a wait at once', async () => {
    const engine = await opened.engines.holding([first!], {}, newIndex(opened.proxy.url));
    await using snapshot = await engine.snapshot();
    opened.proxy.fault = () => 'silence';
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    const late = new AbortController();
    setTimeout(() => late.abort(reason), 50);
    for (const one of [signal, late.signal])
      await assert.rejects(
        snapshot.search({ unit: 'document', k: 1, queries: [{ text: 'x' }] }, freeCall(one)),
        reason,
      );
    opened.proxy.fault = () => 'pass';
  });

  test('is not there, or cuts connections', async () => {
    await failsWith('unreachable', () =>
      opened.engines.open({}, 'opensearch://127.0.0.1:9/nothing'),
    );
    opened.proxy.fault = () => 'cut';
    await failsWith('unreachable', () => opened.engines.open({}, newIndex(opened.proxy.url)));
    opened.proxy.fault = () => 503;
    await failsWith('unreachable', () => opened.engines.open({}, newIndex(opened.proxy.url)));
  });

  test('refuses credentials, which no message shows', async () => {
    for (const status of [401, 403]) {
      opened.proxy.fault = () => status;
      const url = newIndex(opened.proxy.url).replace('://', '://ada:geheim@');
      await failsWith('unauthorized', () => opened.engines.open({}, url));
    }
  });

  test('holds an index of another version, or of somebody else', async () => {
    const url = newIndex(opened.server.url);
    const name = new URL(url).pathname;
    await administer(opened.server.url, 'PUT', `${name}-0/_doc/1`, { theirs: true });
    await administer(opened.server.url, 'POST', '/_aliases', {
      actions: [{ add: { index: `${name.slice(1)}-0`, alias: name.slice(1) } }],
    });
    await failsWith('other-engine-version', () => opened.engines.open({}, url));
    await administer(opened.server.url, 'PUT', `${name}/_doc/state`, {
      state: { layout: 'other-9' },
    });
    const failure = await failsWith('other-engine-version', () => opened.engines.open({}, url));
    assert.match(failure.message, /other-9/);
    await failsWith('no-engine', () =>
      opened.engines.open({ create: false }, newIndex(opened.server.url)),
    );
    await administer(opened.server.url, 'DELETE', `${name}-0`);
  });

  for (const fault of [503, 'lost'] as const)
    test(`fails in the middle of a write (${fault}): all of it is seen or nothing`, async () => {
      for (const where of ['_bulk', '_refresh', '_doc/state'])
        for (const nth of [1, 2]) await failInWrite(fault, where, nth);
    });

  async function failInWrite(fault: Fault, where: string, nth: number): Promise<void> {
    const engine = await opened.engines.holding([first!, second!], {}, newIndex(opened.proxy.url));
    let count = 0;
    opened.proxy.fault = line =>
      !line.startsWith('GET') && line.includes(where) && ++count >= nth ? fault : 'pass';
    const changed = { ...first!, text: 'A walrus lives here.' };
    const outcome = await engine.put([changed, ...others], call).catch(error => error);
    opened.proxy.fault = () => 'pass';
    const written = [changed, second!, ...others];
    const expected = PortError.is(outcome) ? [first!, second!] : written;
    const byId = (a: Document, b: Document): number => (a.id < b.id ? -1 : 1);
    const documents = await listed(engine);
    assert.deepEqual(documents, expected.sort(byId), `${where} ${nth}: ${outcome}`);
    // A writer that could not give its lock back is waited for: its time is over at once here.
    await endWriter(engine);
    await engine.put([changed, ...others], call);
    assert.deepEqual(await listed(engine), written.sort(byId));
    await opened.engines.close();
  }

  test('deletes what changes hid once it is much; a fault there fails no write', async () => {
    const many = Array.from({ length: 80 }, (_, at) => ({
      id: `${at}`,
      title: '',
      text: 'A walrus.',
      metadata: {},
    }));
    const engine = await opened.engines.holding(many, {}, newIndex(opened.proxy.url));
    const name = new URL(engine.label.slice(1, -1)).pathname;
    const stored = async (): Promise<unknown> => {
      const query = { term: { unit: 'document' } };
      const counted = await administer(opened.server.url, 'POST', `${name}/_count`, { query });
      return (counted as { count: number }).count;
    };
    opened.proxy.fault = line => (line.includes('_delete_by_query') ? 503 : 'pass');
    await engine.remove(
      many.slice(0, 40).map(({ id }) => id),
      call,
    );
    assert.equal((await idsIn(engine)).length, 40);
    assert.equal(await stored(), 80);
    opened.proxy.fault = () => 'pass';
    await engine.put([{ ...many[79]!, text: 'A seal.' }], call);
    assert.equal((await idsIn(engine)).length, 40);
    assert.equal(await stored(), 40);
    await engine.put([many[0]!], call);
    assert.equal((await idsIn(engine)).length, 41);
  });

  /** Ends the time of a writer that is gone. */
  async function endWriter({ label }: RemoteEngine): Promise<void> {
    const path = `${new URL(label.slice(1, -1)).pathname}/_doc/state`;
    const { _source } = (await administer(opened.server.url, 'GET', path)) as {
      readonly _source: { readonly state: { writer?: { until: number } } };
    };
    const { writer } = _source.state;
    if (!writer) return;
    writer.until = 0;
    await administer(opened.server.url, 'PUT', path, _source);
  }

  test('loses the state that a question reads: the run goes on in a second snapshot of it', async () => {
    const { text } = FIXTURE_QUESTIONS[0]!;
    const engine = await opened.engines.holding(FIXTURE_DOCUMENTS, {}, newIndex(opened.proxy.url));
    const whole = await ask(text, { engine, strategy: 'iterative' });
    const asked = (onLoss?: () => Promise<unknown>) => {
      const { engine: lossy } = losing(engine, ({ searches }) => searches === 2, onLoss);
      return ask(text, { engine: lossy, strategy: 'iterative' });
    };
    const again = await asked();
    assert.equal(again.snapshots, 2);
    assert.deepEqual([again.evidence, again.answer], [whole.evidence, whole.answer]);
    const other = await asked(() => engine.remove([second!.id], call));
    assert.equal(other.stopped?.by === 'failure' && other.stopped.code, 'snapshot-lost');
  });
});
