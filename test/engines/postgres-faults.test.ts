/** Real faults of PostgreSQL are typed errors, and leave nothing half written. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Document } from '../../src/core/corpus/document.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { ask } from '../../src/session/verbs.ts';
import { openPostgres } from '../../src/stores/servers/postgres.ts';
import { FIXTURE_DOCUMENTS } from '../../src/testing/fixture-corpus.ts';
import { hashedEmbedder } from '../../src/testing/hashed-embedder.ts';
import {
  administer,
  NEEDS_OWN_POSTGRES,
  newSchema,
  OpenedEngines,
  TestServer,
} from './postgres-server.ts';

const call = freeCall();
const COUNTS = `SELECT (SELECT count(*) FROM document) AS documents, (SELECT count(*) FROM value) AS values,
  (SELECT count(*) FROM item) AS items, (SELECT count(*) FROM posting) AS postings,
  (SELECT sum(items) FROM term) AS terms, (SELECT sum(items) FROM unit) AS unit_items,
  (SELECT row_to_json(state)::text FROM state) AS state`;

/** Documents whose write takes long enough to be met in the middle. */
const many = (count: number): Document[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `many-${at}`,
    title: `Report ${at}`,
    metadata: { number: at },
    text: Array.from({ length: 60 }, (_, word) => `word${(at * 7 + word * 13) % 5000}.`).join(' '),
  }));

const isFault =
  (code: string, within = 20_000) =>
  (error: unknown): boolean => {
    const { code: received, port, message } = error as Record<string, string>;
    assert.equal(received, code, message);
    assert.equal(port, 'engine');
    assert.doesNotMatch(message!, /open sesame/);
    return performance.now() - began < within;
  };
let began = 0;

describe('faults of PostgreSQL', NEEDS_OWN_POSTGRES, () => {
  let server: TestServer;
  let engines: OpenedEngines;
  before(async () => {
    server = await TestServer.start();
    engines = new OpenedEngines(server.url);
  });
  after(async () => {
    await engines.close();
    await server.remove();
  });

  const countsIn = (schema: string): Promise<unknown[]> =>
    administer(server.url, async query => {
      await query(`SET search_path = ${schema}`);
      return query(COUNTS);
    });
  const schemaOf = (url: string): string => new URL(url).searchParams.get('schema')!;

  /** Waits until a backend of the engine runs a statement that matches. */
  const backend = (pattern: string): Promise<number> =>
    administer(server.url, async query => {
      for (;;) {
        const [found] = await query(
          `SELECT pid FROM pg_stat_activity WHERE application_name = 'multihop'
            AND state = 'active' AND query LIKE $1`,
          [pattern],
        );
        if (found) return found.pid;
        await new Promise(resolve => setTimeout(resolve, 2));
      }
    });

  test('a wrong password', async () => {
    await administer(server.url, async query => {
      await query("CREATE ROLE ada LOGIN PASSWORD 'right'");
      const [{ hba_file: path }] = (await query('SHOW hba_file')) as [{ hba_file: string }];
      const rules = 'host all ada 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n';
      await query(
        `COPY (SELECT unnest(string_to_array('${rules.trim().replaceAll('\n', '|')}', '|'))) TO '${path}'`,
      );
      await query('SELECT pg_reload_conf()');
    });
    began = performance.now();
    const url = newSchema(server.url).replace('postgres@', 'ada:open%20sesame@');
    await assert.rejects(openPostgres(url, {}), isFault('unauthorized'));
    const env = { MULTIHOP_ENGINE_USER: 'ada', MULTIHOP_ENGINE_PASSWORD: 'open sesame' };
    await assert.rejects(
      openPostgres(newSchema(server.url).replace('postgres@', ''), { env }),
      isFault('unauthorized'),
    );
  });

  test('no server, no database, no documents, another version, other embedders', async () => {
    began = performance.now();
    const nowhere = 'postgres://postgres@127.0.0.1:9/postgres';
    await assert.rejects(openPostgres(nowhere, {}), isFault('unreachable'));
    await assert.rejects(
      openPostgres(server.url.replace(/postgres$/, 'none'), {}),
      isFault('no-engine'),
    );
    await assert.rejects(
      openPostgres(newSchema(server.url), { create: false }),
      isFault('no-engine'),
    );
    const url = newSchema(server.url);
    await engines.open({ embedders: [hashedEmbedder()] }, url);
    const reader = await engines.open({}, url);
    await assert.rejects(reader.put(FIXTURE_DOCUMENTS, call), isFault('other-embedder'));
    await assert.rejects(
      openPostgres(url, { embedders: [{ ...hashedEmbedder(), id: 'another' }] }),
      isFault('other-embedder'),
    );
    await assert.rejects(openPostgres(url, { chunker: 'sentences' }), { code: 'other-chunker' });
    await administer(server.url, query => query(`UPDATE ${schemaOf(url)}.state SET version = 99`));
    await assert.rejects(openPostgres(url, {}), isFault('other-engine-version'));
    await assert.rejects(reader.snapshot(), isFault('other-engine-version'));
    await assert.rejects(
      openPostgres(newSchema(server.url), {
        load: () =>
          Promise.reject(
            Object.assign(new Error("Cannot find package 'pg'"), { code: 'ERR_MODULE_NOT_FOUND' }),
          ),
      }),
      (error: Error) => /npm install pg/.test(error.message),
    );
  });

  test('a statement beyond the time limit, an abort, and a read-only database', async () => {
    const url = newSchema(server.url);
    const engine = await engines.open({ timeoutMs: 300 }, url);
    await engine.put(FIXTURE_DOCUMENTS, call);
    const before = await countsIn(schemaOf(url));
    await administer(server.url, async query => {
      await query('BEGIN');
      await query(`LOCK TABLE ${schemaOf(url)}.document, ${schemaOf(url)}.term`);
      began = performance.now();
      await assert.rejects(engine.put(many(2), call), isFault('timeout', 3000));
      await using snapshot = await engine.snapshot();
      const search = snapshot.search(
        { unit: 'document', k: 3, queries: [{ text: 'ferry' }] },
        call,
      );
      await assert.rejects(search, isFault('timeout'));
      await assert.rejects(snapshot.read('document', ['twin-a'], call), isFault('snapshot-lost'));
      const stop = new AbortController();
      const aborted = engine.put(many(2), freeCall(stop.signal));
      setTimeout(() => stop.abort(new DOMException('enough', 'AbortError')), 50);
      const from = performance.now();
      await assert.rejects(aborted, { name: 'AbortError' });
      assert.ok(performance.now() - from < 250, 'an abort is answered at once');
    });
    assert.deepEqual(await countsIn(schemaOf(url)), before);
    await administer(server.url, async query => {
      await query('ALTER SYSTEM SET default_transaction_read_only = on');
      await query('SELECT pg_reload_conf()');
      try {
        const late = await engines.open({}, url);
        await assert.rejects(late.put(many(2), call), isFault('engine-read-only'));
        await using snapshot = await late.snapshot();
        assert.equal((await snapshot.read('document', ['twin-a'], call)).length, 1);
      } finally {
        await query('SET default_transaction_read_only = off');
        await query('ALTER SYSTEM RESET default_transaction_read_only');
        await query('SELECT pg_reload_conf()');
      }
    });
    assert.deepEqual(await countsIn(schemaOf(url)), before);
  });

  test('an abort of a run ends its statement on the server', async () => {
    const url = newSchema(server.url);
    const engine = await engines.open({}, url);
    await engine.put(FIXTURE_DOCUMENTS, call);
    await administer(server.url, async query => {
      await query('BEGIN');
      await query(`LOCK TABLE ${schemaOf(url)}.posting`);
      const stop = new AbortController();
      // A run begins when it is awaited.
      const asked = ask('Who bought the lighthouse at Harrow Point?', {
        engine,
        reader: 'evidence-only',
        signal: stop.signal,
      }).then(trace => trace);
      const pid = await administer(server.url, async watch => {
        for (;;) {
          const [found] = await watch(
            `SELECT pid FROM pg_stat_activity WHERE application_name = 'multihop'
              AND wait_event_type = 'Lock'`,
          );
          if (found) return found.pid as number;
          await new Promise(resolve => setTimeout(resolve, 5));
        }
      });
      stop.abort();
      const { stopped } = await asked;
      assert.equal(stopped?.by, 'abort');
      for (let looks = 0; ; looks++) {
        const [{ active }] = (await administer(server.url, watch =>
          watch(
            "SELECT count(*)::int AS active FROM pg_stat_activity WHERE pid = $1 AND state = 'active'",
            [pid],
          ),
        )) as [{ active: number }];
        if (active === 0) break;
        assert.ok(looks < 400, 'the statement goes on');
        await new Promise(resolve => setTimeout(resolve, 25));
      }
      await query('ROLLBACK');
    });
    const { stopped } = await ask('Who bought the lighthouse at Harrow Point?', {
      engine,
      reader: 'evidence-only',
    });
    assert.equal(stopped, undefined);
  });

  test('a backend that is killed during a put leaves nothing of it, and the put can be repeated', async () => {
    const url = newSchema(server.url);
    const engine = await engines.open({}, url);
    await engine.put(FIXTURE_DOCUMENTS, call);
    const before = await countsIn(schemaOf(url));
    const put = engine.put(many(1500), call);
    put.catch(() => {});
    const pid = await backend('INSERT INTO posting%');
    began = performance.now();
    await administer(server.url, query => query('SELECT pg_terminate_backend($1)', [pid]));
    await assert.rejects(put, isFault('unreachable'));
    assert.deepEqual(await countsIn(schemaOf(url)), before);
    assert.equal((await engine.put(many(20), call)).added, 20);
    assert.equal((await engine.put(many(20), call)).unchanged, 20);
  });

  test('a server that stops in the middle, and comes back', () => goneAndBack(one => one.stop()));
  test('a server that is killed with -9 in the middle, and comes back', () =>
    goneAndBack(one => one.kill()));

  async function goneAndBack(how: (one: TestServer) => Promise<void>): Promise<void> {
    const url = newSchema(server.url);
    const engine = await engines.open({}, url);
    await engine.put(FIXTURE_DOCUMENTS, call);
    const request = { unit: 'document', k: 3, queries: [{ text: 'ferry' }] } as const;
    const snapshot = await engine.snapshot();
    const found = await snapshot.search(request, call);
    const put = engine.put(many(1500), call);
    put.catch(() => {});
    await backend('INSERT INTO posting%');
    began = performance.now();
    await how(server);
    await assert.rejects(put, isFault('unreachable'));
    await assert.rejects(snapshot.search(request, call), isFault('unreachable'));
    await snapshot[Symbol.asyncDispose]();
    await assert.rejects(engine.snapshot(), isFault('unreachable'));
    await server.startAgain();
    await using again = await engine.snapshot();
    assert.deepEqual(await again.search(request, call), found);
    const stored = await engine.state(call);
    assert.equal(stored.documents, FIXTURE_DOCUMENTS.length);
    assert.equal((await engine.put(many(20), call)).added, 20);
  }
});
