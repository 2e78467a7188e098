/**
 * Lists the tests of models-test/, a package of its own that needs real models and their library,
 * as skipped tests.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('../models-test/', import.meta.url);
const files = readdirSync(FOLDER).filter(name => name.endsWith('.test.ts'));
const names = files.flatMap(file => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  return [...text.matchAll(/^ *(describe|test)\(\s*'((?:[^'\\]|\\.)+)'/gm)]
    .filter(([, kind]) => kind === 'test')
    .map(([, , name]) => name!);
});

test('models-test/ has tests, and its lock file belongs to its package', () => {
  assert.ok(names.length >= 10, `${names.length} tests in ${files}`);
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  assert.deepEqual(
    read('package-lock.json').packages[''].dependencies,
    read('package.json').dependencies,
  );
});

// .ci/run says so when it runs them itself and counts them there.
if (process.env.MULTIHOP_MODELS_TEST !== 'apart')
  for (const name of new Set(names))
    test(name, {
      skip: 'needs real models: npm ci and npm test in models-test/, see its package.json',
    }, () => {});
