/**
 * Checks budgets of models: calls are reserved before, settled after, and refused without a call;
 * only a provider that exceeds its reservation is charged more.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { defined } from '../core/defined.ts';
import { PortError } from '../core/errors.ts';
import { BudgetReached, freeCall } from '../core/trace/call.ts';
import { Ledger } from '../core/trace/ledger.ts';
import type { Budget, Usage } from '../core/trace/usage.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { checkedCompletion, MAX_COMPLETION } from './checked-completion.ts';
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
/** 20 bytes are 8 tokens, plus 8 for each message and for the end. */
const PROMPT_TOKENS = 24;
const price = { input: 1, output: 10 };
const ledger = (budget: Budget): Ledger =>
  new Ledger({ budget, signal: new AbortController().signal, clock: () => 0 });
const replying = (input: number, output: number): LanguageModel =>
  pricedModel(
    scriptedModel(() => ({ text: 'x', usage: { input, output }, finish: 'stop' })),
    price,
  );
const reached = (limit: string) => (error: unknown) =>
  error instanceof BudgetReached && error.limit === limit;

describe('reservedModel', () => {
  test('reserves the estimated prompt, maxTokens and their cost; settles the actual use', async () => {
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
    // Reserves 24 x 1 + 50 x 10 millionths of a dollar; uses 11 x 1 + 3 x 10.
    assert.deepEqual(during, { modelCalls: 1, modelTokens: 926, usd: 0.009476 });
    assert.deepEqual(book.spent, { modelCalls: 1, modelTokens: 14, usd: 0.000041 });
  });

  test('reserves what the model counts, through every decorator, and tells its context', async () => {
    const counting: LanguageModel = {
      id: 'm',
      contextTokens: 4096,
      countTokens: ({ messages }) => messages.length,
      generate: async () => ({ text: 'x', usage: { input: 1, output: 1 }, finish: 'stop' }),
    };
    const book = ledger({ modelTokens: 51 });
    const model = reservedModel(meteredModel(pricedModel(counting, price)), book);
    await model.generate(prompt, freeCall());
    assert.deepEqual([model.contextTokens, model.countTokens?.(prompt)], [4096, 1]);
    await assert.rejects(model.generate(prompt, freeCall()), reached('modelTokens'));
  });

  for (const [limit, budget] of [
    ['modelCalls', { modelCalls: 0 }],
    ['modelTokens', { modelTokens: PROMPT_TOKENS + 49 }],
    ['usd', { usd: 0.000523 }],
  ] as const)
    test(`a call that would exceed ${limit} is refused before the model is called; one that fits exactly is not`, async () => {
      const model = reservedModel(
        { id: 'm', price, generate: () => assert.fail('called') },
        ledger(budget),
      );
      await assert.rejects(model.generate(prompt, freeCall()), reached(limit));
      const enough = Object.fromEntries(
        Object.entries(budget).map(([key, value]) => [key, key === 'usd' ? 0.000524 : value + 1]),
      );
      await reservedModel(replying(24, 50), ledger(enough)).generate(prompt, freeCall());
    });

  test('a failed call is charged as reserved; one that an inner budget refused is not charged', async () => {
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
      reservedModel(reservedModel(replying(1, 1), ledger({ usd: 0 })), outer).generate(
        prompt,
        freeCall(),
      ),
      reached('usd'),
    );
    assert.deepEqual(outer.spent, {});
  });

  test('excess use is charged, and no call of any kind begins after it', async () => {
    const book = ledger({ modelTokens: 80, retrievals: 9 });
    await reservedModel(replying(24, 90), book).generate(prompt, freeCall());
    assert.deepEqual(book.spent, { modelCalls: 1, modelTokens: 114, usd: 0.000924 });
    assert.throws(
      () => book.begin('retriever', 'search', { retrievals: 1 }),
      reached('modelTokens'),
    );
    assert.equal(book.over(), 'modelTokens');
    // After the hops, the reader may use what is left.
    book.reopen();
    book.begin('retriever', 'search', { retrievals: 1 });
    await assert.rejects(
      reservedModel(replying(1, 1), book).generate(prompt, freeCall()),
      reached('modelTokens'),
    );
  });

  test('law: a provider within its reservations never exceeds a budget; any other exceeds it by at most the excess of its last call', async () => {
    const calls = fc.array(
      fc.record({
        words: fc.nat(60),
        maxTokens: fc.integer({ min: 1, max: 80 }),
        /** Used shares of the reservation; above 1 the provider exceeds it. */
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
        let calls = 0;
        for (const { words, maxTokens, fails, ...shares } of list) {
          const sent: Prompt = {
            role: 'r',
            messages: [{ role: 'user', text: 'word '.repeat(words) }],
            maxTokens,
          };
          const most = honest ? 1 : 1.5;
          const usage = {
            input: Math.floor(promptTokens(sent) * Math.min(most, shares.input)),
            output: Math.floor(maxTokens * Math.min(most, shares.output)),
          };
          const before = book.spent;
          const over = book.over();
          const model = pricedModel(
            {
              id: 'm',
              async generate() {
                calls++;
                assert.equal(over, undefined, 'no call once a limit is exceeded');
                if (fails) throw new PortError('model', 'busy', 'Not now');
                return { text: '', usage, finish: 'stop' };
              },
            },
            price,
          );
          await reservedModel(model, book)
            .generate(sent, freeCall())
            .catch((error: unknown) =>
              assert.ok(PortError.is(error) || error instanceof BudgetReached),
            );
          const within = usage.input <= promptTokens(sent) && usage.output <= maxTokens;
          if (!within && book.spent !== before) excess = book.spent;
          for (const [key, limit] of Object.entries(budget) as [keyof Usage, number][])
            if ((book.spent[key] ?? 0) > limit)
              assert.ok(!honest && excess === book.spent, `${key} ${book.spent[key]} > ${limit}`);
        }
        assert.ok(calls <= (budget.modelCalls ?? Number.POSITIVE_INFINITY));
      }),
      { numRuns: 400 },
    );
  });
});

describe('checkedCompletion', () => {
  const checked = (completion: unknown): Completion =>
    checkedCompletion({ id: 'm' }, prompt, completion as Completion);
  test('invalid counts become the reserved amounts, marked as estimated', () => {
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

  test('an unknown finish becomes "other", a missing text is a PortError, and a long text is cut', () => {
    assert.equal(
      checked({ text: 'x', usage: { input: 1, output: 1 }, finish: 'tool-calls' }).finish,
      'other',
    );
    for (const completion of [undefined, null, {}, { text: null }, { text: ['x'] }])
      assert.throws(
        () => checked(completion),
        (error: unknown) => PortError.is(error) && error.code === 'bad-completion',
      );
    const cut = checked({
      text: 'x'.repeat(MAX_COMPLETION + 1),
      usage: { input: 1, output: 1 },
      finish: 'stop',
    });
    assert.deepEqual([cut.text.length, cut.finish], [MAX_COMPLETION, 'length']);
  });
});

test('meteredModel counts calls, failures, tokens and money', async () => {
  let calls = 0;
  const model = meteredModel(
    pricedModel(
      {
        id: 'm',
        async generate() {
          if (calls++ === 1) throw new PortError('model', 'busy', 'Not now');
          return {
            text: 'x',
            usage: defined({ input: 10, output: 2, estimated: calls > 2 ? true : undefined }),
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
  const reusing = { input: 10, output: 2, reused: 8 };
  let now = 0;
  const timed = meteredModel(
    {
      id: 'm',
      async generate() {
        now += 5;
        return { text: 'x', usage: reusing, finish: 'stop' };
      },
    },
    () => now,
  );
  await timed.generate(prompt, freeCall());
  await timed.generate(prompt, freeCall());
  assert.deepEqual([timed.spent.reused, timed.spent.ms], [16, 10]);
  assert.equal('usd' in meteredModel({ id: 'free', generate: () => assert.fail() }).spent, false);
});
