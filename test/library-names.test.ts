/**
 * Tests what a program of one's own writes: names that editors complete, documents read from files,
 * and an engine in memory that is used without a `Call`. `npm run types` checks the types.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ContextName } from '../src/context/context-names.ts';
import type { Spec } from '../src/core/naming/spec.ts';
import { readDocuments } from '../src/documents/index.ts';
import { measure } from '../src/evaluation/index.ts';
import type { CutMeasure } from '../src/evaluation/measures.ts';
import { type AskOptions, ask, ingest, openStore } from '../src/index.ts';
import type { ReaderName } from '../src/readers/reader-names.ts';
import { readers } from '../src/readers/readers.ts';
import type { RetrieverName } from '../src/search/retriever-names.ts';
import { retrievers } from '../src/search/retrievers.ts';
import { strategies } from '../src/strategies/strategies.ts';
import type { StrategyName } from '../src/strategies/strategy-names.ts';
import { freshFolder } from './fresh-folder.ts';

/** Compiles only if `Offered` is among the texts of a type that an editor lists. */
type Offers<Texts, Offered extends string> = [Extract<Texts, Offered>] extends [never]
  ? never
  : Offered;

describe('names of members', () => {
  test('are types, with settings or without', () => {
    const good: readonly [
      Spec<StrategyName>,
      Spec<RetrieverName>,
      Spec<ReaderName>,
      Spec<ContextName>,
      Spec<CutMeasure>,
    ] = ['iterative(rounds=2)', 'fused(lexical, dense(toy))', 'extractive', 'lead', 'Recall@5'];
    // @ts-expect-error: a misspelt name
    const strategy: Spec<StrategyName> = 'fact-lane';
    // @ts-expect-error: settings without a name
    const retriever: Spec<RetrieverName> = '(s1)';
    // @ts-expect-error: an open bracket
    const reader: Spec<ReaderName> = 'span(model';
    // @ts-expect-error: a measure without its cut-off
    const measured: Spec<CutMeasure> = 'Recall@k';
    const [known] = good;
    assert.equal(strategies.canonical(known), 'iterative(rounds=2)');
    for (const [wrong, { create }] of [
      [strategy, strategies],
      [retriever, retrievers],
      [reader, readers],
    ] as const)
      assert.throws(() => (create as (name: string) => unknown)(wrong));
    assert.throws(() => measure(measured));
  });

  test('are offered to editors where options and families take them, beside any text', async () => {
    const offered: readonly [
      Offers<AskOptions['strategy'], 'fact-lanes'>,
      Offers<AskOptions['retriever'], 'max-p'>,
      Offers<AskOptions['reader'], 'section-reader'>,
      Offers<AskOptions['context'], 'sentences'>,
      Offers<Parameters<typeof strategies.create>[0], 'tree-hop'>,
      Offers<Parameters<typeof measure>[0], 'FactRecall'>,
    ] = ['fact-lanes', 'max-p', 'section-reader', 'sentences', 'tree-hop', 'FactRecall'];
    assert.equal(new Set(offered).size, 6);
    // @ts-expect-error: no strategy has this name
    const unknown: Offers<AskOptions['strategy'], 'fact-lane'> = 'fact-lane';
    const engine = await ingest(['One ship.']);
    const text: string = unknown;
    await assert.rejects(async () => await ask('What?', { engine, strategy: text }), {
      code: 'unknown-strategy',
    });
  });
});

describe('documents that are read from files', () => {
  function notes(): string {
    const folder = join(freshFolder(), 'notes');
    mkdirSync(folder);
    writeFileSync(join(folder, 'linnet.txt'), 'The Linnet lost its engines.');
    writeFileSync(join(folder, 'bad.json'), '{');
    return folder;
  }

  test('go into an engine in memory, which says what was skipped', async () => {
    const run = ingest(readDocuments([notes()]));
    const skipped: string[] = [];
    for await (const event of run)
      if (event.type === 'skipped') skipped.push(event.path);
      else assert.equal(event.documents, 1);
    const engine = await run;
    assert.deepEqual(
      engine.current.documents.map(({ id, text }) => [id, text]),
      [['linnet.txt', 'The Linnet lost its engines.']],
    );
    assert.equal(skipped.length, 1);
    assert.match(skipped[0]!, /bad\.json$/);
  });

  test('go into a store, whose summary counts them', async () => {
    await using store = await openStore(join(freshFolder(), 'store'));
    const { added, skipped } = await store.ingest(readDocuments([notes()]));
    assert.equal(added, 1);
    assert.deepEqual(
      skipped.map(({ path }) => path.replace(/.*\//, '')),
      ['bad.json'],
    );
  });

  test('a record of one’s own with a field "type" is a document', async () => {
    const engine = await ingest([{ text: 'A list of ships.', type: 'skipped', id: 'ships' }]);
    assert.deepEqual(
      engine.current.documents.map(({ id, metadata }) => [id, metadata]),
      [['ships', { type: 'skipped' }]],
    );
    await assert.rejects(async () => await ingest([{ type: 'document' } as never]), {
      code: 'bad-document',
    });
  });
});

test('an engine in memory is searched, read and written without a call', async () => {
  const engine = await ingest([
    { id: 'a', text: 'One ship sails.', source: 'Ledger' },
    { id: 'b', text: 'Two trains wait.' },
  ]);
  const [hits] = await engine.current.search({
    unit: 'document',
    k: 2,
    queries: [{ text: 'ship' }],
  });
  assert.deepEqual(
    hits!.map(({ id }) => id),
    ['a'],
  );
  const [document] = await engine.current.read('document', ['a']);
  assert.equal(document!.text, 'One ship sails.');
  assert.deepEqual(await engine.current.values('source'), [{ value: 'Ledger', documents: 1 }]);
  assert.equal((await engine.remove(['a'])).removed, 1);
  assert.equal((await engine.put([document!])).added, 1);
});
