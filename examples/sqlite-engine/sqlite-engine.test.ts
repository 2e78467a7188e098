/** The laws of engines over the SQLite engine, and what they leave out. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask, type Document, ingest, PortError } from 'multihop';
import { engineLaws, FIXTURE_DOCUMENTS, FIXTURE_QUESTIONS } from 'multihop/testing';
import { SqliteEngine } from './sqlite-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'sqlite-engine-'));
const opened: SqliteEngine[] = [];
after(() => {
  for (const engine of opened) engine[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function holding(documents: readonly Document[]): Promise<SqliteEngine> {
  const engine = new SqliteEngine(join(folder, `${opened.length}.sqlite`));
  opened.push(engine);
  await engine.put(documents);
  return engine;
}

// The score is BM25 of FTS5, whose inverse document frequency is another.
for (const { name, run } of await engineLaws(holding, { tolerance: Number.POSITIVE_INFINITY }))
  test(name, run);

const DEMO = [
  {
    id: 'ferry',
    text: 'The ferry Marigold was built by Orla Brand. It sails at nine.',
    title: 'The ferry Marigold',
  },
  {
    id: 'brand',
    text: 'Orla Brand was born in Tarn. She drew the plans of forty boats.',
    title: 'Orla Brand',
  },
  { id: 'tarn', text: 'Tarn lies on the river Ebb.', title: 'Tarn' },
];

test('a question has the same answer as over the embedded engine', async () => {
  const question = 'Where was the builder of the ferry Marigold born?';
  const embedded = await ingest(DEMO);
  const path = join(folder, 'demo.sqlite');
  using engine = new SqliteEngine(path);
  await ingest(DEMO, { engine });
  const [ours, theirs] = await Promise.all(
    [engine, embedded].map(given => ask(question, { engine: given })),
  );
  assert.deepEqual(ours!.answer, theirs!.answer);
  assert.deepEqual(
    ours!.evidence.map(({ id }) => id),
    theirs!.evidence.map(({ id }) => id),
  );
  assert.equal(ours!.stopped, undefined);
});

test('several strategies find evidence, and one refuses for want of a capability', async () => {
  const engine = await holding(FIXTURE_DOCUMENTS);
  for (const strategy of ['fact-lanes', 'iterative', 'multi-meta-rag', 'ir-cot'] as const)
    for (const { text } of FIXTURE_QUESTIONS.slice(0, 3)) {
      const { evidence, stopped } = await ask(text, { engine, strategy, reader: 'evidence-only' });
      assert.deepEqual([evidence.length > 0, stopped], [true, undefined], `${strategy}: ${text}`);
    }
  await assert.rejects(async () => ask('Who?', { engine, strategy: 'hipporag2' }), {
    code: 'missing-capability',
  });
});

test('a second process writes while a snapshot is read', async () => {
  const engine = await holding(FIXTURE_DOCUMENTS.slice(0, 2));
  await using snapshot = await engine.snapshot();
  const found = () =>
    snapshot.search({ unit: 'passage', k: 9, queries: [{ text: 'furnace' }] }, call);
  const call = { signal: new AbortController().signal } as Parameters<typeof snapshot.search>[1];
  const before = await found();
  using other = new SqliteEngine(join(folder, `${opened.length - 1}.sqlite`));
  await other.put(FIXTURE_DOCUMENTS.slice(2));
  await other.remove([FIXTURE_DOCUMENTS[1]!.id]);
  assert.deepEqual(await found(), before);
  await using newer = await engine.snapshot();
  assert.notDeepEqual(
    await newer.search({ unit: 'passage', k: 9, queries: [{ text: 'furnace' }] }, call),
    before,
  );
});

test('a closed engine says so, and the trace of a run names a closed snapshot', async () => {
  const engine = await holding(FIXTURE_DOCUMENTS);
  const snapshot = await engine.snapshot();
  engine[Symbol.dispose]();
  const isClosed = (error: unknown): boolean =>
    PortError.is(error) && error.code === 'engine-closed';
  await assert.rejects(engine.put([]), isClosed);
  await assert.rejects(engine.snapshot(), isClosed);
  await snapshot[Symbol.asyncDispose]();
  const { stopped } = await ask('Who bought the lighthouse?', {
    engine: snapshot,
    reader: 'evidence-only',
  });
  assert.ok(stopped?.by === 'failure' && stopped.code === 'engine-closed', JSON.stringify(stopped));
});

test('nothing is written of a batch that fails in the middle', async () => {
  const engine = await holding(FIXTURE_DOCUMENTS.slice(0, 1));
  const [, second] = FIXTURE_DOCUMENTS;
  const broken = { ...second!, id: 'broken', title: null } as unknown as Document;
  await assert.rejects(engine.put([second!, { ...broken, text: null } as unknown as Document]));
  await using snapshot = await engine.snapshot();
  await assert.rejects(async () => snapshot.read('document', [second!.id], {} as never), {
    code: 'unknown-id',
  });
});
