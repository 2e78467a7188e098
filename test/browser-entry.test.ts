/** The entry for browsers and workers: bundled, free of Node, and answering over memory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { freeCall } from '../src/core/trace/call.ts';
import { openRanker } from '../src/models/ranker/open-ranker.ts';
import { readSourceFile } from '../tools/house/syntax.ts';
import { rankerFile, rankerParts } from './random-ranker.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

let folder = '';
let chunks: readonly { readonly fileName: string; readonly code: string }[] = [];
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'multihop-browser-'));
  const bundle = await rolldown({
    input: {
      'index-browser': join(ROOT, 'src', 'index-browser.ts'),
      models: join(ROOT, 'src', 'models', 'index.ts'),
    },
    platform: 'browser',
    logLevel: 'silent',
    external: /^node:/,
  });
  const { output } = await bundle.write({ dir: folder, format: 'esm' });
  await bundle.close();
  chunks = output.flatMap(piece => (piece.type === 'chunk' ? [piece] : []));
});
after(() => rm(folder, { recursive: true, force: true }));

describe('the entry for browsers', () => {
  test('imports no module of Node, not even during a run', () => {
    assert.ok(chunks.length > 1, `${chunks.length} chunks`);
    const specifiers = chunks.flatMap(({ fileName, code }) =>
      readSourceFile(fileName, code).imports.map(({ specifier }) => specifier),
    );
    assert.ok(specifiers.length > 0);
    assert.deepEqual(
      specifiers.filter(specifier => !specifier.startsWith('.')),
      [],
    );
  });

  test('answers over an engine in memory without a global `process`', async () => {
    const lines = readFileSync(join(ROOT, 'demo', 'corpus.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const told = await inBareWorker(SCRIPT, {
      entry: entryNamed('index-browser.js'),
      documents: lines.map(line => JSON.parse(line) as unknown),
      question: 'Who founded Dunmarrow Drives?',
    });
    const { ask, ingest } = await import('../src/index.ts');
    const engine = await ingest(lines.map(line => JSON.parse(line) as { text: string }));
    const { answer, evidence } = await ask('Who founded Dunmarrow Drives?', { engine });
    assert.deepEqual(told, {
      globals: ['undefined', 'undefined', 'undefined'],
      ...JSON.parse(JSON.stringify({ answer, evidence })),
      refused: 'no-disk',
    });
    assert.ok(evidence.length > 0);
  });

  test('multihop/models scores by a ranker there, as on Node', async () => {
    const file = rankerFile(rankerParts());
    const texts = ['the run', 'a play.'];
    const told = await inBareWorker(RANKER, { entry: entryNamed('models.js'), file, texts });
    assert.deepEqual(told, await openRanker(file).score('who', texts, freeCall()));
  });
});

const entryNamed = (name: string): string => pathToFileURL(join(folder, name)).href;

const BARE = `
import { parentPort, workerData } from 'node:worker_threads';
// Node itself needs them when it first makes an event of a message.
void globalThis.MessageEvent;
for (const name of ['process', 'Buffer', 'setImmediate']) delete globalThis[name];
`;

const SCRIPT = `${BARE}
const { ask, ingest, openStore } = await import(workerData.entry);
const engine = await ingest(workerData.documents);
const { answer, evidence } = await ask(workerData.question, { engine, budget: { ms: 60_000 } });
const refused = await openStore('notes.store').then(() => 'opened', error => error.code);
const globals = [typeof globalThis.process, typeof globalThis.Buffer, typeof globalThis.setImmediate];
parentPort.postMessage({ globals, answer, evidence, refused });
`;

const RANKER = `${BARE}
const { openRanker } = await import(workerData.entry);
const call = { signal: new AbortController().signal, begin: () => () => {} };
parentPort.postMessage(await openRanker(workerData.file).score('who', workerData.texts, call));
`;

/** Runs the bundle in a thread whose globals lack those of Node. */
function inBareWorker(script: string, workerData: unknown): Promise<unknown> {
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  const worker = new Worker(url, { workerData });
  return new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', code => reject(new Error(`The thread ended with ${code}`)));
  });
}
