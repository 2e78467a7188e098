/** Tests dates of texts at every precision, and their order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compareTimes, findDates, findTimes } from './dates.ts';

describe('dates of a whole day', () => {
  const cases: [text: string, days: string[]][] = [
    ['on October 7, 2023 and 7 October 2023', ['2023-10-07', '2023-10-07']],
    ['2023-12-25T08:00', ['2023-12-25']],
    [
      'the 1st of May 2024, May 2nd 2024, MAY 3RD, 2024',
      ['2024-05-01', '2024-05-02', '2024-05-03'],
    ],
    ['February 29, 2024 but not February 29, 2023', ['2024-02-29']],
    ['2023-02-31, 2023-13-01, 2023-00-10, April 31, 2023, May 0, 2023', []],
    ['October 2023, May 7, 12/10/2023, x2023-10-07x', []],
    ['', []],
  ];
  for (const [text, days] of cases)
    test(`"${text}"`, () =>
      assert.deepEqual(
        findDates(text).map(({ day }) => day),
        days,
      ));

  test('finds every valid day in every form, with exact offsets', () => {
    const days = fc.date({
      min: new Date('1000-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, fc.nat(2), (date, form) => {
        const day = date.toISOString().slice(0, 10);
        const month = date.toLocaleString('en', { month: 'long', timeZone: 'UTC' });
        const [year, number] = [date.getUTCFullYear(), date.getUTCDate()];
        const text = [day, `${month} ${number}, ${year}`, `${number} ${month} ${year}`][form]!;
        assert.deepEqual(findDates(`xx ${text} yy`), [{ day, start: 3, end: 3 + text.length }]);
      }),
    );
  });
});

/** Year, month and day of each date, with its text. */
const found = (text: string): (string | number)[][] =>
  findTimes(text).map(({ start, end, year, month, day }) => [
    text.slice(start, end),
    year,
    month,
    day,
  ]);

describe('dates in texts', () => {
  for (const [text, ...expected] of [
    ['on the 1st of March 1850', '1st of March 1850', 1850, 3, 1],
    ['on 24th December 812', '24th December 812', 812, 12, 24],
    ['on August 31st, 1999', 'August 31st, 1999', 1999, 8, 31],
    ['in January 1999', 'January 1999', 1999, 1, 0],
    ['in 1920s-style', '1920s', 1920, 0, 0],
    ['in 2019.', '2019', 2019, 0, 0],
    ['in 476 BCE', '476', 476, 0, 0],
  ] as const)
    test(`${text}: ${expected.join(' ')}`, () => assert.deepEqual(found(text), [expected]));

  for (const text of [
    '',
    'May came.',
    'In 476 ADs or 476 men.',
    'Of 1,950 and 1950,000 and 1950.5 lamps.',
    '21950 lamps, 19501 lamps and 2150 lamps',
    'x1950 and 1950x',
    'In 1500m races and 1080p pictures.',
  ])
    test(`none in "${text}"`, () => assert.deepEqual(found(text), []));

  test('stand in order of position, each at its offsets', () =>
    assert.deepEqual(findTimes('In 1904, on 4 May 1901.'), [
      { start: 3, end: 7, year: 1904, month: 0, day: 0 },
      { start: 12, end: 22, year: 1901, month: 5, day: 4 },
    ]));
});

describe('the order of dates', () => {
  const date = (year: number, month = 0, day = 0) => ({ year, month, day });
  for (const [name, a, b, sign] of [
    ['by year', date(1901, 12, 31), date(1902, 1, 1), -1],
    ['by month within a year', date(1901, 5), date(1901, 3), 1],
    ['by month where a day is known', date(1901, 5, 1), date(1901, 6, 1), -1],
    ['by day within a month', date(1901, 5, 7), date(1901, 5, 9), -1],
    ['unknown months tell nothing', date(1901), date(1901, 5, 9), 0],
    ['an unknown month on the other side neither', date(1901, 5, 9), date(1901), 0],
    ['unknown days tell nothing', date(1901, 5), date(1901, 5, 9), 0],
    ['an unknown day on the other side neither', date(1901, 5, 9), date(1901, 5), 0],
    ['equal dates', date(1901, 5, 9), date(1901, 5, 9), 0],
  ] as const)
    test(name, () => assert.equal(Math.sign(compareTimes(a, b)), sign));

  test('is that of the sets of days that both may be', () => {
    const whole = fc.record({
      year: fc.integer({ min: 1900, max: 1903 }),
      month: fc.integer({ min: 0, max: 12 }),
      day: fc.integer({ min: 0, max: 28 }),
    });
    const known = whole.map(each => (each.month === 0 ? { ...each, day: 0 } : each));
    const first = ({ year, month, day }: ReturnType<typeof date>): number =>
      year * 10_000 + (month || 1) * 100 + (day || 1);
    const last = ({ year, month, day }: ReturnType<typeof date>): number =>
      year * 10_000 + (month || 12) * 100 + (day || 28);
    fc.assert(
      fc.property(known, known, (a, b) => {
        const expected = last(a) < first(b) ? -1 : first(a) > last(b) ? 1 : 0;
        assert.equal(Math.sign(compareTimes(a, b)), expected);
      }),
    );
  });
});
