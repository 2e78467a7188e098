/** The examples have the types of the package and of the installed frameworks. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lacks } from './fixture-store.ts';

test('example: types', { skip: lacks('ai') }, () => {
  const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], {
    ...{ cwd, encoding: 'utf8' },
  });
  assert.equal(status, 0, stdout);
});
