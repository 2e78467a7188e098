/**
 * Checks prices: amounts worked out by hand, sums that do not depend on their order, and lookup by
 * the whole name only.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addAmounts, addUsage, subtractUsage } from '../core/trace/usage.ts';
import { KNOWN_PRICES } from './known-prices.ts';
import { priceIn, usdOf } from './price.ts';
import { pricedModel } from './priced-model.ts';

test('cost is tokens times dollars per million, rounded up to a billionth', () => {
  // 7 x 0.15 / 10^6 = 0.00000105; as floats 7 * 0.15 is 1.0499999999999998.
  assert.equal(usdOf({ input: 0.15, output: 0.6 }, { input: 7, output: 0 }), 0.00000105);
  // 1000 x 2.5 + 100 x 10 = 3500 millionths.
  assert.equal(usdOf({ input: 2.5, output: 10 }, { input: 1000, output: 100 }), 0.0035);
  assert.equal(usdOf({ input: 0, output: 0 }, { input: 1e9, output: 1e9 }), 0);
  // A token at 0.0375 per million costs 37.5 billionths, charged as 38.
  assert.equal(usdOf({ input: 0.0375, output: 0 }, { input: 1, output: 0 }), 0.000000038);
});

test('equals the exact amount in whole billionths (oracle: BigInt)', () => {
  const tokens = fc.integer({ min: 0, max: 2_000_000 });
  // Prices in thousandths of a dollar: price x tokens is then a whole number of billionths.
  fc.assert(
    fc.property(tokens, tokens, fc.nat(80_000), fc.nat(80_000), (input, output, a, b) => {
      const exact = BigInt(input) * BigInt(a) + BigInt(output) * BigInt(b);
      const usd = usdOf({ input: a / 1000, output: b / 1000 }, { input, output });
      const difference = Math.round(usd * 1e9) - Number(exact);
      assert.equal(difference, 0, `${usd}, ${exact}`);
    }),
  );
});

test('sums of money do not depend on their order, and subtraction reverts addition', () => {
  const amounts = fc.array(
    fc.nat(1e9).map(nano => nano / 1e9),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(amounts, list => {
      const sum = (values: readonly number[]): number =>
        values.reduce((total, value) => addAmounts('usd', total, value), 0);
      assert.equal(sum([...list].reverse()), sum(list));
      assert.equal(
        sum(list),
        Number(list.reduce((total, value) => total + BigInt(Math.round(value * 1e9)), 0n)) / 1e9,
      );
      assert.deepEqual(
        subtractUsage(addUsage({ usd: sum(list) }, { usd: list[0]! }), { usd: list[0]! }),
        sum(list) === 0 ? {} : { usd: sum(list) },
      );
    }),
  );
});

test('a price is found by the whole name, with or without the provider', () => {
  const table = { 'gpt-x': { input: 1, output: 2 }, 'org/model': { input: 3, output: 4 } };
  for (const name of [
    'gpt-x',
    'openai-compatible:gpt-x',
    'openai.chat:gpt-x',
    'openai/gpt-x',
    'openrouter:openai/gpt-x',
  ])
    assert.equal(priceIn(table, [name]), table['gpt-x'], name);
  assert.equal(priceIn(table, ['openrouter:org/model']), table['org/model']);
  assert.equal(priceIn(table, ['unknown', 'gpt-x']), table['gpt-x']);
  for (const name of [
    'gpt-x-2024-08-06',
    'gpt',
    'gpt-x:free',
    '__proto__',
    'constructor',
    'toString',
    '',
  ])
    assert.equal(priceIn(table, [name]), undefined, name);
  for (const price of Object.values(KNOWN_PRICES)) {
    assert.ok(price.input > 0 && price.output >= price.input);
    assert.match(price.asOf!, /^\d{4}-\d{2}$/);
  }
});

test('an invalid price is refused', () => {
  const model = { id: 'm', generate: () => assert.fail('called') };
  for (const usd of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(
      () => pricedModel(model, { input: usd, output: 1 }),
      /Invalid price of input tokens.*at least 0/,
    );
    assert.throws(() => pricedModel(model, { input: 1, output: usd }), /price of output tokens/);
  }
});
