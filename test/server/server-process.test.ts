/** Tests `multihop serve` as a process: addresses, tokens, disconnects and the end. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { start } from '../running-command.ts';
import { type ScriptedServer, scriptedServer } from './model-server.ts';
import { shipStore, TOKEN } from './served-store.ts';
import { serve } from './serving-process.ts';

const HEADERS = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
const ENV = { MULTIHOP_TOKEN: TOKEN };

describe('multihop serve', () => {
  let folder: string;
  before(async () => {
    folder = await shipStore();
  });

  test('makes a token on loopback, and keeps it in a file of the mode 0600', async () => {
    const { child, result, url, soFar } = await serve(folder);
    const { tokenFile, page } = JSON.parse(soFar().out) as { tokenFile: string; page: string };
    assert.equal(tokenFile, join(folder, 'server.token'));
    assert.equal(statSync(tokenFile).mode & 0o777, 0o600);
    const token = page.split('#token=')[1]!;
    assert.equal((await fetch(`${url}/v1/about`)).status, 401);
    const headers = { Authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${url}/v1/about`, { headers })).status, 200);
    child.kill('SIGTERM');
    assert.equal((await result).code, 0);
  });

  test('serves without a token on loopback alone, with a warning', async () => {
    const { child, result, url, soFar } = await serve(folder, ['--no-token']);
    assert.equal((await fetch(`${url}/v1/about`)).status, 200);
    assert.match(soFar().err, /it has no token/);
    child.kill('SIGINT');
    assert.equal((await result).code, 0);
    for (const words of [
      ['--host', '0.0.0.0'],
      ['--host', '0.0.0.0', '--no-token'],
    ]) {
      const refused = await start(['serve', '--store', folder, '--port', '0', ...words]).result;
      assert.equal(refused.code, 2, refused.err);
      assert.match(refused.err, /needs a token/);
    }
  });

  test('a port that is none is wrong usage', async () => {
    const { code, err } = await start(['serve', '--store', folder, '--port', '65536']).result;
    assert.equal(code, 2);
    assert.match(err, /The port: expected a whole number from 0, for a free one, to 65535/);
  });
});

describe('runs that wait for a model', () => {
  let folder: string;
  let model: ScriptedServer;
  before(async () => {
    folder = await shipStore();
    model = await scriptedServer();
  });
  after(() => model.close());

  const words = (): string[] => ['--model', 'openai-compatible:mock', '--model-url', model.url];
  const body = JSON.stringify({
    question: 'Which ship lost its engines?',
    strategy: 'fixed-top-k(k=2)',
  });

  test('end when their client is gone, and the call of the model with them', async () => {
    const { child, result, url } = await serve(folder, words(), ENV);
    for (const accept of ['application/json', 'text/event-stream']) {
      const abort = new AbortController();
      const headers = { ...HEADERS, Accept: accept };
      const asked = fetch(`${url}/v1/ask`, { method: 'POST', headers, body, signal: abort.signal });
      const { aborted } = await model.nextCall();
      abort.abort();
      await asked.then(
        response => response.text().catch(() => {}),
        () => {},
      );
      await aborted;
    }
    child.kill('SIGTERM');
    assert.equal((await result).code, 0);
  });

  test('hand back what they have found when the server stops', async () => {
    const { child, result, url } = await serve(folder, [...words(), '--grace', '0'], ENV);
    const asked = fetch(`${url}/v1/ask`, { method: 'POST', headers: HEADERS, body });
    const { aborted } = await model.nextCall();
    child.kill('SIGTERM');
    const response = await asked;
    await aborted;
    const record = (await response.json()) as {
      stopped: unknown;
      evidence: unknown[];
    };
    assert.equal(response.status, 200);
    assert.deepEqual(record.stopped, { by: 'abort' });
    assert.equal(record.evidence.length > 0, true);
    assert.equal((await result).code, 0);
  });

  test('are awaited when the server stops, if they end in time', async () => {
    const { child, result, url } = await serve(folder, words(), ENV);
    const asked = fetch(`${url}/v1/ask`, { method: 'POST', headers: HEADERS, body });
    const { answer } = await model.nextCall();
    child.kill('SIGTERM');
    await refusesConnections(url);
    answer('The Linnet [1]');
    const response = await asked;
    assert.equal(response.headers.get('connection'), 'close');
    const record = (await response.json()) as Record<string, unknown>;
    assert.equal('stopped' in record, false);
    assert.equal((await result).code, 0);
  });

  test('end at once at a second signal', async () => {
    const { child, result, url } = await serve(folder, words(), ENV);
    const broken = assert.rejects(
      fetch(`${url}/v1/ask`, { method: 'POST', headers: HEADERS, body }),
    );
    await model.nextCall();
    child.kill('SIGINT');
    await refusesConnections(url);
    child.kill('SIGINT');
    assert.equal((await result).code, 130);
    await broken;
  });
});

/** Waits until the server takes no new connection. */
async function refusesConnections(url: string): Promise<void> {
  for (;;) {
    const refused = await new Promise<boolean>(resolve => {
      const sent = request(`${url}/health`, { agent: false }, response => {
        response.resume().on('end', () => resolve(false));
      });
      sent.on('error', () => resolve(true)).end();
    });
    if (refused) return;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
