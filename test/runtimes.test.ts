/**
 * The entry without Node in other runtimes: Chromium, its web workers, Bun, Deno and threads of
 * Node give the same answers and the same trace as Node. A runtime that is not installed is skipped
 * by name: `npm ci --prefix runtimes-test` brings Bun and Deno, `apt-get install chromium`
 * Chromium.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { sealEvents } from '../src/core/trace/index.ts';
import { ask, ingest, type TraceEvent } from '../src/index.ts';
import { sha256 } from '../src/platform/sha256.ts';
import { CHROMIUM, launchOptions } from './chromium.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const binary = (name: string): string => join(ROOT, 'runtimes-test', 'node_modules', '.bin', name);
const lacks = (name: string): string | false =>
  !existsSync(binary(name)) && `needs ${name} (npm ci --prefix runtimes-test)`;

const folder = mkdtempSync(join(tmpdir(), 'multihop-runtimes-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const DOCUMENTS = readFileSync(join(ROOT, 'demo', 'corpus.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as { id: string; text: string });
const ASKED = [
  { question: 'Who founded Dunmarrow Drives?', options: {} },
  { question: 'Is the Fathom Prize older than the Herring Fair?', options: { answerAt: 0 } },
  {
    question: 'Who founded the company that won the contract to fit electric motors?',
    options: { strategy: 'budgeted-agent', retriever: 'hybrid', answerAt: 0 },
  },
];

/** Runs in every runtime; times are no part of the content. */
const SCRIPT = `
import { ask, ingest } from './entry.js';
const { documents, asked } = (await import('./input.js')).default;
export const told = async () => {
  const engine = await ingest(documents);
  const runs = [];
  for (const { question, options } of asked) {
    const events = [];
    for await (const event of ask(question, { engine, ...options })) events.push(event);
    runs.push(events);
  }
  return JSON.stringify(runs);
};
`;

/** The events of each question; \`ms\` is 0, as it is no part of the content. */
type Runs = readonly (readonly TraceEvent[])[];

const withoutTimes = (runs: Runs): TraceEvent[][] =>
  runs.map(events => events.map(event => ({ ...event, ms: 0 })));

async function inThisNode(): Promise<Runs> {
  const engine = await ingest(DOCUMENTS);
  const runs: TraceEvent[][] = [];
  for (const { question, options } of ASKED) {
    const events: TraceEvent[] = [];
    for await (const event of ask(question, { engine, ...options })) events.push(event);
    runs.push(events);
  }
  return runs;
}

before(async () => {
  const bundle = await rolldown({
    input: { entry: join(ROOT, 'src', 'index-browser.ts') },
    platform: 'browser',
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, format: 'esm' });
  await bundle.close();
  const files = {
    'package.json': '{"type":"module"}',
    'input.js': `export default ${JSON.stringify({ documents: DOCUMENTS, asked: ASKED })};`,
    'asked.js': SCRIPT,
    'print.js': "import { told } from './asked.js';\nconsole.log(await told());",
    'thread.js':
      "import { parentPort } from 'node:worker_threads';\nimport { told } from './asked.js';\nparentPort.postMessage(await told());",
    'worker.js': "import { told } from './asked.js';\npostMessage(await told());",
    'index.html': '<!doctype html><title>multihop</title>',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});

describe('the entry without Node answers as in Node', () => {
  let expected: Runs = [];
  before(async () => {
    expected = await inThisNode();
    assert.equal(expected.length, ASKED.length);
    for (const events of expected) assert.ok(events.some(({ type }) => type === 'hop'));
    const answers = expected.flat().filter(event => event.type === 'answer');
    assert.ok(answers.some(({ answer }) => answer.kind === 'answered'));
  });

  function check(text: string): void {
    const runs = JSON.parse(text) as Runs;
    const [ours, theirs] = [withoutTimes(expected), withoutTimes(runs)];
    assert.deepEqual(theirs, JSON.parse(JSON.stringify(ours)));
    const seals = (all: TraceEvent[][]): string[] => all.map(one => sealEvents(one, sha256));
    assert.deepEqual(seals(theirs), seals(ours));
  }
  const printed = async (command: string, words: readonly string[]): Promise<string> => {
    const options = { cwd: folder, maxBuffer: 1 << 28 };
    return (await promisify(execFile)(command, words, options)).stdout;
  };

  test('Node, bundled', async () => check(await printed(process.execPath, ['print.js'])));

  test('a thread of Node', async () => {
    const worker = new Worker(pathToFileURL(join(folder, 'thread.js')));
    const text = await new Promise<string>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
    });
    await worker.terminate();
    check(text);
  });

  test('Bun', { skip: lacks('bun') }, async t => {
    t.diagnostic(`Bun ${(await printed(binary('bun'), ['--version'])).trim()}`);
    check(await printed(binary('bun'), ['print.js']));
  });

  test('Deno, allowed to read nothing but its modules', { skip: lacks('deno') }, async t => {
    t.diagnostic((await printed(binary('deno'), ['--version'])).split('\n')[0]!);
    check(await printed(binary('deno'), ['run', '--no-prompt', '--no-remote', 'print.js']));
  });

  const skip = CHROMIUM === undefined && 'needs Chromium (Debian: apt-get install chromium)';
  test('Chromium, in a page and in a web worker', { skip }, async t => {
    const server = await serve();
    const browser = await chromium.launch(launchOptions());
    try {
      t.diagnostic(`Chromium ${browser.version()}`);
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`);
      check(await page.evaluate<string>("import('/asked.js').then(({ told }) => told())"));
      check(await page.evaluate<string>(IN_WORKER));
    } finally {
      await browser.close();
      server.close();
    }
  });
});

const IN_WORKER = `new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js', { type: 'module' });
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
})`;

/** Serves the folder on this machine: browsers load no modules from files. */
async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url!, 'http://localhost').pathname);
    const found = existsSync(path);
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(found ? 200 : 404, { 'content-type': type });
    response.end(found ? readFileSync(path) : '');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}
