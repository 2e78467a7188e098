/**
 * The examples keep what their pages promise: they are type-checked and tested in a folder in which
 * the package is installed, as a stranger has it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openSandbox } from '../tools/readme.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The engine of the page on writing one fits on a page of its own. */
const MOST_LINES = 150;

describe('the example of an engine', () => {
  const from = join(ROOT, 'examples/sqlite-engine');
  const sandbox = openSandbox();
  cpSync(from, sandbox.folder, { recursive: true });
  const run = (words: readonly string[]) =>
    spawnSync(process.execPath, words, {
      ...{ cwd: sandbox.folder, encoding: 'utf8' as const },
      // The runner of this test would take its report for its own.
      env: sandbox.env,
    });

  test('has at most 150 lines', () => {
    const { length } = readFileSync(join(from, 'sqlite-engine.ts'), 'utf8').trimEnd().split('\n');
    assert.ok(length <= MOST_LINES, `${length} lines`);
  });

  test('has the types of the package', () => {
    const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
    const base = join(ROOT, 'tsconfig.json');
    const config = { extends: base, compilerOptions, include: ['*.ts'] };
    writeFileSync(join(sandbox.folder, 'tsconfig.json'), JSON.stringify(config));
    const { status, stdout } = run([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']);
    assert.equal(status, 0, stdout);
  });

  test('keeps the laws of engines', () => {
    const files = readdirSync(from).filter(name => name.endsWith('.test.ts'));
    const { status, stdout } = run(['--disable-warning=ExperimentalWarning', '--test', ...files]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /engine: a snapshot does not change during writes/);
  });

  after(() => sandbox.close());
});
