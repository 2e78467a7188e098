import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countWords, nthWordEnd, wordRuns, wordsIn } from './words.ts';

/** Finds runs by the regular expression itself. */
const runs = (text: string): [number, number][] =>
  [...text.matchAll(/[\p{L}\p{N}_]+/gu)].map(match => [match.index, match.index + match[0].length]);

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'é',
      '7',
      '_',
      ' ',
      '-',
      '’',
      '\u0301',
      '\ud800',
      '\udc00',
      '𝐀',
      '😂',
      '中',
    ),
  }),
);

test('word runs equal the matches of the regular expression', () => {
  fc.assert(
    fc.property(anyText, text => {
      assert.deepEqual([...wordRuns(text)], runs(text));
      assert.deepEqual(
        wordsIn(text),
        runs(text).map(([start, end]) => text.slice(start, end)),
      );
      assert.equal(countWords(text), runs(text).length);
    }),
    { numRuns: 2000 },
  );
});

test('counting a range equals counting its slice', () => {
  fc.assert(
    fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
      const cuts = [...Array(text.length + 1).keys()].filter(
        at => at === 0 || at === text.length || text.codePointAt(at - 1)! < 0x10000,
      );
      const [start, end] = [cuts[a % cuts.length]!, cuts[b % cuts.length]!].sort(
        (x, y) => x - y,
      ) as [number, number];
      assert.equal(countWords(text, start, end), runs(text.slice(start, end)).length);
    }),
    { numRuns: 2000 },
  );
});

test('nthWordEnd is the end of the n-th run, or of the text', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: -1, max: 12 }), (text, n) => {
      assert.equal(nthWordEnd(text, n), n <= 0 ? 0 : (runs(text)[n - 1]?.[1] ?? text.length));
    }),
  );
});

test('apostrophes and hyphens separate words, underscores and digits do not', () => {
  // Python: re.findall(r"\w+", "It's a co-op: snake_case 3.14 naïve") ==
  // ['It','s','a','co','op','snake_case','3','14','naïve']
  assert.equal(countWords("It's a co-op: snake_case 3.14 naïve"), 9);
  assert.equal(nthWordEnd('one two, three', 2), 7);
  assert.equal(nthWordEnd('one two', 5), 7);
  assert.equal(countWords(''), 0);
});
