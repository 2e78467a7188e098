/** Tests `openStore`: a durable store from code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Document,
  type DocumentStore,
  InputError,
  openStore,
  PortError,
} from '../src/index.ts';
import type { UnboundRetriever } from '../src/search/retriever.ts';
import { retrievers } from '../src/search/retrievers.ts';
import { hashedEmbedder } from '../src/testing/hashed-embedder.ts';
import { overlapReranker } from '../src/testing/overlap-reranker.ts';
import { scriptedModel } from '../src/testing/scripted-model.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CORPUS = join(ROOT, 'demo', 'corpus.jsonl');
const QUESTION = 'Who founded Dunmarrow Drives?';
const execute = promisify(execFile);

let parent = '';
let shared: DocumentStore;
before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'multihop-open-store-'));
  shared = await openStore(join(parent, 'shared'), { embedders: [hashedEmbedder()], env: {} });
  await shared.ingest({ paths: [CORPUS] });
});
after(async () => {
  await shared.close();
  await rm(parent, { recursive: true, force: true });
});

let count = 0;
const fresh = (): string => join(parent, `store-${count++}`);
const idsOf = ({ documents }: { readonly documents: readonly Document[] }): string[] =>
  documents.map(({ id }) => id);
const note = (id: string, text: string): Document => ({ id, title: id, text, metadata: {} });

/** Runs a module in a process of its own and returns what it prints. */
async function inProcess(code: string): Promise<string> {
  const { stdout } = await execute(process.execPath, [
    ...['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e'],
    `import { openStore } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)};\n${code}`,
  ]);
  return stdout.trim();
}

describe('openStore: documents', () => {
  test('can be read and searched in a new process', async () => {
    const folder = fresh();
    {
      await using store = await openStore(folder);
      const summary = await store.ingest({ paths: [CORPUS] });
      assert.ok(summary.added > 30 && summary.documents === summary.added);
      assert.deepEqual(summary.skipped, []);
    }
    await using store = await openStore(folder);
    const { answer, evidence } = await store.ask(QUESTION);
    const there = await inProcess(`
      await using store = await openStore(${JSON.stringify(folder)});
      const { answer, evidence } = await store.ask(${JSON.stringify(QUESTION)});
      console.log(JSON.stringify({ answer, evidence }));`);
    assert.deepEqual(JSON.parse(there), JSON.parse(JSON.stringify({ answer, evidence })));
    assert.ok(evidence.length > 0);
  });

  test('texts and records are ingested with events; ingested again, they are unchanged', async () => {
    await using store = await openStore(fresh(), { env: {} });
    const types: string[] = [];
    const run = store.ingest(['The ferry sails at dawn.', { id: 'b', text: 'Two.', source: 'x' }], {
      batch: 1,
    });
    for await (const { type } of run) types.push(type);
    // The phases embed, for which there is nothing to do, and write the indexes.
    assert.deepEqual(types, ['stored', 'stored', 'phase', 'phase']);
    assert.equal((await run).added, 2);
    const again = await store.ingest([{ id: 'b', text: 'Two.', source: 'x' }]);
    assert.deepEqual([again.added, again.unchanged, again.documents], [0, 1, 2]);
    assert.deepEqual((await store.document('b'))?.metadata, { source: 'x' });
    assert.equal(await store.document('none'), undefined);
  });

  test('files that hold no text are skipped and named', async () => {
    const folder = await mkdtemp(join(parent, 'notes-'));
    await writeFile(join(folder, 'a.md'), '# Ferry\n\nIt sails at dawn.\n');
    await writeFile(join(folder, 'b.bin'), Buffer.from([0, 1, 2, 0, 255]));
    await using store = await openStore(fresh());
    const summary = await store.ingest({ paths: [folder] });
    assert.equal(summary.added, 1);
    assert.deepEqual(
      summary.skipped.map(({ path }) => path.endsWith('b.bin')),
      [true],
    );
  });

  test('are listed in pages, each once', async () => {
    const all: string[] = [];
    let after: string | undefined;
    do {
      const page = await shared.documents({ limit: 7, after });
      assert.ok(page.documents.length <= 7 && page.total >= 30);
      all.push(...idsOf(page));
      after = page.next;
    } while (after !== undefined);
    assert.deepEqual(all, [...new Set(all)].sort());
    const whole = await shared.documents({ limit: 1000 });
    assert.deepEqual([idsOf(whole), whole.next], [all, undefined]);
    await assert.rejects(shared.documents({ limit: 0 }), isInput('bad-limit'));
  });

  test('are listed by a filter, whose fields and values are checked', async () => {
    const some = await shared.documents({ filter: 'source = "Touchline"' });
    assert.ok(some.total > 0 && some.total < 30);
    for (const { metadata } of some.documents) assert.equal(metadata['source'], 'Touchline');
    for (const [filter, code] of [
      ['sauce = x', 'unknown-field'],
      ['source = Touchlin', 'unknown-value'],
    ] as const)
      await assert.rejects(shared.documents({ filter }), isInput(code));
  });

  test('are removed by id; an unknown id removes none', async () => {
    await using store = await openStore(fresh());
    await store.ingest([note('a', 'One ferry.'), note('b', 'Two ferries.')]);
    await assert.rejects(store.remove(['a', 'zz']), isInput('unknown-id'));
    assert.equal((await store.documents()).total, 2);
    assert.equal(await store.remove(['a', 'a']), 1);
    assert.deepEqual(idsOf(await store.documents()), ['b']);
    const hits = await store.search('ferry ferries');
    assert.deepEqual(
      hits.map(({ documentId }) => documentId),
      ['b'],
    );
  });

  test('with equal texts are one hit of a search, which says in how many places it stands', async () => {
    await using store = await openStore(fresh());
    const ferry = 'The ferry sails to Harrow Point.';
    const copies = Array.from({ length: 30 }, (_, at) => note(`copy${at}`, ferry));
    const other = note('other', 'The harbour has one old pier, and on Sundays a ferry.');
    await store.ingest([...copies, note('spaced', ferry.replace(' ', ' \n ')), other]);
    for (const options of [{}, { retriever: 'lexical(unit=sentence)' }, { k: 2 }]) {
      const hits = await store.search('the ferry to Harrow Point', options);
      assert.deepEqual(
        hits.map(({ rank, documentId, places }) => [rank, documentId, places]),
        [
          [1, hits[0]!.documentId, 31],
          [2, 'other', undefined],
        ],
      );
      assert.equal(hits[0]!.others!.length, 20);
    }
    assert.equal((await store.search('ferry', { k: 1 })).length, 1);
  });

  test('of two writers are all stored, and each writer sees those of the other', async () => {
    const folder = fresh();
    await using one = await openStore(folder);
    await using two = await openStore(folder);
    const texts = (by: string): Document[] =>
      Array.from({ length: 20 }, (_, at) => note(`${by}${at}`, `Note ${at} by ${by}.`));
    await Promise.all([
      one.ingest(texts('one'), { batch: 3 }),
      two.ingest(texts('two'), { batch: 4 }),
      inProcess(`
        await using store = await openStore(${JSON.stringify(folder)});
        await store.ingest([{ id: 'three', text: 'Note by three.' }]);`),
    ]);
    for (const store of [one, two]) assert.equal((await store.documents()).total, 41);
    assert.equal((await two.search('three'))[0]?.documentId, 'three');
  });
});

describe('openStore: models from code', () => {
  test('an embedder embeds documents at ingest, and the query alone at a search', async () => {
    const embedder = hashedEmbedder();
    const folder = fresh();
    {
      await using store = await openStore(folder, { embedders: [embedder] });
      const summary = await store.ingest({ paths: [CORPUS] });
      assert.ok(summary.embedded['hashed']! >= summary.documents);
    }
    const again = hashedEmbedder();
    await using store = await openStore(folder, { embedders: [again] });
    const hits = await store.search('harbour ferry', { retriever: 'dense(hashed)', k: 3 });
    assert.equal(hits.length, 3);
    assert.deepEqual(
      again.calls.map(({ as }) => as),
      ['query'],
    );
    await using other = await openStore(folder, { embedders: [hashedEmbedder('hashed', 32)] });
    await assert.rejects(
      other.search('ferry', { retriever: 'dense(hashed)' }),
      (error: unknown) => PortError.is(error) && error.code === 'other-embedder',
    );
    await assert.rejects(
      store.search('ferry', { retriever: 'dense(hached)' }),
      isInput('unknown-space'),
    );
  });

  test('a recorded embedder that is unavailable gives a warning, and documents are stored', async () => {
    const folder = fresh();
    {
      await using store = await openStore(folder, { embedders: [hashedEmbedder()] });
      await store.ingest([note('a', 'One ferry.')]);
    }
    const warnings: string[] = [];
    const notices = { note: () => {}, warn: (text: string) => warnings.push(text) };
    await using store = await openStore(folder, { notices, env: {} });
    assert.equal((await store.ingest([note('b', 'Two.')])).added, 1);
    assert.match(warnings.join(), /no vectors of hashed/);
  });

  test('a reranker and a language model serve a question', async () => {
    const reranker = overlapReranker();
    const model = scriptedModel(['{"answer": "Orrin", "citations": [1], "abstain": false}']);
    const models = { resources: { reranker }, model, totalBudget: { modelCalls: 1 } };
    await using store = await openStore(fresh(), models);
    await store.ingest({ paths: [CORPUS] });
    const options = {
      strategy: 'fixed-top-k(k=3)',
      retriever: 'reranked(lexical, overlap)',
      context: 'lead',
      reader: 'generative',
    };
    const { answer, retriever } = await store.ask(QUESTION, options);
    assert.equal(answer.kind, 'answered');
    assert.match(retriever, /^reranked/);
    assert.ok(reranker.calls.length > 0);
    const second = await store.ask(QUESTION, options);
    assert.deepEqual(second.stopped, { by: 'limit', limit: 'modelCalls' });
    assert.equal(model.prompts.length, 1);
  });
});

describe('openStore: questions', () => {
  for (const strategy of ['fact-lanes', 'fixed-top-k(k=4)', 'iterative(rounds=3)'])
    test(`retrieve returns the evidence of ask without an answer: ${strategy}`, async () => {
      const asked = await shared.ask(QUESTION, { strategy });
      const run = shared.retrieve(QUESTION, { strategy });
      const types: string[] = [];
      for await (const { type } of run) types.push(type);
      const { evidence, context, ranking, trace } = await run;
      assert.deepEqual(evidence, asked.evidence);
      assert.deepEqual(context, asked.context);
      assert.deepEqual(ranking, asked.ranking);
      assert.equal(trace.answer.kind, 'evidence');
      assert.deepEqual([types[0], types.at(-1)], ['question', 'end']);
    });

  test('an aborted ask ends its trace and keeps its evidence so far', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const run = shared.ask(QUESTION, { strategy: 'iterative(rounds=5)', signal });
    for await (const event of run) if (event.type === 'hop') controller.abort();
    const { stopped, evidence } = await run;
    assert.equal(stopped?.by, 'abort');
    assert.ok(evidence.length > 0);
  });

  test('a filter is an expression or a value; budgets and names work as in ask', async () => {
    const expression = 'source = "Northlight Weekly"';
    const value = { op: 'eq', field: 'source', value: 'Northlight Weekly' } as const;
    const asked = [expression, value].map(filter =>
      shared.ask(QUESTION, { filter, budget: { documents: 2 }, strategy: 'fixed-top-k' }),
    );
    const [one, other] = await Promise.all(asked);
    assert.deepEqual(one!.evidence, other!.evidence);
    assert.ok(one!.evidence.length > 0 && one!.evidence.length <= 2);
    await assert.rejects(async () => shared.ask(QUESTION, { filter: 'source =' }), InputError);
    await assert.rejects(async () => shared.ask('  '), isInput('empty-question'));
    await assert.rejects(async () => shared.ask(QUESTION, { strategy: 'fact-lane' }), InputError);
  });

  test('a search explains lexical scores on request', async () => {
    const [hit] = await shared.search('harbour ferry', { explain: true, k: 1 });
    assert.equal(hit!.rank, 1);
    assert.ok(Math.abs(hit!.explanation!.value - hit!.score) < 1e-9);
    assert.ok(hit!.quotes.length > 0);
    await assert.rejects(shared.search(' '), isInput('empty-query'));
    await assert.rejects(
      shared.search('ferry', { explain: true, retriever: 'hybrid' }),
      isInput('no-explanation'),
    );
  });
});

describe('openStore: opening and closing', () => {
  test('a closed store refuses every method; closing twice is allowed', async () => {
    const store = await openStore(fresh());
    await store.ingest([note('a', 'One.')]);
    await store.close();
    await store.close();
    for (const call of [
      () => store.ingest([note('b', 'Two.')]),
      () => store.ask(QUESTION),
      () => store.retrieve(QUESTION),
      () => store.search('one'),
      () => store.documents(),
      () => store.document('a'),
      () => store.remove(['a']),
    ] as const)
      await assert.rejects(async () => call() as PromiseLike<unknown>, isInput('store-closed'));
  });

  test('closing aborts a run that is under way', async () => {
    const folder = fresh();
    const store = await openStore(folder);
    await store.ingest({ paths: [CORPUS] });
    const run = store.ask(QUESTION, { strategy: 'iterative(rounds=5)' });
    for await (const event of run) if (event.type === 'hop') await store.close();
    assert.equal((await run).stopped?.by, 'abort');
  });

  test('a missing folder is an error without create; an invalid path is refused', async () => {
    await assert.rejects(openStore(fresh(), { create: false }), PortError);
    await assert.rejects(openStore(''), isInput('missing-store'));
    await assert.rejects(openStore(ROOT), PortError);
  });
});

const isInput = (code: string) => (error: unknown) => InputError.is(error) && error.code === code;

test('the manifest of a run names the documents that it read, whatever is written meanwhile', async () => {
  await using store = await openStore(fresh());
  await store.ingest([note('a', 'The ferry left the harbour.')]);
  const lexical = retrievers.create('lexical');
  const writing: UnboundRetriever = {
    ...lexical,
    bind(engine, lookup) {
      const bound = lexical.bind(engine, lookup);
      return {
        ...bound,
        async retrieve(...asked) {
          await store.ingest([note('b', 'The ferry came back.')]);
          return bound.retrieve(...asked);
        },
      };
    },
  };
  const trace = await store.ask('When did the ferry leave?', {
    retriever: writing,
    strategy: 'fixed-top-k',
    reader: 'evidence-only',
  });
  assert.equal((await store.documents()).total, 2);
  assert.deepEqual(trace.ranking, ['a']);
  assert.equal((trace.manifest['corpus'] as { readonly documents: number }).documents, 1);
});
