/** Tests that misspelt values of filters are rejected, and no others, even by a faulty engine. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseFilter } from '../../core/corpus/filter-expression.ts';
import { freeCall } from '../../core/trace/call.ts';
import { faultyEngine } from '../../testing/faulty-engine.ts';
import { FIXTURE_DOCUMENTS } from '../../testing/fixture-corpus.ts';
import { engineOf } from '../../testing/strategy-run.ts';
import { wrapEngine } from '../engine.ts';
import { retrievers } from '../retrievers.ts';
import { checkFilterValues } from './filter-values.ts';

const engine = engineOf(FIXTURE_DOCUMENTS);
const check = (expression: string) =>
  checkFilterValues(parseFilter(expression), engine, freeCall());

describe('rejects a value that no document has', () => {
  for (const [expression, message] of [
    ['source = "Coast Currier"', /"Coast Currier" as its source.*Did you mean Coast Courier\?/],
    ['source != "Coast Currier"', /Did you mean Coast Courier\?/],
    [
      'category in (property, sciense)',
      /"sciense" as its category: expected one of .*Did you mean science\?/,
    ],
    ['not (year = 2024 and category not in (propperty))', /Did you mean property\?/],
    ['tags = glas', /Did you mean glass\?/],
    ['source = "Qqqqqqqq"', /expected one of .*Coast Courier/],
  ] as const)
    test(expression, () =>
      assert.rejects(check(expression), { name: 'InputError', code: 'unknown-value', message }),
    );

  test('in filtered(...), before anything is searched', async () => {
    const retriever = retrievers
      .create('filtered(lexical, "source = \'Coast Currier\'")')
      .bind(engine);
    await assert.rejects(retriever.retrieve([{ text: 'ferry' }], 3, freeCall()), {
      code: 'unknown-value',
      message: /Coast Courier/,
    });
  });
});

describe('accepts', () => {
  for (const expression of [
    'source = "Coast Courier" and tags in (glass, stars)',
    'year = 1850',
    'published_at = 2031-01-01',
    'published_at = "2023-10-07T08:00:00Z"',
    'published_at between 2031-01-01..2031-02-01',
    'nobody = has-this',
    'year = text',
    'featured = true',
  ])
    test(expression, () => check(expression));

  test('any value over an empty corpus', () =>
    checkFilterValues(parseFilter('source = x'), engineOf([]), freeCall()));
});

describe('an engine that omits values rejects no existing value', () => {
  const known = [
    'source = "Coast Courier" and tags in (glass, stars)',
    'source in (Notices, "The Meridian") and category = science',
    'tags != prizes',
  ];
  const sources = [
    ...new Set(FIXTURE_DOCUMENTS.flatMap(({ metadata }) => metadata['source'] ?? [])),
  ];

  test('by no hits at any one call', async () => {
    for (const expression of known)
      for (let at = 1; ; at++) {
        const injected = faultyEngine(engine, 'nothing', at);
        await checkFilterValues(parseFilter(expression), injected.engine, freeCall());
        if (!injected.fired()) break;
      }
  });

  for (const [what, keep] of [
    ['all values', () => 0],
    ['half of each page', (length: number) => length >> 1],
    ['the last value of each page', (length: number) => Math.max(0, length - 1)],
    ['all but the first value', (length: number) => Math.min(1, length)],
  ] as const)
    test(`by omitting ${what}, at every call or from any call on`, async () => {
      for (let from = 1; from <= 12; from++) {
        let calls = 0;
        const short = wrapEngine(engine, async ({ next }) => {
          const result = await next();
          return ++calls >= from && Array.isArray(result)
            ? (result.slice(0, keep(result.length)) as typeof result)
            : result;
        });
        for (const expression of [...known, ...sources.map(name => `source = "${name}"`)])
          await checkFilterValues(parseFilter(expression), short, freeCall());
      }
    });
});
