/** Values that a user misspelt in a filter, in the words of the error. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseFilter } from '../corpus/filter-expression.ts';
import { FIXTURE_DOCUMENTS } from '../testing/fixture-corpus.ts';
import { engineOf } from '../testing/strategy-run.ts';
import { freeCall } from '../trace/call.ts';
import { checkFilterValues } from './filter-values.ts';
import { retrievers } from './retrievers.ts';

const engine = engineOf(FIXTURE_DOCUMENTS);
const check = (expression: string) =>
  checkFilterValues(parseFilter(expression), engine, freeCall());

describe('a value that no document has', () => {
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

describe('what is no misspelling', () => {
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

  test('anything, where there is no document', () =>
    checkFilterValues(parseFilter('source = x'), engineOf([]), freeCall()));
});
