/**
 * Compares filters with a second implementation of their definition, and tests the laws of logic
 * and hostile input.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../errors.ts';
import type { Metadata } from './document.ts';
import {
  checkFilter,
  FILTER_LIMITS,
  type Filter,
  filterFields,
  matches,
  type Scalar,
} from './filter.ts';

const fields = [
  'source',
  'published_at',
  'year',
  'tags',
  'featured',
  'missing',
  '__proto__',
  'constructor',
];
const scalar$: fc.Arbitrary<Scalar> = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'B',
    '',
    '2023-10-07',
    '2023-10',
    '2023',
    '2023-10-07T08:00:00Z',
    '2023-10-07 09:00',
    '2023-10-071',
    '2024-01-01',
  ),
  fc.constantFrom(0, -0, 1, 2023, 2.5, -1),
  fc.boolean(),
);
const text$ = scalar$.filter(value => typeof value === 'string');
const metadata$: fc.Arbitrary<Metadata> = fc.dictionary(
  fc.constantFrom(...fields.slice(0, 5)),
  fc.oneof(scalar$, fc.array(text$, { maxLength: 3 })),
  { noNullPrototype: true },
);
const bound$ = scalar$.filter(value => typeof value !== 'boolean') as fc.Arbitrary<string | number>;
const field$ = fc.constantFrom(...fields);
const { filter: filter$ } = fc.letrec<{ filter: Filter }>(tie => ({
  filter: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.record({ op: fc.constant('eq' as const), field: field$, value: scalar$ }),
    fc.record({
      op: fc.constantFrom('in' as const, 'nin' as const),
      field: field$,
      values: fc.array(scalar$, { maxLength: 3 }),
    }),
    fc.record(
      { op: fc.constant('range' as const), field: field$, from: bound$, to: bound$ },
      { requiredKeys: ['op', 'field', 'from'] },
    ),
    fc.record({ op: fc.constant('range' as const), field: field$, to: bound$ }),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(tie('filter'), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), filter: tie('filter') }),
  ),
}));

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text));

/** Implements the semantics of filters a second time, over the set of values of a field. */
function passes(filter: Filter, metadata: Metadata): boolean {
  if (filter.op === 'not') return passes(filter.filter, metadata) === false;
  if (filter.op === 'and')
    return filter.filters.filter(part => !passes(part, metadata)).length === 0;
  if (filter.op === 'or') return filter.filters.filter(part => passes(part, metadata)).length > 0;
  const { field } = filter as Extract<Filter, { field: string }>;
  const values = Object.entries(metadata).flatMap(([name, value]) =>
    name === field ? [value].flat() : [],
  ) as Scalar[];
  const equals = (value: Scalar, sought: Scalar): boolean => {
    if (value === sought) return true;
    if (typeof value === 'string' && typeof sought === 'number')
      return isNumber(value) && Number(value) === sought;
    if (typeof value === 'string' && typeof sought === 'boolean')
      return new RegExp(sought ? '^(?:true|True|TRUE)$' : '^(?:false|False|FALSE)$').test(value);
    if (
      typeof value !== 'string' ||
      typeof sought !== 'string' ||
      !/^\d\d\d\d-\d\d-\d\d$/.test(sought)
    )
      return false;
    return value.startsWith(`${sought}T`) || value.startsWith(`${sought} `);
  };
  if (filter.op === 'eq') return values.filter(value => equals(value, filter.value)).length > 0;
  if (filter.op === 'in')
    return (
      values.filter(value => filter.values.filter(sought => equals(value, sought)).length > 0)
        .length > 0
    );
  if (filter.op === 'nin')
    return (
      values.filter(value => filter.values.filter(sought => equals(value, sought)).length > 0)
        .length === 0
    );
  const { from, to } = filter as Extract<Filter, { op: 'range' }>;
  const compare = (value: Scalar, bound: string | number): number | undefined => {
    if (typeof value === 'string' && typeof bound === 'number') {
      if (isNumber(value)) return Number(value) - bound;
      // A date and a year: no bound is finer than the year, so comparing years is exact.
      return /^\d\d\d\d-\d\d/.test(value) && /^\d\d\d\d$/.test(String(bound))
        ? Number(value.slice(0, 4)) - bound
        : undefined;
    }
    if (typeof value !== typeof bound) return undefined;
    if (typeof bound === 'number') return (value as number) - bound;
    const cut = (value as string).slice(0, bound.length);
    return cut === bound ? 0 : cut < bound ? -1 : 1;
  };
  return values.some(value => {
    const [low, high] = [
      from === undefined ? 0 : compare(value, from),
      to === undefined ? 0 : compare(value, to),
    ];
    return low !== undefined && high !== undefined && low >= 0 && high <= 0;
  });
}

describe('matching', () => {
  test('agrees with the definition', () => {
    fc.assert(
      fc.property(filter$, metadata$, (filter, metadata) =>
        assert.equal(matches(filter, metadata), passes(filter, metadata)),
      ),
      { numRuns: 5000 },
    );
  });

  test('De Morgan, double negation, and nin as the negation of in', () => {
    fc.assert(
      fc.property(fc.array(filter$, { maxLength: 3 }), metadata$, (filters, metadata) => {
        const is = (filter: Filter): boolean => matches(filter, metadata);
        const negated = filters.map((filter): Filter => ({ op: 'not', filter }));
        assert.equal(
          is({ op: 'not', filter: { op: 'and', filters } }),
          is({ op: 'or', filters: negated }),
        );
        assert.equal(
          is({ op: 'not', filter: { op: 'or', filters } }),
          is({ op: 'and', filters: negated }),
        );
        for (const filter of filters)
          assert.equal(is({ op: 'not', filter: { op: 'not', filter } }), is(filter));
      }),
      { numRuns: 1000 },
    );
    fc.assert(
      fc.property(
        field$,
        fc.array(scalar$, { maxLength: 3 }),
        metadata$,
        (field, values, metadata) => {
          const within: Filter = { op: 'in', field, values };
          assert.equal(matches({ op: 'nin', field, values }, metadata), !matches(within, metadata));
          assert.equal(
            matches(within, metadata),
            matches(
              { op: 'or', filters: values.map(value => ({ op: 'eq', field, value })) },
              metadata,
            ),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  const article: Metadata = {
    source: 'The Verge',
    published_at: '2023-10-07T23:59:59+00:00',
    year: 2023,
    price: '150',
    open: 'TRUE',
    tags: ['ai', 'law'],
  };
  const cases: [what: string, filter: Filter, expected: boolean][] = [
    ['a day holds all its times', { op: 'eq', field: 'published_at', value: '2023-10-07' }, true],
    ['no other day', { op: 'eq', field: 'published_at', value: '2023-10-08' }, false],
    ['a month is no day', { op: 'eq', field: 'published_at', value: '2023-10' }, false],
    [
      'a bound includes texts that it is a prefix of',
      { op: 'range', field: 'published_at', from: '2023-10', to: '2023-10' },
      true,
    ],
    [
      'inclusive by day',
      { op: 'range', field: 'published_at', from: '2023-10-07', to: '2023-10-07' },
      true,
    ],
    ['before', { op: 'range', field: 'published_at', to: '2023-10-06' }, false],
    ['a number is no text', { op: 'range', field: 'year', from: '2023' }, false],
    ['a year holds its days', { op: 'range', field: 'published_at', from: 2023, to: 2023 }, true],
    ['a later year does not', { op: 'range', field: 'published_at', from: 2024 }, false],
    ['an earlier year does not', { op: 'range', field: 'published_at', to: 2022 }, false],
    [
      'a number that is no year bounds no date',
      { op: 'range', field: 'published_at', from: 5 },
      false,
    ],
    ['nor does a year bound other texts', { op: 'range', field: 'source', from: 2023 }, false],
    [
      'a text that is a number is compared as one',
      { op: 'range', field: 'price', from: 20, to: 1000 },
      true,
    ],
    ['and not by its digits', { op: 'range', field: 'price', from: 1000 }, false],
    ['and equals it', { op: 'eq', field: 'price', value: 150 }, true],
    ['a text that is a boolean equals it', { op: 'eq', field: 'open', value: true }, true],
    ['and not the other', { op: 'in', field: 'open', values: [false] }, false],
    ['numbers', { op: 'range', field: 'year', from: 2023, to: 2023 }, true],
    ['an item of a list', { op: 'eq', field: 'tags', value: 'law' }, true],
    ['a list is not its items joined', { op: 'eq', field: 'tags', value: 'ai, law' }, false],
    ['nin refuses a list by one item', { op: 'nin', field: 'tags', values: ['law', 'x'] }, false],
    ['case matters', { op: 'eq', field: 'source', value: 'the verge' }, false],
    ['a missing field equals nothing', { op: 'eq', field: 'author', value: '' }, false],
    ['a missing field passes nin', { op: 'nin', field: 'author', values: [''] }, true],
    [
      'a missing field passes not',
      { op: 'not', filter: { op: 'range', field: 'author', from: '' } },
      true,
    ],
  ];
  for (const [what, filter, expected] of cases)
    test(what, () => assert.equal(matches(filter, article), expected));
});

test('properties of every object are missing unless the document has them', () => {
  for (const field of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.equal(matches({ op: 'eq', field, value: 'x' }, {}), false, field);
    assert.equal(matches({ op: 'range', field, from: '' }, {}), false, field);
    assert.equal(matches({ op: 'nin', field, values: ['x'] }, {}), true, field);
  }
});

test('returns all fields that a filter names', () => {
  const filter = JSON.parse(
    '{"op":"and","filters":[{"op":"eq","field":"a","value":1},{"op":"not","filter":{"op":"or","filters":[{"op":"in","field":"b","values":[]},{"op":"range","field":"c","from":1},{"op":"eq","field":"a","value":2}]}}]}',
  ) as Filter;
  assert.deepEqual([...filterFields(filter)].sort(), ['a', 'b', 'c']);
});

describe('validation of filters', () => {
  test('returns a valid filter unchanged', () => {
    fc.assert(fc.property(filter$, filter => assert.equal(checkFilter(filter), filter)));
  });

  test('throws InputError for anything else', () => {
    const wrong: unknown[] = [
      null,
      undefined,
      3,
      'eq',
      [],
      {},
      { op: 'like', field: 'a', value: 'b' },
    ];
    wrong.push(
      { op: 'eq', field: 'a' },
      { op: 'eq', value: 1 },
      { op: 'eq', field: 1, value: 1 },
      { op: 'eq', field: 'a', value: null },
    );
    wrong.push(
      { op: 'in', field: 'a', values: 'b' },
      { op: 'in', field: 'a', values: [{}] },
      { op: 'range', field: 'a' },
    );
    wrong.push(
      { op: 'range', field: 'a', from: true },
      { op: 'and', filters: {} },
      { op: 'and', filters: [null] },
      { op: 'not' },
      { op: 'not', filter: [] },
    );
    for (const value of wrong)
      assert.throws(() => checkFilter(value), { code: 'bad-filter' }, JSON.stringify(value));
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        try {
          matches(checkFilter(value), { source: 'x' });
        } catch (error) {
          assert.ok(InputError.is(error), String(error));
        }
      }),
    );
  });

  test('refuses too many clauses and nesting of any depth', () => {
    const eq: Filter = { op: 'eq', field: 'a', value: 1 };
    const nested = (depth: number): Filter =>
      depth === 0 ? eq : { op: 'not', filter: nested(depth - 1) };
    checkFilter(nested(FILTER_LIMITS.depth));
    assert.throws(() => checkFilter(nested(FILTER_LIMITS.depth + 1)), { code: 'bad-filter' });
    checkFilter({ op: 'or', filters: new Array(FILTER_LIMITS.clauses - 1).fill(eq) });
    assert.throws(
      () => checkFilter({ op: 'or', filters: new Array(FILTER_LIMITS.clauses).fill(eq) }),
      { code: 'bad-filter' },
    );
    let bottomless: unknown = eq;
    for (let depth = 0; depth < 100_000; depth++) bottomless = { op: 'not', filter: bottomless };
    assert.throws(() => checkFilter(bottomless), { code: 'bad-filter' });
  });
});

test('keys of another operation are not read', () => {
  const parts = { field: {}, filter: 5, filters: [], value: 'a' };
  const inner: Filter = { op: 'eq', field: 'source', value: 'a' };
  for (const raw of [
    { ...parts, op: 'and' },
    { ...parts, op: 'or', filters: [inner] },
    { ...parts, op: 'not', filter: inner },
  ]) {
    const fields = [...filterFields(checkFilter(raw))];
    assert.deepEqual(fields, raw.op === 'and' ? [] : ['source'], raw.op);
  }
});
