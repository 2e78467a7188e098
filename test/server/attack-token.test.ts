/** Attacks the token of a server: guesses, leaks, and the file that keeps it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { start } from '../running-command.ts';
import { shipStore } from './served-store.ts';
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
