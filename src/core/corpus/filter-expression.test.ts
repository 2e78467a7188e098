/**
 * Tests filter expressions: their parse, the round trip through printing, and positions of errors.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Filter } from './filter.ts';
import { matches } from './filter.ts';
import { parseFilter, printFilter } from './filter-expression.ts';

describe('a filter expression', () => {
  test('the example of the documentation', () => {
    assert.deepEqual(
      parseFilter(
        'source = "The Verge" and published_at >= 2023-10-01 and not category in (sports, business)',
      ),
      {
        op: 'and',
        filters: [
          { op: 'eq', field: 'source', value: 'The Verge' },
          { op: 'range', field: 'published_at', from: '2023-10-01' },
          { op: 'not', filter: { op: 'in', field: 'category', values: ['sports', 'business'] } },
        ],
      },
    );
  });

  const cases: readonly (readonly [string, Filter])[] = [
    ['n = 3', { op: 'eq', field: 'n', value: 3 }],
    ['n=-1.5e3', { op: 'eq', field: 'n', value: -1500 }],
    ['open = TRUE', { op: 'eq', field: 'open', value: true }],
    ['open = "true"', { op: 'eq', field: 'open', value: 'true' }],
    ["name = 'it\\'s'", { op: 'eq', field: 'name', value: "it's" }],
    ['a != b', { op: 'nin', field: 'a', values: ['b'] }],
    ['a not in (1, x)', { op: 'nin', field: 'a', values: [1, 'x'] }],
    ['a IN ()', { op: 'in', field: 'a', values: [] }],
    [
      'd between 2023-10-01..2023-10-31',
      { op: 'range', field: 'd', from: '2023-10-01', to: '2023-10-31' },
    ],
    ['n between 1.5 .. 2', { op: 'range', field: 'n', from: 1.5, to: 2 }],
    ['n between 1..2', { op: 'range', field: 'n', from: 1, to: 2 }],
    ['t = 2023-10-07T10:00:00Z', { op: 'eq', field: 't', value: '2023-10-07T10:00:00Z' }],
    ['"or" = 1', { op: 'eq', field: 'or', value: 1 }],
    [
      'a=1 or b=2 and c=3',
      {
        op: 'or',
        filters: [
          { op: 'eq', field: 'a', value: 1 },
          {
            op: 'and',
            filters: [
              { op: 'eq', field: 'b', value: 2 },
              { op: 'eq', field: 'c', value: 3 },
            ],
          },
        ],
      },
    ],
    [
      '(a=1 or b=2) and c=3',
      {
        op: 'and',
        filters: [
          {
            op: 'or',
            filters: [
              { op: 'eq', field: 'a', value: 1 },
              { op: 'eq', field: 'b', value: 2 },
            ],
          },
          { op: 'eq', field: 'c', value: 3 },
        ],
      },
    ],
    ['((a = 1))', { op: 'eq', field: 'a', value: 1 }],
  ];
  for (const [text, filter] of cases) test(text, () => assert.deepEqual(parseFilter(text), filter));

  test('< and > exclude values on the bound, <= and >= include them', () => {
    const days = ['2023-09-30', '2023-10-01', '2023-10-01T23:59:00Z', '2023-10-02'];
    const passing = (text: string): string[] =>
      days.filter(day => matches(parseFilter(text), { day }));
    assert.deepEqual(passing('day < 2023-10-01'), ['2023-09-30']);
    assert.deepEqual(passing('day <= 2023-10-01'), days.slice(0, 3));
    assert.deepEqual(passing('day > 2023-10-01'), ['2023-10-02']);
    assert.deepEqual(passing('day >= 2023-10-01'), days.slice(1));
    assert.equal(matches(parseFilter('day < 2023-10-01'), {}), false);
  });

  const scalar = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0 || 0),
    fc.boolean(),
  );
  const bound = fc.oneof(fc.string(), fc.integer());
  const field = fc.oneof(
    fc.constantFrom('source', 'published_at', 'not', 'between', 'a b', '10', ''),
    fc.string(),
  );
  const { tree } = fc.letrec<{ tree: Filter }>(tie => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc.record({ op: fc.constant('eq' as const), field, value: scalar }),
      fc.record({
        op: fc.constantFrom('in' as const, 'nin' as const),
        field,
        values: fc.array(scalar, { maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('range' as const), field, from: bound, to: bound }),
      fc.record({ op: fc.constant('range' as const), field, from: bound }),
      fc.record({ op: fc.constant('range' as const), field, to: bound }),
      fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        filters: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ op: fc.constant('not' as const), filter: tie('tree') }),
    ),
  }));

  test('a printed filter parses back', () => {
    fc.assert(
      fc.property(tree, filter =>
        assert.deepEqual(parseFilter(printFilter(filter)), structuredClone(filter)),
      ),
      { numRuns: 2000 },
    );
  });

  test('any text parses or fails with a position', () => {
    const piece = fc.constantFrom(
      'a',
      '=',
      '!=',
      '(',
      ')',
      'and',
      'or',
      'not',
      'in',
      'between',
      '..',
      ',',
      '"x"',
      "'",
      '3',
      ' ',
      '!',
      '\\',
      '<',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map(parts => parts.join(' ')),
        ),
        text => {
          try {
            parseFilter(text);
          } catch (error) {
            assert.match(
              String(error),
              /InputError: (Cannot read the filter at character \d+|The filter is too l|Not a metadata filter)/,
            );
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  const wrong: readonly (readonly [string, number, RegExp])[] = [
    ['', 1, /name of a metadata field, received the end/],
    ['source', 7, /'=', '!='/],
    ['source = ', 10, /a value/],
    ['source = "The', 14, /closing "/],
    ['source = The Verge', 14, /'and', 'or' or the end, received "Verge"/],
    ['(a = 1', 7, /'\)'/],
    ['a in 1', 6, /'\('/],
    ['a between 1', 12, /'\.\.'/],
    ['a > true', 5, /a text or a number/],
    ['a = 1 and', 10, /name of a metadata field/],
    ['a ! 1', 3, /a word, a value or an operator/],
    ['= 1', 1, /name of a metadata field/],
  ];
  for (const [text, at, expected] of wrong)
    test(`reports the position of the error in ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseFilter(text), { code: 'bad-filter', message: expected });
      assert.throws(() => parseFilter(text), new RegExp(`character ${at}:`));
    });

  test('refuses hostile expressions by length and depth', () => {
    assert.throws(() => parseFilter(`${'('.repeat(4000)}a=1`), { code: 'bad-filter' });
    assert.throws(() => parseFilter(`${'not '.repeat(2000)}a=1`), { code: 'bad-filter' });
    assert.throws(() => parseFilter('a'.repeat(9000)), { code: 'bad-filter' });
  });
});
