/**
 * The kit as strategies get it: charged before it is used, guarded, noted, and deaf ports do not
 * outlast an abort.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Document } from '../core/corpus/document.ts';
import { InputError, PortError } from '../core/errors.ts';
import { BudgetReached, freeCall } from '../core/trace/call.ts';
import { Ledger } from '../core/trace/ledger.ts';
import type { SearchEngine } from '../search/engine.ts';
import { type Retriever, searchAll } from '../search/retriever.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { engineOf } from '../testing/strategy-run.ts';
import {
  guarded,
  HopProgress,
  metered,
  meteredCall,
  meteredEngine,
  meteredRetriever,
} from './metered-kit.ts';

const live = new AbortController().signal;
const ledger = (retrievals?: number): Ledger =>
  new Ledger({
    budget: retrievals === undefined ? {} : { retrievals },
    signal: live,
    clock: () => 0,
  });

describe('guarded', () => {
  test('passes results and typed errors, and converts others to PortError', async () => {
    assert.equal(await guarded(live, 'x', async () => 7), 7);
    for (const error of [
      new InputError('c', 'm'),
      new PortError('p', 'c', 'm'),
      new BudgetReached('ms'),
    ])
      await assert.rejects(
        guarded(live, 'x', () => Promise.reject(error)),
        other => other === error,
      );
    const cause = new RangeError('deep');
    await assert.rejects(
      guarded(live, 'model', () => Promise.reject(cause)),
      (error: unknown) =>
        PortError.is(error) &&
        error.port === 'model' &&
        error.cause === cause &&
        /deep/.test(error.message),
    );
    await assert.rejects(
      guarded(live, 'model', () => {
        throw cause;
      }),
      PortError.is,
    );
  });

  test('calls nothing after an abort', async () => {
    await assert.rejects(
      guarded(AbortSignal.abort('why'), 'x', () => assert.fail('called')),
      error => error === 'why',
    );
  });

  test('removes its listeners from the signal', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const [add, remove] = [
      signal.addEventListener.bind(signal),
      signal.removeEventListener.bind(signal),
    ];
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    }) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    }) as typeof remove;
    for (let i = 0; i < 5; i++) await guarded(signal, 'x', async () => i);
    await guarded(signal, 'x', () => Promise.reject(new Error())).catch(() => {});
    assert.equal(listeners, 0);
  });
});

test('reserves before the call, charges failed calls, and refuses without calling', async () => {
  const book = ledger(2);
  await metered(book, 'r', 'search', { retrievals: 1 }, async () =>
    assert.deepEqual(book.left(), { retrievals: 1 }),
  );
  await assert.rejects(
    metered(book, 'r', 'search', { retrievals: 1 }, () => Promise.reject(new Error())),
  );
  assert.deepEqual(book.spent, { retrievals: 2 });
  await assert.rejects(
    metered(book, 'r', 'search', { retrievals: 1 }, () => assert.fail('called')),
    BudgetReached,
  );
});

test('charges one retrieval a query, applies the run’s filter and records each search', async () => {
  const asked: unknown[] = [];
  const inner: Retriever = {
    name: 'r',
    unit: 'passage',
    async retrieve(queries, k, _call, within) {
      asked.push([queries, k, within]);
      return queries.map(() => []);
    },
  };
  const [book, notes] = [ledger(), new HopProgress()];
  const run = { op: 'eq', field: 'a', value: 1 } as const;
  const inB = { op: 'eq', field: 'b', value: 2 } as const;
  const noted = meteredRetriever(inner, book, notes, run);
  await noted.retrieve([{ text: 'one' }, { text: 'two', filter: inB }], 3, freeCall());
  const from = { hop: 0, search: 0, id: 'x' };
  await searchAll(noted, [{ text: 'three', from }], 4, freeCall(), {
    unit: 'sentence',
    filter: inB,
  });
  assert.deepEqual(asked, [
    [[{ text: 'one' }, { text: 'two', filter: inB }], 3, { unit: 'passage', filter: run }],
    [
      [{ text: 'three', from }],
      4,
      { unit: 'sentence', filter: { op: 'and', filters: [run, inB] } },
    ],
  ]);
  assert.deepEqual(book.spent, { retrievals: 3 });
  assert.deepEqual(
    notes.searches.map(({ text, unit, filter, from: grown }) => [text, unit, filter, grown]),
    [
      ['one', 'passage', undefined, undefined],
      ['two', 'passage', inB, undefined],
      ['three', 'sentence', inB, from],
    ],
  );
  notes.clear();
  assert.deepEqual([notes.searches, notes.kept], [[], []]);
});

test('meters, filters and records searches of parts under their own names', async () => {
  const asked: unknown[] = [];
  const part = (name: string, parts?: readonly Retriever[]): Retriever => ({
    name,
    unit: 'passage',
    ...(name === 'dense' ? { space: 'toy' } : {}),
    ...(parts ? { parts } : {}),
    async retrieve(queries, _k, _call, within) {
      asked.push([name, queries.length, within]);
      return queries.map(() => []);
    },
  });
  const run = { op: 'eq', field: 'a', value: 1 } as const;
  const [book, notes] = [ledger(5), new HopProgress()];
  const noted = meteredRetriever(
    part('fused', [part('words'), part('nested', [part('dense')])]),
    book,
    notes,
    run,
  );
  const [words, nested] = noted.parts!;
  const [dense] = nested!.parts!;
  assert.deepEqual(
    [words!.name, words!.space, words!.parts, dense!.name, dense!.space],
    ['words', undefined, undefined, 'dense', 'toy'],
  );
  await words!.retrieve([{ text: 'one' }, { text: 'two' }], 3, freeCall(), { unit: 'sentence' });
  await dense!.retrieve([{ text: 'one' }], 3, freeCall());
  await noted.retrieve([{ text: 'whole' }], 3, freeCall());
  // The whole is one retrieval, whatever it is made of.
  assert.deepEqual(book.spent, { retrievals: 4 });
  await assert.rejects(
    words!.retrieve([{ text: 'three' }, { text: 'four' }], 3, freeCall()),
    BudgetReached,
  );
  assert.deepEqual(asked, [
    ['words', 2, { unit: 'sentence', filter: run }],
    ['dense', 1, { unit: 'passage', filter: run }],
    ['fused', 1, { unit: 'passage', filter: run }],
  ]);
  assert.deepEqual(
    notes.searches.map(({ retriever, text, unit }) => [retriever, text, unit]),
    [
      ['words', 'one', 'sentence'],
      ['words', 'two', 'sentence'],
      ['dense', 'one', 'passage'],
      ['fused', 'whole', 'passage'],
    ],
  );
});

test('records kept evidence only', () => {
  const notes = new HopProgress();
  const call = meteredCall(
    new Ledger({ budget: { documents: 1 }, signal: live, clock: () => 0 }),
    notes,
  );
  const item = (documentId: string) => ({
    id: documentId,
    documentId,
    search: { hop: 0, search: 0 },
    score: 1,
  });
  assert.deepEqual([call.keep(item('a'), 1), call.keep(item('b'), 1)], [true, false]);
  assert.deepEqual(notes.kept, [item('a')]);
});

test('returns documents already read, even after an abort', async () => {
  const inner = engineOf(FIXTURE_DOCUMENTS);
  let reads = 0;
  const counted: SearchEngine = Object.create(inner, {
    read: {
      value(...args: Parameters<typeof inner.read>) {
        reads++;
        return inner.read(...args);
      },
    },
  }) as SearchEngine;
  const controller = new AbortController();
  const known = new Map<string, Document>();
  const engine = meteredEngine(counted, controller, known);
  const both = await engine.read('document', ['twin-a', 'twin-b'], freeCall());
  controller.abort();
  assert.deepEqual(await engine.read('document', ['twin-b', 'twin-a', 'twin-a'], freeCall()), [
    both[1],
    both[0],
    both[0],
  ]);
  assert.deepEqual([reads, [...known.keys()]], [1, ['twin-a', 'twin-b']]);
  await assert.rejects(engine.read('document', ['twin-a', 'untitled'], freeCall()), {
    name: 'AbortError',
  });
  await assert.rejects(engine.search({ unit: 'document', k: 1, queries: [] }, freeCall()), {
    name: 'AbortError',
  });
});
