/** Attacks the token of a server: guesses, leaks, and the file that keeps it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { keptToken, writeToken } from '../../src/server/token.ts';
import { start } from '../running-command.ts';
import { shipStore, TOKEN } from './served-store.ts';
import { serve } from './serving-process.ts';

test('a server that cannot listen leaves the token file of another as it is', async () => {
  const folder = await shipStore();
  const { child, result, url } = await serve(folder);
  const file = join(folder, 'server.token');
  const token = readFileSync(file, 'utf8');
  const { port } = new URL(url);
  const second = await start(['serve', '--store', folder, '--port', port]).result;
  assert.equal(second.code, 1, second.err);
  assert.match(second.err, new RegExp(`cannot listen on 127.0.0.1:${port}`));
  assert.equal(readFileSync(file, 'utf8'), token);
  const headers = { Authorization: `Bearer ${token.trim()}` };
  assert.equal((await fetch(`${url}/v1/about`, { headers })).status, 200);
  child.kill('SIGTERM');
  assert.equal((await result).code, 0);
});

test('a server that never listened has no token file', async () => {
  const folder = await shipStore();
  const { child, result, url } = await serve(await shipStore());
  const { port } = new URL(url);
  const refused = await start(['serve', '--store', folder, '--port', port]).result;
  assert.equal(refused.code, 1);
  assert.equal(existsSync(join(folder, 'server.token')), false);
  child.kill('SIGTERM');
  await result;
});

test('a second server on a store leaves the token file of the first one as it is', async () => {
  const folder = await shipStore();
  const file = join(folder, 'server.token');
  const first = await serve(folder);
  const token = readFileSync(file, 'utf8').trim();
  const second = await serve(folder);
  const { port } = new URL(second.url);
  const other = readFileSync(join(folder, `server-${port}.token`), 'utf8').trim();
  assert.equal(readFileSync(file, 'utf8').trim(), token);
  for (const [{ url }, own, others] of [
    [first, token, other],
    [second, other, token],
  ] as const) {
    const statuses = [own, others].map(async sent => {
      const headers = { Authorization: `Bearer ${sent}` };
      return (await fetch(`${url}/v1/about`, { headers })).status;
    });
    assert.deepEqual(await Promise.all(statuses), [200, 401]);
  }
  second.child.kill('SIGTERM');
  await second.result;
  // A server that was killed says nothing; the next one takes its place.
  first.child.kill('SIGKILL');
  await first.result;
  const { child, result } = await serve(folder);
  assert.notEqual(readFileSync(file, 'utf8').trim(), token);
  child.kill('SIGTERM');
  await result;
});

test('a file that no server wrote does not keep a server from its token file', async () => {
  for (const holder of ['{', '[]', '{"pid":1,"host":"elsewhere"}', 'x'.repeat(1 << 20)]) {
    const folder = await shipStore();
    writeFileSync(join(folder, 'server.json'), holder);
    assert.equal(await writeToken(folder, '7777', TOKEN), join(folder, 'server.token'));
  }
});

test('--token-file keeps a new token, which later servers have too', async () => {
  const folder = await shipStore();
  const file = join(folder, '..', 'keys', 'token');
  const tokens: string[] = [];
  for (let started = 0; started < 2; started++) {
    const { child, result, url, soFar } = await serve(folder, ['--token-file', file]);
    tokens.push(readFileSync(file, 'utf8').trim());
    const headers = { Authorization: `Bearer ${tokens[0]}` };
    assert.equal((await fetch(`${url}/v1/about`, { headers })).status, 200);
    assert.ok(!soFar().out.includes(tokens[0]!));
    child.kill('SIGTERM');
    await result;
  }
  assert.equal(tokens[0], tokens[1]);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(existsSync(join(folder, 'server.token')), false);
  for (const wrong of [dirname(file), join(file, 'below')])
    await assert.rejects(keptToken(wrong), { code: /^token-(?:unreadable|not-writable)$/ });
});

test('the token is written to a new file, not through a link or into a readable one', async () => {
  for (const others of ['link', 'file'] as const) {
    const folder = await shipStore();
    const file = join(folder, 'server.token');
    const target = join(folder, '..', 'elsewhere');
    if (others === 'link') symlinkSync(target, file);
    else writeFileSync(file, 'old', { mode: 0o666 });
    const { child, result } = await serve(folder);
    assert.equal(existsSync(target), false);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.notEqual(readFileSync(file, 'utf8'), 'old');
    child.kill('SIGTERM');
    assert.equal((await result).code, 0);
  }
});
