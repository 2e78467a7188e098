/** Tests what the routes answer, against the schemas that OpenAPI states. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Validator } from '@cfworker/json-schema';
import { verifyTrace } from '../../src/core/trace/index.ts';
import { openStore } from '../../src/index.ts';
import { sha256 } from '../../src/platform/sha256.ts';
import { ROUTES } from '../../src/server/routes.ts';
import { PROBLEM } from '../../src/session/requests/document-schemas.ts';
import type { Schema } from '../../src/session/requests/schema.ts';
import { allEvents, type Sent, type Served, serveShips } from './served-store.ts';

const QUESTION = 'Who leads the owner of the bay where the Linnet lost its engines?';

describe('the routes of a server', () => {
  let served: Served;
  before(async () => {
    served = await serveShips();
  });
  after(() => served.server.close());

  /** Sends a request and checks its JSON against the schema of the route. */
  async function answered(id: string, path: string, sent?: Sent): Promise<Record<string, unknown>> {
    const response = await served.send(path, sent);
    const value = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, JSON.stringify(value));
    checkSchema(id, value);
    return value;
  }

  test('ask answers with the record of the run, whose trace is kept', async () => {
    const record = await answered('ask', '/v1/ask', { body: { question: QUESTION, answerAt: 0 } });
    assert.equal((record['question'] as { text: string }).text, QUESTION);
    const response = await served.send(`/v1/traces/${record['id']}`);
    assert.match(response.headers.get('content-type')!, /^application\/jsonl/);
    const lines = await response.text();
    const { content, line } = record['trace'] as { content: string; line: string };
    assert.ok(lines.includes(content) && lines.includes(line));
    const { lines: count } = record['trace'] as { lines: number };
    assert.ok(count >= 5, String(count));
    assert.equal(lines.trim().split('\n').length, count + 1);
    assert.equal(verifyTrace(lines, sha256).ok, true);
  });

  test('ask answers as the library does', async () => {
    const record = await answered('ask', '/v1/ask', {
      body: { question: QUESTION, strategy: 'iterative(rounds=2)', budget: { documents: 2 } },
    });
    await using store = await openStore(served.folder);
    const trace = await store.ask(QUESTION, {
      strategy: 'iterative(rounds=2)',
      budget: { documents: 2 },
    });
    assert.deepEqual(
      (record['evidence'] as { id: string }[]).map(({ id }) => id),
      trace.evidence.map(({ id }) => id),
    );
    assert.deepEqual(record['spent'], trace.spent);
  });

  test('ask streams every event of the trace, and the record', async () => {
    const response = await served.send('/v1/ask', {
      body: { question: QUESTION },
      headers: { Accept: 'text/event-stream' },
    });
    assert.equal(response.status, 200);
    const events = await allEvents(response);
    const id = response.headers.get('x-trace-id');
    const kept = (await (await served.send(`/v1/traces/${id}`)).text()).trim().split('\n');
    assert.deepEqual(
      events.slice(0, -1).map(({ data }) => data),
      kept.slice(0, -1),
    );
    assert.deepEqual(
      events.slice(0, -1).map(event => event.id),
      kept.slice(0, -1).map((_, index) => String(index)),
    );
    assert.equal(events[0]!.event, 'question');
    assert.equal(events.at(-1)!.event, 'result');
    const record = JSON.parse(events.at(-1)!.data) as Record<string, unknown>;
    checkSchema('ask', record);
    assert.equal(record['id'], id);
  });

  test('retrieve returns evidence and context, and no answer', async () => {
    const record = await answered('retrieve', '/v1/retrieve', { body: { question: QUESTION } });
    assert.ok(!('answer' in record));
    assert.match((record['context'] as { text: string }).text, /Cold Bay/);
  });

  test('search returns the hits of the library', async () => {
    const query = 'Harbour Trust';
    const filter = 'source = "Harbour Ledger"';
    const reply = await answered('search', '/v1/search', {
      body: { query, filter, explain: true },
    });
    await using store = await openStore(served.folder);
    const hits = await store.search(query, { filter, explain: true });
    assert.deepEqual(reply['hits'], JSON.parse(JSON.stringify(hits)));
    assert.ok(hits.length > 0);
    assert.ok(!('absentPhrases' in reply));
  });

  test('search says which phrases in quotes nothing holds', async () => {
    const query = '"Harbour Trust" "trust of no harbour" „kein Hafen“';
    const reply = await answered('search', '/v1/search', { body: { query } });
    assert.deepEqual(reply['absentPhrases'], ['trust of no harbour', 'kein Hafen']);
    checkSchema('search', reply);
  });

  test('documents are listed in pages, read, stored, replaced and deleted', async () => {
    const first = await answered('listDocuments', '/v1/documents?limit=2');
    assert.deepEqual([first['total'], first['next']], [3, 'corncrake']);
    const rest = await answered('listDocuments', '/v1/documents?limit=2&after=corncrake');
    assert.deepEqual(
      (rest['documents'] as { id: string }[]).map(({ id }) => id),
      ['linnet'],
    );
    const filter = encodeURIComponent('source = "Pellbridge Post"');
    const filtered = await answered('listDocuments', `/v1/documents?filter=${filter}`);
    assert.equal(filtered['total'], 1);

    const id = 'reports/2025 Überfahrt?.md';
    const path = `/v1/documents/${encodeURIComponent(id)}`;
    const put = await answered('putDocument', path, {
      method: 'PUT',
      body: { text: 'A first text.' },
    });
    assert.deepEqual([put['added'], put['documents']], [1, 4]);
    const again = await answered('putDocuments', '/v1/documents', {
      body: { documents: [{ id, text: 'A second text.', tags: ['a', 'b'] }, { text: 'No id.' }] },
    });
    assert.deepEqual([again['changed'], again['added'], again['documents']], [1, 1, 5]);
    const read = await answered('readDocument', path);
    assert.deepEqual([read['text'], read['metadata']], ['A second text.', { tags: ['a', 'b'] }]);
    const removed = await answered('removeDocument', path, { method: 'DELETE' });
    assert.equal(removed['removed'], 1);
    assert.equal((await served.send(path)).status, 404);
    const others = (await answered('listDocuments', '/v1/documents'))['documents'] as {
      id: string;
    }[];
    const made = others.find(one => !['bay', 'corncrake', 'linnet'].includes(one.id))!;
    const both = await served.send('/v1/documents', {
      method: 'DELETE',
      body: { ids: [made.id, 'missing'] },
    });
    assert.equal(both.status, 404);
    await answered('removeDocuments', '/v1/documents', {
      method: 'DELETE',
      body: { ids: [made.id] },
    });
    assert.equal((await answered('listDocuments', '/v1/documents'))['total'], 3);
  });

  test('traces are listed, newest first', async () => {
    await served.send('/v1/ask', { body: { question: 'What is a tug?' } });
    const { traces } = (await answered('listTraces', '/v1/traces')) as {
      traces: { question: string }[];
    };
    assert.equal(traces[0]!.question, 'What is a tug?');
  });

  test('about names what can be asked for', async () => {
    const about = await answered('about', '/v1/about');
    assert.ok((about['strategies'] as string[]).includes('fact-lanes'));
  });

  test('chat completions answer the last question, with citations', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Earlier' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: [{ type: 'text', text: 'When was the Corncrake built?' }] },
    ];
    const reply = await answered('chatCompletions', '/v1/chat/completions', {
      body: { model: 'multihop/fact-lanes', messages, temperature: 0.1 },
    });
    const [{ message }] = reply['choices'] as [
      { message: { content: string; annotations: { url_citation: Record<string, unknown> }[] } },
    ];
    assert.match(message.content, /1961/);
    for (const { url_citation: cited } of message.annotations) {
      const marker = message.content.slice(
        cited['start_index'] as number,
        cited['end_index'] as number,
      );
      assert.match(marker, /^\[\d\]$/);
    }
    assert.ok(message.annotations.length > 0);
    await answered('listModels', '/v1/models');
  });

  test('streamed chat completions join to the same content', async () => {
    const messages = [{ role: 'user', content: 'When was the Corncrake built?' }];
    const whole = await answered('chatCompletions', '/v1/chat/completions', { body: { messages } });
    const response = await served.send('/v1/chat/completions', {
      body: { messages, stream: true },
    });
    const data = (await allEvents(response)).map(event => event.data);
    assert.equal(data.pop(), '[DONE]');
    const deltas = data.map(
      text =>
        (JSON.parse(text) as { choices: [{ delta: Record<string, string> }] }).choices[0].delta,
    );
    const joined = (field: string): string => deltas.map(delta => delta[field] ?? '').join('');
    const [{ message }] = whole['choices'] as [{ message: { content: string } }];
    assert.equal(joined('content'), message.content);
    assert.match(joined('reasoning_content'), /^Hop 1:/);
  });

  test('streamed chat completions end with the usage, if it is asked for', async () => {
    const messages = [{ role: 'user', content: 'When was the Corncrake built?' }];
    const usagesOf = async (stream_options: unknown): Promise<unknown[]> => {
      const body = { messages, stream: true, stream_options };
      const events = await allEvents(await served.send('/v1/chat/completions', { body }));
      return events.slice(0, -1).map(({ data }) => (JSON.parse(data) as { usage?: unknown }).usage);
    };
    const usages = await usagesOf({ include_usage: true });
    assert.deepEqual(usages.pop(), { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
    assert.deepEqual([...new Set(usages)], [null]);
    for (const without of [undefined, null, {}, { include_usage: null }])
      assert.deepEqual([...new Set(await usagesOf(without))], [undefined]);
  });

  test('what is not asked for rightly is a problem with its code', async () => {
    const wrong: readonly (readonly [path: string, sent: Sent, status: number, code: string])[] = [
      ['/v1/ask', { body: '{' }, 400, 'bad-json'],
      ['/v1/ask', { body: {} }, 400, 'bad-request'],
      ['/v1/ask', { body: { question: 'x', hops: 3 } }, 400, 'bad-request'],
      ['/v1/ask', { body: { question: 'x', strategy: 'itertive' } }, 400, 'unknown-strategy'],
      ['/v1/ask', { body: { question: 'x', filter: 'sorce = a' } }, 400, 'unknown-field'],
      ['/v1/ask', { body: { question: '  ' } }, 400, 'empty-question'],
      ['/v1/search', { body: { query: ' ' } }, 400, 'empty-query'],
      ['/v1/search', { body: { query: 'x', retriever: 'dense(nowhere)' } }, 400, 'unknown-space'],
      ['/v1/documents?limit=0', {}, 400, 'bad-request'],
      ['/v1/documents?limit=two', {}, 400, 'bad-request'],
      ['/v1/documents?page=2', {}, 400, 'bad-request'],
      ['/v1/documents/missing', {}, 404, 'unknown-id'],
      ['/v1/traces/missing', {}, 404, 'unknown-id'],
      ['/v1/nothing', {}, 404, 'unknown-route'],
      ['/v1/ask', {}, 404, 'unknown-route'],
      ['/v1/chat/completions', { body: { messages: [{ role: 'system' }] } }, 400, 'bad-request'],
    ];
    for (const streams of [false, true])
      for (const [path, sent, status, code] of wrong) {
        const headers = { Accept: streams ? 'text/event-stream' : '*/*' };
        const response = await served.send(path, { ...sent, headers });
        assert.equal(response.headers.get('content-type'), 'application/problem+json', path);
        const problem = (await response.json()) as Record<string, unknown>;
        assert.ok(new Validator(PROBLEM as never, '2020-12').validate(problem).valid, path);
        const { status: told, code: named, detail: message, error } = problem;
        assert.deepEqual([response.status, told, named], [status, status, code]);
        const type = 'invalid_request_error';
        assert.deepEqual(error, { message, type, param: null, code });
      }
  });
});

test('OpenAPI describes every route, and its schemas are sound', async () => {
  const { server, send } = await serveShips();
  await using _ = server;
  const description = (await (await send('/openapi.json')).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  assert.equal(description.openapi, '3.1.0');
  const named = Object.values(description.paths).flatMap(methods =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  assert.deepEqual(named.sort(), ROUTES.map(({ id }) => id).sort());
  assert.equal(new Set(named).size, named.length);
});

function checkSchema(id: string, value: unknown): void {
  const route = ROUTES.find(one => one.id === id)!;
  const schema = route.answers.find(({ type }) => type === 'application/json')!.schema as Schema;
  const { valid, errors } = new Validator(schema, '2020-12').validate(value);
  assert.ok(valid, JSON.stringify(errors, undefined, 1));
}
