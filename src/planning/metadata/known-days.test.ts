/** Compares days found by existence queries with the list of all days. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { freeCall } from '../../core/trace/call.ts';
import { findDayRanges } from '../../language/english/values/day-ranges.ts';
import { EmbeddedEngine } from '../../search/embedded-engine.ts';
import { type SearchEngine, wrapEngine } from '../../search/engine.ts';
import { representativeDays } from './known-days.ts';

const call = freeCall();

const engineOf = (published: readonly (string | number | readonly string[])[]): SearchEngine =>
  new EmbeddedEngine({
    documents: published.map((value, index) => ({
      id: `d${index}`,
      title: '',
      text: 'x',
      metadata: { published_at: typeof value === 'object' ? [...value] : value },
    })),
  }).current;

/** Returns every day that some document has, from the full list. */
const allDays = (published: readonly (string | number | readonly string[])[]): string[] =>
  [
    ...new Set(
      published
        .flat()
        .flatMap(value =>
          typeof value === 'string' ? (/^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] ?? []) : [],
        ),
    ),
  ].sort();

const two = (number: number): string => String(number).padStart(2, '0');
const day = fc
  .tuple(
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 0, max: 13 }),
    fc.integer({ max: 31, min: 1 }),
  )
  .map(([year, month, of]) => `${year < 3 ? `000${year}` : 1990 + year}-${two(month)}-${two(of)}`);
const value = fc.oneof(
  { weight: 6, arbitrary: day },
  { weight: 1, arbitrary: day.map(each => `${each}T09:00:00Z`) },
  { weight: 1, arbitrary: fc.constantFrom('soon', '2023', '2023-10', '12 May 2023', '', '~', ':') },
  { weight: 1, arbitrary: fc.integer({ min: 1900, max: 2030 }) },
  { weight: 1, arbitrary: fc.array(day, { maxLength: 3 }) },
);

const QUESTIONS = [
  'What happened in November?',
  'Did it rain on May 7, or between March 3 and 9 February?',
  'Who wrote before 5 July and after January?',
  'What was said on October 7, 2023 and on October 9?',
  'From August to December, and since April 2021?',
  'In June or in September?',
];

test('returns the first, the last and the latest day of each month, whatever else the field contains', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 40 }), async published => {
      const all = allDays(published);
      const days = await representativeDays(engineOf(published), call);
      assert.ok(days.every(each => all.includes(each)));
      assert.deepEqual([days[0], days.at(-1)], [all[0], all.at(-1)]);
      for (let month = 1; month <= 12; month++) {
        const latest = (list: readonly string[]) =>
          list.findLast(each => each.slice(5, 7) === two(month));
        assert.equal(latest(days), latest(all));
      }
      for (const question of QUESTIONS)
        assert.deepEqual(findDayRanges(question, days), findDayRanges(question, all));
    }),
    { numRuns: 400 },
  );
});

test('does not transfer the full list of days', async () => {
  const start = Date.UTC(1995, 0, 1);
  const published = Array.from({ length: 6000 }, (_, index) =>
    new Date(start + index * 86_400_000).toISOString().slice(0, 10),
  );
  let transferred = 0;
  const counting = wrapEngine(engineOf(published), async ({ next }) => {
    const values = await next();
    transferred += (values as unknown[]).length;
    return values;
  });
  assert.equal((await representativeDays(counting, call)).length, 13);
  assert.ok(transferred <= 14 * 2 * 8, `${transferred} values`);
});
