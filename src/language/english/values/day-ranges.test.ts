/** Tests days and ranges of days that questions name. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findDayRanges } from './day-ranges.ts';

const DAYS = ['2023-10-07', '2023-11-02', '2024-01-20', '2024-03-05'];

describe('days and ranges of a question', () => {
  const ranges = (text: string): string =>
    findDayRanges(text, DAYS)
      .map(({ from, to }) => (from === to ? from : `${from ?? ''}..${to ?? ''}`))
      .join(' ');
  for (const [text, expected] of [
    ['on October 7, 2023 and 2024-01-20', '2023-10-07 2024-01-20'],
    ['on 2 November 2023', '2023-11-02'],
    ['on October 7', '2023-10-07'],
    ['on the 20th of January', '2024-01-20'],
    ['on July 4', ''],
    ['in November', '2023-11-01..2023-11-30'],
    ['in early March', '2024-03-01..2024-03-31'],
    ['in February 2024', '2024-02-01..2024-02-29'],
    ['you may march in may', ''],
    ['May the army march', ''],
    ['between October 7, 2023 and January 20, 2024', '2023-10-07..2024-01-20'],
    ['between October 7 and November 2, 2023', '2023-10-07..2023-11-02'],
    ['from October to November', '2023-10-01..2023-11-30'],
    [
      'between the report of October 7, 2023 and the one of January 20, 2024',
      '2023-10-07 2024-01-20',
    ],
    ['between October 7 and 9, 2023', '2023-10-07..2023-10-09'],
    ['from October 7 to 9', '2023-10-07..2023-10-09'],
    ['October 7-9, 2023', '2023-10-07..2023-10-09'],
    ['between 7 and 9 October 2023', '2023-10-07..2023-10-09'],
    ['between October 7 and November 2', '2023-10-07..2023-11-02'],
    ['on October 7 and 9 others', '2023-10-07'],
    ['between October 7 and 40 days later', '2023-10-07'],
    ['after October 7, 2023, and before January 20, 2024', '2023-10-07..2024-01-20'],
    ['before January 20, 2024 but after October 7, 2023', '2023-10-07..2024-01-20'],
    ['after January 20, 2024 and before October 7, 2023', '2024-01-20.. ..2023-10-07'],
    [
      'after October 7, 2023 Fortune and before January 20, 2024 Kettle',
      '2023-10-07.. ..2024-01-20',
    ],
    ['before October 7, 2023', '..2023-10-07'],
    ['until October 7, 2023', '..2023-10-07'],
    ['after December 31, 2023', '2023-12-31..'],
    ['since October', '2023-10-01..'],
    ['after the report on October 7, 2023', '2023-10-07'],
    ['on February 31, 2024 or February 31', ''],
  ] as const)
    test(text, () => assert.equal(ranges(text), expected));
});
