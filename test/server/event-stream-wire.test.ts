/** Tests the form of event streams on the wire: chunks where HTTP has them, and none where not. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { rawClient, requestOf, until } from './raw-client.ts';
import { type Served, serveAsking, serveShips } from './served-store.ts';

const ASK = { question: 'Who leads the trust to which Cold Bay belongs?' };

describe('an event stream', () => {
  let served: Served;
  let url: string;
  before(async () => {
    served = await serveShips({ env: {} });
    url = await served.server.listen({ port: 0 });
  });
  after(() => served.server.close());

  const streamed = async (version: string): Promise<string> => {
    const client = await rawClient(url);
    const headers = ['Accept: text/event-stream', 'Connection: close'];
    client.send(requestOf(`POST /v1/ask HTTP/${version}`, ASK, headers));
    return client.closed;
  };

  test('of HTTP 1.1 has one chunk for each event', async () => {
    const [head, ...rest] = (await streamed('1.1')).split('\r\n\r\n');
    assert.match(head!, /^HTTP\/1\.1 200 /);
    assert.match(head!, /^transfer-encoding: chunked$/im);
    assert.doesNotMatch(head!, /^content-length:/im);
    const body = rest.join('\r\n\r\n');
    const begun = [...body.matchAll(/^[0-9a-f]+\r\nevent: (\w+)$/gm)].map(([, name]) => name);
    const all = [...body.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    assert.equal(all.at(-1), 'result');
    assert.deepEqual(begun, all);
  });

  test('of HTTP 1.0, which has no chunks, ends with its connection', async () => {
    const [head, body = ''] = (await streamed('1.0')).split('\r\n\r\n');
    assert.match(head!, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(head!, /^transfer-encoding:/im);
    assert.match(body, /^event: question\n/);
    assert.match(body, /^event: result\n/m);
  });
});

test('a stream that began before the server stops closes its connection when it ends', async () => {
  await using served = await serveAsking();
  const url = await served.server.listen({ port: 0 });
  const begin = async () => {
    const client = await rawClient(url);
    const question = 'Which ship lost its engines?';
    const asked = { question, strategy: 'fixed-top-k(k=2)' };
    client.send(requestOf('POST /v1/ask HTTP/1.1', asked, ['Accept: text/event-stream']));
    const call = await served.model.nextCall();
    await until(() => client.received().includes('event: question'));
    return { client, call };
  };
  const [first, second] = [await begin(), await begin()];
  const stopped = served.server.close();
  first.call.answer('Mirelle Pask [1]');
  assert.match(await first.client.closed, /event: result\n[\s\S]*\r\n0\r\n\r\n$/);
  second.call.answer('Mirelle Pask [1]');
  const last = await second.client.closed;
  assert.match(last, /event: result\n[\s\S]*\r\n0\r\n\r\n$/);
  assert.doesNotMatch(
    last,
    /"stopped"/,
    'the first connection closed while the second run went on',
  );
  await stopped;
});
