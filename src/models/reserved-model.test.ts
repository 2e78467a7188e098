/**
 * Budgets of models: reserved before, settled after, refused without a call; only a provider that
 * breaks its word is charged more.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PortError } from '../errors.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { BudgetReached, freeCall } from '../trace/call.ts';
import { Ledger } from '../trace/ledger.ts';
import type { Budget, Usage } from '../trace/usage.ts';
import { checkedCompletion, LONGEST_COMPLETION } from './checked-completion.ts';
import type { Completion, LanguageModel, Prompt } from './language-model.ts';
import { meteredModel } from './metered-model.ts';
import { pricedModel } from './priced-model.ts';
import { promptTokens } from './prompt-tokens.ts';
import { reservedModel } from './reserved-model.ts';

const prompt: Prompt = {
  role: 'thought',
  messages: [{ role: 'user', text: 'Who built the ferry?' }],
  maxTokens: 50,
};
/** 20 bytes are 8 tokens, and 8 for each message and the end. */
const PROMPT_TOKENS = 24;
const price = { input: 1, output: 10 };
const ledger = (budget: Budget): Ledger =>
  new Ledger({ budget, signal: new AbortController().signal, clock: () => 0 });
const saying = (input: number, output: number): LanguageModel =>
  pricedModel(
    scriptedModel(() => ({ text: 'x', usage: { input, output }, finish: 'stop' })),
    price,
  );
const reached = (limit: string) => (error: unknown) =>
  error instanceof BudgetReached && error.limit === limit;

describe('reservedModel', () => {
  test('reserves the estimated prompt, maxTokens and what both cost; settles what was used', async () => {
    assert.equal(promptTokens(prompt), PROMPT_TOKENS);
    const book = ledger({ modelCalls: 2, modelTokens: 1000, usd: 0.01 });
    let during: Budget = {};
    const model: LanguageModel = {
      id: 'm',
      price,
      async generate() {
        during = book.left();
        return { text: 'x', usage: { input: 11, output: 3 }, finish: 'stop' };
      },
    };
    await reservedModel(model, book).generate(prompt, freeCall());
    // 24 x 1 + 50 x 10 millionths of a dollar are reserved, 11 x 1 + 3 x 10 are used.
    assert.deepEqual(during, { modelCalls: 1, modelTokens: 926, usd: 0.009476 });
    assert.deepEqual(book.spent, { modelCalls: 1, modelTokens: 14, usd: 0.000041 });
  });

  for (const [limit, budget] of [
    ['modelCalls', { modelCalls: 0 }],
    ['modelTokens', { modelTokens: PROMPT_TOKENS + 49 }],
    ['usd', { usd: 0.000523 }],
  ] as const)
    test(`what would exceed ${limit} is refused before anybody is asked; what fits to the last is not`, async () => {
      const model = reservedModel(
        { id: 'm', price, generate: () => assert.fail('asked') },
        ledger(budget),
      );
      await assert.rejects(model.generate(prompt, freeCall()), reached(limit));
      const enough = Object.fromEntries(
        Object.entries(budget).map(([key, value]) => [key, key === 'usd' ? 0.000524 : value + 1]),
      );
      await reservedModel(saying(24, 50), ledger(enough)).generate(prompt, freeCall());
    });

  test('a call that failed is charged as it was reserved; one that an inner budget refused is not', async () => {
    const book = ledger({});
    const failing: LanguageModel = {
      id: 'm',
      price,
      generate: () => Promise.reject(new PortError('model', 'busy', 'Not now')),
    };
    await assert.rejects(reservedModel(failing, book).generate(prompt, freeCall()), PortError.is);
    assert.deepEqual(book.spent, { modelCalls: 1, modelTokens: 74, usd: 0.000524 });
    const outer = ledger({});
    await assert.rejects(
      reservedModel(reservedModel(saying(1, 1), ledger({ usd: 0 })), outer).generate(
        prompt,
        freeCall(),
      ),
      reached('usd'),
    );
    assert.deepEqual(outer.spent, {});
  });

  test('a provider that used more is charged for it, and then nothing is begun, of whatever kind', async () => {
    const book = ledger({ modelTokens: 80, retrievals: 9 });
    await reservedModel(saying(24, 90), book).generate(prompt, freeCall());
    assert.deepEqual(book.spent, { modelCalls: 1, modelTokens: 114, usd: 0.000924 });
    assert.throws(
      () => book.begin('retriever', 'search', { retrievals: 1 }),
      reached('modelTokens'),
    );
    assert.equal(book.over(), 'modelTokens');
    // The hops are over: what reads them may go on, with what is left.
    book.reopen();
    book.begin('retriever', 'search', { retrievals: 1 });
    await assert.rejects(
      reservedModel(saying(1, 1), book).generate(prompt, freeCall()),
      reached('modelTokens'),
    );
  });

  test('a provider that used more within the limits is only charged for it', async () => {
    const book = ledger({ modelTokens: 200 });
    const model = reservedModel(saying(24, 90), book);
    await model.generate(prompt, freeCall());
    assert.equal(book.over(), undefined);
    await model.generate(prompt, freeCall());
    assert.deepEqual(book.spent, { modelCalls: 2, modelTokens: 228, usd: 0.001848 });
    await assert.rejects(model.generate(prompt, freeCall()), reached('modelTokens'));
  });

  test('law: whoever keeps to what was reserved never exceeds a budget; who does not, by the excess of the last call at most', async () => {
    const calls = fc.array(
      fc.record({
        words: fc.nat(60),
        maxTokens: fc.integer({ min: 1, max: 80 }),
        /** Shares of what was reserved that are used; above 1 the word is broken. */
        input: fc.double({ min: 0, max: 1.5, noNaN: true }),
        output: fc.double({ min: 0, max: 1.5, noNaN: true }),
        fails: fc.boolean(),
      }),
      { maxLength: 25 },
    );
    const budgets = fc.record(
      {
        modelCalls: fc.nat(12),
        modelTokens: fc.nat(1500),
        usd: fc.nat(9_000_000).map(nano => nano / 1e9),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(budgets, calls, fc.boolean(), async (budget, list, honest) => {
        const book = ledger(budget);
        let excess: Usage = {};
        let asked = 0;
        for (const { words, maxTokens, fails, ...shares } of list) {
          const one: Prompt = {
            role: 'r',
            messages: [{ role: 'user', text: 'word '.repeat(words) }],
            maxTokens,
          };
          const most = honest ? 1 : 1.5;
          const usage = {
            input: Math.floor(promptTokens(one) * Math.min(most, shares.input)),
            output: Math.floor(maxTokens * Math.min(most, shares.output)),
          };
          const before = book.spent;
          const over = book.over();
          const model = pricedModel(
            {
              id: 'm',
              async generate() {
                asked++;
                assert.equal(over, undefined, 'nothing is asked once a limit is exceeded');
                if (fails) throw new PortError('model', 'busy', 'Not now');
                return { text: '', usage, finish: 'stop' };
              },
            },
            price,
          );
          await reservedModel(model, book)
            .generate(one, freeCall())
            .catch((error: unknown) =>
              assert.ok(PortError.is(error) || error instanceof BudgetReached),
            );
          const kept = usage.input <= promptTokens(one) && usage.output <= maxTokens;
          if (!kept && book.spent !== before) excess = book.spent;
          for (const [key, limit] of Object.entries(budget) as [keyof Usage, number][])
            if ((book.spent[key] ?? 0) > limit)
              assert.ok(!honest && excess === book.spent, `${key} ${book.spent[key]} > ${limit}`);
        }
        assert.ok(asked <= (budget.modelCalls ?? Number.POSITIVE_INFINITY));
      }),
      { numRuns: 400 },
    );
  });
});

describe('checkedCompletion', () => {
  const checked = (given: unknown): Completion =>
    checkedCompletion({ id: 'm' }, prompt, given as Completion);
  test('counts that cannot be are what was reserved, and estimated', () => {
    for (const usage of [
      undefined,
      null,
      {},
      { input: -1, output: 1.5 },
      { input: Number.NaN, output: Number.POSITIVE_INFINITY },
      { input: '3', output: 2n },
    ])
      assert.deepEqual(checked({ text: 'x', usage, finish: 'stop' }).usage, {
        input: PROMPT_TOKENS,
        output: 50,
        estimated: true,
      });
    assert.deepEqual(checked({ text: 'x', usage: { input: 3 }, finish: 'stop' }).usage, {
      input: 3,
      output: 50,
      estimated: true,
    });
    assert.deepEqual(checked({ text: 'x', usage: { input: 3, output: 0 }, finish: 'stop' }).usage, {
      input: 3,
      output: 0,
    });
  });

  test('an end that nobody knows is another, a text that is none a failure of the port, an endless one is cut', () => {
    assert.equal(
      checked({ text: 'x', usage: { input: 1, output: 1 }, finish: 'tool-calls' }).finish,
      'other',
    );
    for (const given of [undefined, null, {}, { text: null }, { text: ['x'] }])
      assert.throws(
        () => checked(given),
        (error: unknown) => PortError.is(error) && error.code === 'bad-completion',
      );
    const cut = checked({
      text: 'x'.repeat(LONGEST_COMPLETION + 1),
      usage: { input: 1, output: 1 },
      finish: 'stop',
    });
    assert.deepEqual([cut.text.length, cut.finish], [LONGEST_COMPLETION, 'length']);
  });
});

test('meteredModel counts calls, failures, tokens and money', async () => {
  let asked = 0;
  const model = meteredModel(
    pricedModel(
      {
        id: 'm',
        async generate() {
          if (asked++ === 1) throw new PortError('model', 'busy', 'Not now');
          return {
            text: 'x',
            usage: { input: 10, output: 2, ...(asked > 2 ? { estimated: true } : {}) },
            finish: 'stop',
          };
        },
      },
      price,
    ),
  );
  for (let time = 0; time < 3; time++) await model.generate(prompt, freeCall()).catch(() => {});
  assert.deepEqual(model.spent, {
    calls: 3,
    failed: 1,
    input: 20,
    output: 4,
    estimated: 1,
    usd: 0.00006,
  });
  assert.equal('usd' in meteredModel({ id: 'free', generate: () => assert.fail() }).spent, false);
});
