/**
 * The example of a packed index: its file gives the answers of an engine that indexed the
 * documents, in a page in Chromium and in a worker in the runtime of Cloudflare, which are skipped
 * by name where they are not installed.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { ask, type Document, ingest, type Trace } from '../src/index.ts';
import type { EmbeddedEngine } from '../src/search/index.ts';
import { openSandbox } from '../tools/readme.ts';
import { CHROMIUM, launchOptions } from './chromium.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const QUESTIONS = [
  'Who founded Dunmarrow Drives?',
  "Which company is to replace the engines of the ship from which this year's winner of the Fathom Prize listens to the sea?",
];

const sandbox = openSandbox();
after(() => sandbox.close());
cpSync(join(ROOT, 'examples/packed-index'), sandbox.folder, { recursive: true });
const at = (name: string): string => join(sandbox.folder, name);

let packed: { openPacked(bytes: Uint8Array): Promise<EmbeddedEngine> };
let engine: EmbeddedEngine;
before(async () => {
  const words = [
    '--disable-warning=ExperimentalWarning',
    'pack.ts',
    'corpus.bin',
    'demo/corpus.jsonl',
  ];
  const options = { cwd: sandbox.folder, env: sandbox.env, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, words, options);
  assert.match(stdout, /^44 documents in \d+ bytes\n$/, stderr);
  const { readDocuments } = await import('../src/documents/index.ts');
  const read: Document[] = [];
  for await (const event of readDocuments([at('demo/corpus.jsonl')]))
    if (event.type === 'document') read.push(event.document);
  engine = await ingest(read);
  packed = await import(pathToFileURL(at('packed-file.ts')).href);
});

/** Bundles a program of the example for a runtime without Node. */
async function bundle(name: string, folder: string): Promise<string[]> {
  const built = await rolldown({
    input: at(name),
    platform: 'browser',
    logLevel: 'silent',
    external: /\.bin$|^node:/,
    resolve: {
      alias: {
        'multihop/retrieval': join(ROOT, 'src/search/index.ts'),
        multihop: join(ROOT, 'src/index-browser.ts'),
      },
    },
  });
  const { output } = await built.write({ dir: folder, format: 'esm' });
  await built.close();
  for (const piece of output)
    if (piece.type === 'chunk') assert.doesNotMatch(piece.code, /from ['"]node:/, piece.fileName);
  return output.map(({ fileName }) => fileName);
}

/** Figures to 12 digits: those of the runtime of Cloudflare differ in the sixteenth. */
const shown = ({ answer, evidence }: Pick<Trace, 'answer' | 'evidence'>): unknown => ({
  answer: rounded(answer),
  titles: [...new Set(evidence.map(({ title }) => title))],
});
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each) => (typeof each === 'number' ? +each.toPrecision(12) : each)),
  );

describe('example: a packed index', () => {
  test('answers as the engine that indexed the documents, and builds no index', async () => {
    const opened = await packed.openPacked(readFileSync(at('corpus.bin')));
    assert.deepEqual(opened.current.corpus.documents, engine.current.corpus.documents);
    for (const question of QUESTIONS) {
      const [ours, theirs] = [
        await ask(question, { engine }),
        await ask(question, { engine: opened }),
      ];
      assert.deepEqual(shown(theirs), shown(ours));
      assert.deepEqual(theirs.hops, ours.hops);
      assert.ok(theirs.evidence.length > 0);
    }
    // Each index that the runs searched stands in the file.
    const bytes = gunzipSync(readFileSync(at('corpus.bin')));
    const header = bytes.toString('utf8', 8, 8 + bytes.readUint32LE(0));
    const { indexes } = JSON.parse(header) as { indexes: { key: string }[] };
    const { indexes: searched } = opened.current.corpus.oneSegment()!.made();
    assert.ok(searched.length > 0);
    for (const key of searched)
      assert.ok(
        indexes.some(index => index.key === key),
        key,
      );
  });

  test('refuses bytes that are cut, or no such file', async () => {
    const bytes = readFileSync(at('corpus.bin'));
    await assert.rejects(packed.openPacked(bytes.subarray(0, bytes.length - 100)), TypeError);
    await assert.rejects(packed.openPacked(Buffer.from('<!doctype html>')), TypeError);
  });

  test('has the types of the package', () => {
    const files = ['bin.d.ts', 'pack.ts', 'packed-file.ts', 'page.ts', 'worker.ts'];
    const compilerOptions = { typeRoots: [join(ROOT, 'node_modules/@types')], noEmit: true };
    const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] };
    writeFileSync(at('tsconfig.json'), JSON.stringify(config));
    const words = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'];
    const { stdout } = spawnSync(process.execPath, words, {
      cwd: sandbox.folder,
      env: sandbox.env,
      encoding: 'utf8',
    });
    // The source itself, which is no page, has other types of streams.
    const own = (line: string): boolean =>
      /^error/.test(line) || files.some(file => line.startsWith(`${file}(`));
    assert.deepEqual(stdout.split('\n').filter(own), []);
  });

  const skip = CHROMIUM === undefined && 'needs Chromium (Debian: apt-get install chromium)';
  test('a page answers hop by hop, and asks no server', { skip }, async () => {
    await bundle('page.ts', sandbox.folder);
    const server = await serve();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await chromium.launch(launchOptions());
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('pageerror', error => problems.push(String(error)));
      await page.goto(`${origin}/index.html`);
      for (const question of QUESTIONS) {
        await page.getByLabel('Question').fill(question);
        await page.getByRole('button', { name: 'Ask' }).click();
        const { hops, answer, evidence } = await ask(question, {
          engine,
          budget: { documents: 8 },
        });
        const titles = [...new Set(evidence.map(({ title }) => title))];
        const text =
          answer.kind === 'answered'
            ? answer.text
            : `Not certain. ${answer.kind === 'abstained' ? answer.alternatives?.map(one => `${one.text}?`).join(' ') : ''}`;
        await page.getByRole('status').filter({ hasText: text }).waitFor();
        const lines = (name: string) => page.getByRole('list', { name }).getByRole('listitem');
        assert.deepEqual(await lines('Sources').allTextContents(), titles);
        assert.deepEqual(
          await lines('Hops').allTextContents(),
          hops.map(({ searches }) => searches.map(({ text }) => text).join(' · ')),
        );
      }
      assert.deepEqual(problems, []);
    } finally {
      await browser.close();
      server.close();
    }
  });

  const workerd = join(ROOT, 'runtimes-test/node_modules/.bin/workerd');
  const lacks = !existsSync(workerd) && 'needs workerd (npm ci --prefix runtimes-test)';
  test('a worker answers in the runtime of Cloudflare', { skip: lacks }, async () => {
    const modules = (await bundle('worker.ts', at('worker'))).filter(name => name.endsWith('.js'));
    cpSync(at('corpus.bin'), at('worker/corpus.bin'));
    writeFileSync(at('worker/config.capnp'), configOf(modules));
    const { process: running, port } = await started(workerd, at('worker'));
    try {
      const get = (query: string): Promise<Response> => fetch(`http://127.0.0.1:${port}/${query}`);
      for (const question of QUESTIONS) {
        const response = await get(`?question=${encodeURIComponent(question)}`);
        assert.equal(response.status, 200, await response.clone().text());
        const budget = { documents: 8, retrievals: 20 };
        const expected = await ask(question, { engine, budget });
        const { answer, sources: titles } = (await response.json()) as Record<string, unknown>;
        assert.deepEqual({ answer: rounded(answer), titles }, shown(expected));
      }
      assert.equal((await get('')).status, 400);
      const long = await get(`?question=${'a'.repeat(9000)}`);
      assert.deepEqual(
        [long.status, ((await long.json()) as { code: string }).code],
        [400, 'long-question'],
      );
    } finally {
      running.kill();
    }
  });
});

/** Serves the sandbox on this machine. */
async function serve(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = at(basename(new URL(request.url!, 'http://localhost').pathname));
    const found = existsSync(path);
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(found ? 200 : 404, { 'content-type': type });
    response.end(found ? readFileSync(path) : '');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const configOf = (modules: readonly string[]): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .example)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const example :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
${modules.map(name => `    (name = "${name}", esModule = embed "${name}"),`).join('\n')}
    (name = "corpus.bin", data = embed "corpus.bin"),
  ],
);
`;

/** Starts the runtime; resolves once it listens, and rejects with what it says if it ends. */
async function started(
  path: string,
  cwd: string,
): Promise<{ process: ChildProcess; port: number }> {
  const words = ['serve', 'config.capnp', '--control-fd=3'];
  const process_ = spawn(path, words, { cwd, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  let said = '';
  process_.stderr!.on('data', data => (said += String(data)));
  return new Promise((resolve, reject) => {
    process_.on('exit', code => reject(new Error(`workerd ended with ${code}: ${said}`)));
    (process_.stdio[3] as NodeJS.ReadableStream).on('data', data => {
      const listening = /"event":"listen".*"port":(\d+)/.exec(String(data));
      if (listening) resolve({ process: process_, port: Number(listening[1]) });
    });
  });
}
