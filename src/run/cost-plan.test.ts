/**
 * Plans of cost: sums worked by hand, and no plan below what any choice of calls within the budget
 * comes to.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { optional, required } from '../core/port.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { languageModel } from '../models/ports.ts';
import { usdOf } from '../models/price.ts';
import { type CostPlanOptions, costPlan } from './cost-plan.ts';

const thoughts: PlannedCalls = {
  role: 'thought',
  atMost: 8,
  promptTokens: 2000,
  completionTokens: 100,
  expected: { calls: 3, completionTokens: 40 },
};
const answer: PlannedCalls = {
  role: 'answer',
  atMost: 2,
  promptTokens: 2500,
  completionTokens: 250,
};
const plan = (more: Partial<CostPlanOptions> = {}): ReturnType<typeof costPlan> =>
  costPlan({
    strategy: { name: 's', needs: [required(languageModel)], modelCalls: [thoughts] },
    reader: { name: 'r', needs: [required(languageModel)], modelCalls: [answer] },
    model: true,
    price: { input: 1, output: 4 },
    budget: {},
    ...more,
  });

test('a question that follows up takes one call more, of a model alone', () => {
  const [alone, later] = [plan(), plan({ followUps: true })];
  assert.equal(later.atMost.calls, alone.atMost.calls + 1);
  assert.ok(later.atMost.tokens > alone.atMost.tokens);
  assert.ok(later.expected!.tokens > alone.expected!.tokens);
  assert.equal(later.parts[0]!.part, 'follow-up');
  const reader = { name: 'r' };
  const without = plan({ strategy: { name: 's' }, reader, followUps: true, model: false });
  assert.equal(without.atMost.calls, 0);
});

test('sums calls, tokens and dollars, at most and usually', () => {
  const { atMost, expected, limitedBy } = plan();
  // 8 x 2100 + 2 x 2750; (8 x 2000 + 2 x 2500) x 1 + (8 x 100 + 2 x 250) x 4 millionths.
  assert.deepEqual(atMost, { calls: 10, tokens: 22_300, usd: 0.0262 });
  // 3 x 2040 + 2 x 2750; 3 x 2000 + 2 x 2500 + (3 x 40 + 2 x 250) x 4.
  assert.deepEqual(expected, { calls: 5, tokens: 11_620, usd: 0.01348 });
  assert.deepEqual(limitedBy, []);
});

test('caps calls, tokens and dollars by the budget', () => {
  // Both answers and one thought.
  assert.deepEqual(plan({ budget: { modelCalls: 3 } }).atMost, {
    calls: 3,
    tokens: 7600,
    usd: 0.0094,
  });
  assert.deepEqual(plan({ budget: { modelCalls: 3 } }).expected, {
    calls: 3,
    tokens: 7600,
    usd: 0.0094,
  });
  assert.deepEqual(plan({ budget: { modelTokens: 5000, usd: 0.01 } }).atMost, {
    calls: 10,
    tokens: 5000,
    usd: 0.01,
  });
  assert.deepEqual(plan({ budget: { modelCalls: 3, usd: 0.01 } }).limitedBy, [
    'modelCalls',
    'modelTokens',
    'usd',
  ]);
});

test('plans no call without a model, and is bounded by the budget alone without planned calls', () => {
  const none = { name: 'n' };
  assert.deepEqual(plan({ strategy: none, reader: none, price: undefined }).atMost, {
    calls: 0,
    tokens: 0,
    usd: 0,
  });
  const better = { name: 'b', needs: [optional(languageModel)], modelCalls: [thoughts] };
  assert.equal(plan({ strategy: better, reader: none, model: false }).atMost.calls, 0);
  assert.equal(plan({ strategy: better, reader: none }).atMost.calls, 8);
  const silent = { name: 'q', needs: [required(languageModel)] };
  const open = plan({ strategy: silent, budget: { modelCalls: 4 } });
  assert.deepEqual(
    [open.parts[0]!.calls, open.atMost, open.expected],
    [
      'unknown',
      { calls: 4, tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY },
      undefined,
    ],
  );
  assert.deepEqual(plan({ strategy: silent, price: { input: 0, output: 0 } }).atMost.usd, 0);
  assert.deepEqual('usd' in plan({ price: undefined }).atMost, false);
});

test('bounds any calls within the limit', () => {
  const calls = fc.array(
    fc.record({
      role: fc.constant('r'),
      atMost: fc.nat(4),
      promptTokens: fc.nat(3000),
      completionTokens: fc.nat(500),
    }),
    { maxLength: 4 },
  );
  const price = fc.record({ input: fc.nat(20), output: fc.nat(80) });
  fc.assert(
    fc.property(
      calls,
      price,
      fc.nat(12),
      fc.infiniteStream(fc.nat(1000)),
      (list, paid, modelCalls, chance) => {
        const { atMost } = plan({
          strategy: { name: 's', needs: [required(languageModel)], modelCalls: list },
          reader: { name: 'n' },
          price: paid,
          budget: { modelCalls },
        });
        const all = list.flatMap(planned => Array.from({ length: planned.atMost }, () => planned));
        const made: PlannedCalls[] = [];
        while (made.length < modelCalls && all.length > 0)
          made.push(...all.splice(chance.next().value! % all.length, 1));
        const sum = (pick: (call: PlannedCalls) => number): number =>
          made.reduce((total, call) => total + pick(call), 0);
        assert.ok(made.length <= atMost.calls);
        assert.ok(sum(call => call.promptTokens + call.completionTokens) <= atMost.tokens);
        const usd = usdOf(paid, {
          input: sum(call => call.promptTokens),
          output: sum(call => call.completionTokens),
        });
        assert.ok(usd <= atMost.usd! + 1e-12);
      },
    ),
    { numRuns: 1000 },
  );
});
