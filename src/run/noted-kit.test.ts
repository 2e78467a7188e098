/**
 * The kit as strategies get it: charged before it is used, guarded, noted, and deaf ports do not
 * outlast an abort.
 */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defined } from '../core/defined.ts';
import { BudgetReached, freeCall } from '../core/trace/call.ts';
import { Ledger } from '../core/trace/ledger.ts';
import type { Retriever } from '../search/retriever.ts';
import { guarded, HopProgress, meteredCall, meteredRetriever } from './metered-kit.ts';

const live = new AbortController().signal;
const ledger = (retrievals?: number): Ledger =>
  new Ledger({
    budget: retrievals === undefined ? {} : { retrievals },
    signal: live,
    clock: () => 0,
  });

describe('guarded', () => {
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

test('meters, filters and records searches of parts under their own names', async () => {
  const asked: unknown[] = [];
  const part = (name: string, parts?: readonly Retriever[]): Retriever =>
    defined({
      name,
      unit: 'passage',
      space: name === 'dense' ? 'toy' : undefined,
      parts,
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
