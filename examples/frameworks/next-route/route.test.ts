/** Tests the route handler by requests, as Next.js calls it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fixtureStore, QUESTION } from '../fixture-store.ts';
import { POST } from './app/api/ask/route.ts';

interface Line {
  readonly hop?: number;
  readonly searched?: readonly string[];
  readonly kept?: readonly string[];
  readonly sources?: readonly { readonly id: string; readonly title: string }[];
  readonly answer?: { readonly kind: string };
  readonly stopped?: object;
}

const request = (body: string, signal?: AbortSignal): Request =>
  new Request('http://localhost/api/ask', { method: 'POST', body, ...(signal ? { signal } : {}) });
const asking = (question: unknown): string => JSON.stringify({ question });

describe('example: a route handler of Next.js', () => {
  let fixture: Awaited<ReturnType<typeof fixtureStore>>;
  before(async () => (fixture = await fixtureStore()));
  after(() => fixture.remove());

  test('a store that could not be opened is tried again with the next request', async () => {
    process.env['MULTIHOP_STORE'] = `${fixture.path}.missing`;
    await assert.rejects(POST(request(asking(QUESTION))), { code: 'no-store' });
    process.env['MULTIHOP_STORE'] = fixture.path;
    assert.equal((await POST(request(asking(QUESTION)))).status, 200);
  });

  test('streams hops, sources and the answer as lines of JSON', async () => {
    const response = await POST(request(asking(QUESTION)));
    assert.equal(response.headers.get('Content-Type'), 'application/x-ndjson');
    const chunks: string[] = [];
    for await (const chunk of response.body!) chunks.push(new TextDecoder().decode(chunk));
    // A chunk a line: none waits for the next.
    const lines = chunks.map(chunk => JSON.parse(chunk) as Line);
    const hops = lines.filter(({ hop }) => hop !== undefined);
    assert.deepEqual(
      hops.map(({ hop }) => hop),
      hops.map((_, index) => index + 1),
    );
    assert.ok(hops[0]!.searched!.includes(QUESTION));
    const kept = new Set(hops.flatMap(hop => hop.kept!));
    const { sources } = lines.find(line => line.sources !== undefined)!;
    assert.ok(sources!.some(({ title }) => title === 'Quill Works opens a second furnace'));
    for (const { id } of sources!) assert.ok(kept.has(id), id);
    const kinds = lines.map(line => Object.keys(line)[0]);
    assert.deepEqual(kinds, [...hops.map(() => 'hop'), 'sources', 'answer', 'ms']);
  });

  test('refuses what is no question with 400, and says why', async () => {
    for (const body of ['', 'not JSON', 'null', '[]', asking(3)]) {
      const response = await POST(request(body));
      assert.equal(response.status, 400, body);
      assert.match(((await response.json()) as { error: string }).error, /expected \{ "question"/);
    }
    const long = await POST(request(asking('a'.repeat(9000))));
    assert.equal(long.status, 400);
    assert.equal(((await long.json()) as { code: string }).code, 'long-question');
  });

  test('a visitor who leaves ends the run', async () => {
    const visitor = new AbortController();
    const response = await POST(request(asking(QUESTION), visitor.signal));
    visitor.abort();
    const lines = (await response.text()).trim().split('\n');
    assert.deepEqual((JSON.parse(lines.at(-1)!) as Line).stopped, { by: 'abort' });
  });
});
