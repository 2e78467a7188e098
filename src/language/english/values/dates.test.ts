/** Tests dates of texts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findDates } from './dates.ts';

describe('dates', () => {
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
