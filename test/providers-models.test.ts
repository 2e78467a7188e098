/**
 * Lists the tests of models-test/ and gguf-test/, packages of their own that need libraries of
 * models, as skipped tests.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Each with the variable by which .ci/run says that it runs them itself and counts them there. */
const PACKAGES = [
  { name: 'models-test', least: 10, needs: 'real models', apart: 'MULTIHOP_MODELS_TEST' },
  { name: 'gguf-test', least: 8, needs: 'node-llama-cpp', apart: 'MULTIHOP_GGUF_TEST' },
];

for (const { name, least, needs, apart } of PACKAGES) {
  const folder = new URL(`../${name}/`, import.meta.url);
  const files = readdirSync(folder).filter(file => file.endsWith('.test.ts'));
  const names = files.flatMap(file => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return [...text.matchAll(/^ *(describe|test)\(\s*'((?:[^'\\]|\\.)+)'/gm)]
      .filter(([, kind]) => kind === 'test')
      .map(([, , title]) => title!);
  });

  test(`${name}/ has tests, and its lock file belongs to its package`, () => {
    assert.ok(names.length >= least, `${names.length} tests in ${files}`);
    const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    assert.deepEqual(
      read('package-lock.json').packages[''].dependencies,
      read('package.json').dependencies,
    );
  });

  if (process.env[apart] !== 'apart')
    for (const title of new Set(names))
      test(title, {
        skip: `needs ${needs}: npm ci and npm test in ${name}/, see its package.json`,
      }, () => {});
}
