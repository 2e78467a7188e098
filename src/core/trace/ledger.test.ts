/** The ledger: reserves before, settles after, and nothing is ever overspent. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BudgetReached } from './call.ts';
import { Ledger } from './ledger.ts';
import type { EvidenceItem } from './trace.ts';
import { addUsage, type Budget, LIMIT_NAMES, subtractUsage, type Usage } from './usage.ts';

const item = (documentId: string, id = documentId): EvidenceItem => ({
  id,
  documentId,
  search: { hop: 0, search: 0 },
  score: 1,
});
const ledger = (budget: Budget, clock = () => 0, signal = new AbortController().signal): Ledger =>
  new Ledger({ budget, clock, signal });
const reached = (limit: string) => (error: unknown) =>
  error instanceof BudgetReached && error.limit === limit;

describe('begin', () => {
  test('reserves at once, settles the use, and refuses an excess', () => {
    const book = ledger({ retrievals: 3 });
    const settle = book.begin('retriever', 'search', { retrievals: 2 });
    assert.deepEqual([book.left(), book.spent], [{ retrievals: 1 }, {}]);
    assert.throws(
      () => book.begin('retriever', 'search', { retrievals: 2 }),
      reached('retrievals'),
    );
    settle({ retrievals: 1 });
    assert.deepEqual([book.left(), book.spent], [{ retrievals: 2 }, { retrievals: 1 }]);
    book.begin('retriever', 'search', { retrievals: 2 });
    assert.deepEqual(book.left(), { retrievals: 0 });
  });

  test('counts a second settlement once', () => {
    const book = ledger({ modelCalls: 2 });
    const settle = book.begin('model', 'answer', { modelCalls: 1, modelTokens: 100 });
    settle({ modelCalls: 1, modelTokens: 40 });
    settle({ modelCalls: 1, modelTokens: 40 });
    assert.deepEqual(book.spent, { modelCalls: 1, modelTokens: 40 });
    assert.deepEqual(book.left(), { modelCalls: 1 });
  });

  for (const limit of LIMIT_NAMES.filter(name => name !== 'ms' && name !== 'hops')) {
    test(`names the limit on ${limit}`, () => {
      const book = ledger({ [limit]: 1 });
      book.begin('port', 'role', { [limit]: 1 })({ [limit]: 1 });
      assert.throws(() => book.begin('port', 'role', { [limit]: 1 }), reached(limit));
    });
  }

  test('refuses everything after the time limit, and `left` is at least 0', () => {
    let now = 100;
    const book = ledger({ ms: 50, retrievals: 9 }, () => now);
    book.begin('retriever', 'search', { retrievals: 1 });
    now = 149;
    assert.deepEqual(book.left(), { ms: 1, retrievals: 8 });
    now = 150;
    assert.throws(() => book.begin('retriever', 'search', { retrievals: 1 }), reached('ms'));
    assert.throws(() => book.keep(item('a'), 1), reached('ms'));
    now = 1000;
    assert.equal(book.left().ms, 0);
  });

  test('refuses everything after an abort', () => {
    const controller = new AbortController();
    const book = ledger({}, () => 0, controller.signal);
    controller.abort(new Error('enough'));
    assert.throws(() => book.begin('retriever', 'search', {}), { message: 'enough' });
    assert.throws(() => book.keep(item('a'), 1), { message: 'enough' });
  });
});

describe('keep', () => {
  test('counts a document once however many of its passages are kept, and tokens each time', () => {
    const book = ledger({ documents: 1, contextTokens: 10 });
    assert.ok(book.keep(item('a', 'a#1'), 4));
    assert.ok(book.keep(item('a', 'a#2'), 6));
    assert.equal(book.keep(item('b'), 0), false);
    assert.equal(book.refused, 'documents');
    assert.equal(book.keep(item('a', 'a#3'), 1), false);
    assert.equal(book.refused, 'documents', 'the first refusal is the one that is named');
    assert.deepEqual(book.spent, { documents: 1, contextTokens: 10 });
  });

  test('charges nothing for a refusal', () => {
    const book = ledger({ contextTokens: 10 });
    assert.equal(book.keep(item('a'), 11), false);
    assert.deepEqual(book.spent, {});
    assert.ok(book.keep(item('a'), 10));
  });
});

describe('withdraw', () => {
  test('returns tokens at once, and the document with its last item', () => {
    const book = ledger({ documents: 1, contextTokens: 10 });
    assert.ok(book.keep(item('a', 'a#1'), 4) && book.keep(item('a', 'a#2'), 6));
    book.withdraw('a#1');
    assert.deepEqual(
      [book.spent, book.left()],
      [
        { documents: 1, contextTokens: 6 },
        { documents: 0, contextTokens: 4 },
      ],
    );
    assert.equal(book.keep(item('b'), 1), false);
    book.withdraw('a#2');
    assert.deepEqual(book.left(), { documents: 1, contextTokens: 10 });
    assert.ok(book.keep(item('b'), 9) && book.keep(item('b', 'b#2'), 1));
    book.withdraw('b');
    book.withdraw('b#2');
    assert.ok(book.keep(item('a', 'a#1'), 10));
    assert.deepEqual(book.spent, { documents: 1, contextTokens: 10 });
  });

  test('throws for an item that is not evidence, and after the end of the run', () => {
    const book = ledger({});
    book.keep(item('a'), 1);
    assert.throws(() => book.withdraw('b'), RangeError);
    book.withdraw('a');
    assert.throws(() => book.withdraw('a'), RangeError);
    book.keep(item('a'), 1);
    book.close('hops');
    assert.throws(() => book.withdraw('a'), reached('hops'));
    assert.deepEqual(book.spent, { documents: 1, contextTokens: 1 });
  });

  test('a checkpoint restores the evidence and its cost only', () => {
    const book = ledger({ documents: 2 });
    book.keep(item('a'), 5);
    const rollBack = book.checkpoint();
    book.withdraw('a');
    book.keep(item('b'), 7);
    book.keep(item('c'), 1);
    book.begin('retriever', 'search', { retrievals: 1 })({ retrievals: 1 });
    rollBack();
    assert.deepEqual(book.spent, { documents: 1, contextTokens: 5, retrievals: 1 });
    book.withdraw('a');
    assert.ok(book.keep(item('b'), 1) && book.keep(item('c'), 1));
    assert.equal(book.keep(item('a'), 1), false);
  });
});

test('refuse ends the run in the name of the limit, or of the one that ended it before', () => {
  let now = 0;
  const book = ledger({ ms: 5 }, () => now);
  assert.throws(() => book.refuse('retrievals'), reached('retrievals'));
  now = 5;
  assert.throws(() => book.refuse('retrievals'), reached('ms'));
  const aborted = ledger({}, () => 0, AbortSignal.abort(new Error('enough')));
  assert.throws(() => aborted.refuse('retrievals'), { message: 'enough' });
});

test('close refuses in the name of its limit until it is reopened; the first name stays', () => {
  const book = ledger({ hops: 1 });
  assert.equal(book.over(), undefined);
  book.hop();
  assert.equal(book.over(), 'hops');
  book.close('hops');
  book.close('ms');
  assert.throws(() => book.begin('retriever', 'search', {}), reached('hops'));
  assert.throws(() => book.keep(item('a'), 1), reached('hops'));
  book.reopen();
  book.begin('reader', 'read', {});
});

test('setAside counts as spent until reopened, and refuses what does not fit', () => {
  const book = ledger({ modelCalls: 3, modelTokens: 100 });
  assert.equal(book.setAside({ modelCalls: 1, modelTokens: 40, usd: 5 }), true);
  assert.deepEqual([book.left(), book.spent], [{ modelCalls: 2, modelTokens: 60 }, {}]);
  assert.throws(() => book.begin('model', 'thought', { modelTokens: 61 }), reached('modelTokens'));
  book.begin('model', 'thought', { modelTokens: 60 })({ modelTokens: 60 });
  book.reopen();
  book.reopen();
  assert.deepEqual(book.left(), { modelCalls: 3, modelTokens: 40 });
  const small = ledger({ modelCalls: 3, modelTokens: 39 });
  assert.equal(small.setAside({ modelCalls: 1, modelTokens: 40 }), false);
  assert.deepEqual(small.left(), { modelCalls: 3, modelTokens: 39 });
});

const amounts = fc.record(
  { retrievals: fc.nat(4), modelCalls: fc.nat(3), modelTokens: fc.nat(90) },
  { requiredKeys: [] },
);
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('begin' as const),
      atMost: amounts,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      late: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('keep' as const),
      document: fc.constantFrom('a', 'b', 'c', 'd'),
      part: fc.nat(2),
      tokens: fc.nat(50),
    }),
    fc.record({
      kind: fc.constant('withdraw' as const),
      document: fc.constantFrom('a', 'b', 'c', 'd'),
      part: fc.nat(2),
    }),
  ),
  { maxLength: 40 },
);
const budgets = fc.record(
  {
    retrievals: fc.nat(9),
    documents: fc.nat(4),
    contextTokens: fc.nat(120),
    modelCalls: fc.nat(5),
    modelTokens: fc.nat(300),
  },
  { requiredKeys: [] },
);

test('stays within the budget for any order of calls', () => {
  fc.assert(
    fc.property(budgets, steps, (budget, list) => {
      const book = ledger(budget);
      const open: (() => void)[] = [];
      const kept = new Map<string, number>();
      for (const step of list) {
        if (step.kind === 'keep') {
          const id = step.document + step.part;
          if (book.keep(item(step.document, id), step.tokens))
            kept.set(id, (kept.get(id) ?? 0) + step.tokens);
        } else if (step.kind === 'withdraw') {
          const id = step.document + step.part;
          if (kept.has(id)) book.withdraw(id);
          else assert.throws(() => book.withdraw(id), RangeError);
          kept.delete(id);
        } else {
          try {
            const settle = book.begin('port', 'role', step.atMost);
            const used: Usage = Object.fromEntries(
              Object.entries(step.atMost).map(([key, value]) => [
                key,
                Math.floor(value * step.share),
              ]),
            );
            if (step.late) open.push(() => settle(used));
            else settle(used);
          } catch (error) {
            assert.ok(error instanceof BudgetReached);
          }
        }
        for (const [key, limit] of Object.entries(budget) as [keyof Usage, number][]) {
          assert.ok((book.spent[key] ?? 0) <= limit, `${key} ${book.spent[key]} > ${limit}`);
          assert.ok(book.left()[key]! >= 0 && book.left()[key]! + (book.spent[key] ?? 0) <= limit);
        }
      }
      for (const settle of open) settle();
      for (const [key, limit] of Object.entries(budget) as [keyof Usage, number][])
        assert.equal(book.left()[key], limit - (book.spent[key] ?? 0));
      assert.equal(book.spent.documents ?? 0, new Set([...kept.keys()].map(id => id[0])).size);
      assert.equal(
        book.spent.contextTokens ?? 0,
        [...kept.values()].reduce((sum, tokens) => sum + tokens, 0),
      );
    }),
    { numRuns: 500 },
  );
});

test('usages add and subtract key by key', () => {
  assert.deepEqual(addUsage({ hops: 1 }, { hops: 2, documents: 3 }), { hops: 3, documents: 3 });
  assert.deepEqual(subtractUsage({ hops: 3, documents: 3 }, { hops: 3, documents: 1 }), {
    documents: 2,
  });
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      const rest = subtractUsage(addUsage(a, b), b);
      assert.deepEqual(
        rest,
        Object.fromEntries(Object.entries(a).filter(([, value]) => value !== 0)),
      );
    }),
  );
});
