/** The reporter's count, from real runs of the runner: its last line is what CI and people read. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const REPORTER = fileURLToPath(new URL('../tools/test/reporter.ts', import.meta.url));

/** Runs test files, given by name and text, under the reporter. */
function run(
  files: Readonly<Record<string, string>>,
  ...options: string[]
): {
  readonly code: number | null;
  readonly out: string;
  readonly last: string | undefined;
} {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-reporter-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const done = spawnSync(
      process.execPath,
      ['--test', `--test-reporter=${REPORTER}`, ...options, '*.test.mjs'],
      { cwd: folder, env, encoding: 'utf8' },
    );
    return { code: done.status, out: done.stdout, last: done.stdout.trimEnd().split('\n').at(-1) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const HEAD =
  "import { test, describe, before } from 'node:test'; import assert from 'node:assert/strict';\n";

test('tests are counted, suites are not', () => {
  const done = run({
    'a.test.mjs': `${HEAD}test('one', () => {}); describe('suite', () => { test('two', () => {}); });`,
  });
  assert.equal(done.last, '2 passed, 0 failed, 0 skipped');
  assert.equal(done.code, 0);
});

test('a failure is shown with its file, its difference and its names', () => {
  const done = run({
    'a.test.mjs': `${HEAD}describe('outer', () => test('inner', () => assert.deepEqual({ a: 1 }, { a: 2 })));`,
  });
  assert.equal(done.last, '0 passed, 1 failed, 0 skipped');
  assert.equal(done.code, 1);
  assert.match(done.out, /Failure 1 of 1: a\.test\.mjs:2 outer > inner\n/);
  assert.match(done.out, /\+ {3}a: 1\n.*- {3}a: 2\n/);
});

test('skipped tests are listed under their reason, and a test still to do is one of them', () => {
  const done = run({
    'a.test.mjs': `${HEAD}test('x', { skip: 'no data' }, () => {}); test('y', t => t.skip('no data')); test('z', { todo: true }, () => { throw 1; });`,
  });
  assert.equal(done.last, '0 passed, 0 failed, 3 skipped');
  assert.equal(done.code, 0);
  assert.match(done.out, /Skipped \(no data\):\n {2}a\.test\.mjs:2 x\n {2}a\.test\.mjs:2 y\n/);
});

test('a file that crashes, one that cannot be loaded and one without a test have failed', () => {
  const done = run({
    'crash.test.mjs': `${HEAD}test('fine', () => {}); test('never', async () => { process.exit(3); });`,
    'load.test.mjs': "import './nothing.mjs';",
    'empty.test.mjs': '',
  });
  assert.equal(done.code, 1);
  assert.match(done.last ?? '', /^[01] passed, 3 failed, 0 skipped$/);
  assert.match(done.out, /exit code 3/);
  assert.match(done.out, /ERR_MODULE_NOT_FOUND/);
  assert.match(done.out, /holds no test/);
});

test('counts a failing hook and the tests that it cancels as failed', () => {
  const done = run({
    'a.test.mjs': `${HEAD}describe('suite', () => { before(() => { throw new Error('hook'); }); test('x', () => {}); });`,
  });
  assert.equal(done.last, '0 passed, 2 failed, 0 skipped');
  assert.match(done.out, /Error: hook/);
});

for (const isolation of ['process', 'none'])
  test(`counts errors after their tests ended as failures, isolation ${isolation}`, () => {
    for (const late of ["throw new Error('late');", "Promise.reject(new Error('late'));"]) {
      const done = run(
        { 'a.test.mjs': `${HEAD}test('x', () => void setTimeout(() => { ${late} }, 9));` },
        `--test-isolation=${isolation}`,
      );
      assert.equal(done.last, '1 passed, 1 failed, 0 skipped');
      assert.equal(done.code, 1);
      assert.match(done.out, /a\.test\.mjs.*\n?.*"Error: late"/);
    }
  });

test('fails without any test', () => {
  const done = run({ 'other.mjs': '' });
  assert.equal(done.last, '0 passed, 0 failed, 0 skipped');
  assert.equal(done.code, 1);
});
