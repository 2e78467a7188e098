/**
 * The examples keep what their pages promise: they are type-checked and tested in a folder in which
 * the package is installed, as a stranger has it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { blocksOf, isExample, openSandbox, runBlock, type Sandbox } from '../tools/readme.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The engine of the page on writing one fits on a page of its own. */
const MOST_LINES = 150;

test('the page of the examples lists each, with a command whose paths are there', () => {
  const examples = join(ROOT, 'examples');
  const foldersOf = (path: string): string[] =>
    readdirSync(join(examples, path), { withFileTypes: true })
      .filter(entry => entry.isDirectory() && entry.name !== 'node_modules')
      .map(({ name }) => `${path}${name}`);
  const folders = [
    ...foldersOf('').filter(name => name !== 'frameworks'),
    // The packages of AI SDK 6 are for a test alone.
    ...foldersOf('frameworks/').filter(name => name !== 'frameworks/ai-sdk-6'),
  ];
  const rows = readFileSync(join(examples, 'README.md'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| ['));
  const listed = rows.map(row => /\]\(([^)]+)\)/.exec(row)![1]!);
  assert.deepEqual(listed.sort(), folders.sort());
  for (const row of rows) {
    const paths = row.match(/\bexamples\/[\w./-]+/g) ?? [];
    assert.ok(paths.length > 0, row);
    for (const path of paths) assert.ok(existsSync(join(ROOT, path)), path);
  }
});

/** A folder with the files of an example, in which the package is installed. */
function exampleSandbox(name: string) {
  const from = join(ROOT, 'examples', name);
  const sandbox: Sandbox = openSandbox();
  cpSync(from, sandbox.folder, { recursive: true });
  const run = (words: readonly string[]) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
      cwd: sandbox.folder,
      encoding: 'utf8' as const,
      // The runner of this test would take its report for its own.
      env: sandbox.env,
    });
  const checkTypes = (): void => {
    const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')] };
    const base = join(ROOT, 'tsconfig.json');
    const config = { extends: base, compilerOptions, include: ['*.ts'] };
    writeFileSync(join(sandbox.folder, 'tsconfig.json'), JSON.stringify(config));
    const { status, stdout } = run([join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']);
    assert.equal(status, 0, stdout);
  };
  return { from, sandbox, run, checkTypes };
}

describe('the example of an engine', () => {
  const { from, sandbox, run, checkTypes } = exampleSandbox('sqlite-engine');
  after(() => sandbox.close());

  test('has at most 150 lines', () => {
    const { length } = readFileSync(join(from, 'sqlite-engine.ts'), 'utf8').trimEnd().split('\n');
    assert.ok(length <= MOST_LINES, `${length} lines`);
  });

  test('has the types of the package', checkTypes);

  test('keeps the laws of engines', () => {
    const files = readdirSync(from).filter(name => name.endsWith('.test.ts'));
    const { status, stdout } = run(['--test', ...files]);
    assert.equal(status, 0, stdout);
    assert.match(stdout, /engine: a snapshot does not change during writes/);
  });
});

describe("the example of one's own documents", () => {
  const { from, sandbox, run, checkTypes } = exampleSandbox('own-documents');
  after(() => sandbox.close());
  /** The first table of a report: the figures of each row. */
  const figures = (report: string): string[] =>
    report
      .split('\n')
      .filter(line => /^(?:fact-lanes|equal-budget).*\d\.\d$/.test(line))
      .slice(0, 3)
      .map(line => line.trim().split(/\s+/).slice(-3).join(' '));

  test('has the types of the package', checkTypes);

  const page = readFileSync(join(from, 'README.md'), 'utf8');
  // The commands are written for a POSIX shell.
  test('its page prints what it shows', { skip: process.platform === 'win32' }, () => {
    const sessions = blocksOf(page).filter(isExample);
    assert.equal(sessions.length, 3);
    for (const block of sessions) assert.equal(runBlock(sandbox, block), undefined);
    const html = readFileSync(join(sandbox.folder, 'report.html'), 'utf8');
    assert.ok(html.includes('On which shelf is the oil filter for the ferry to Tern Island kept?'));
  });

  test('the program prints the figures of its page', () => {
    const { status, stdout, stderr } = run(['evaluate.ts']);
    assert.equal(status, 0, stderr);
    assert.equal(figures(page).length, 3);
    assert.deepEqual(figures(stdout), figures(page));
  });

  test('the program reads the documents and questions that it is given', () => {
    const questions = join(sandbox.folder, 'one.jsonl');
    writeFileSync(questions, '{"question":"Who?","answer":"x","evidence":"stands nowhere"}');
    const { status, stderr } = run(['evaluate.ts', 'documents', questions]);
    assert.equal(status, 1);
    assert.match(stderr, /stands in no document of the corpus/);
  });
});
