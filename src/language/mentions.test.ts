/** Tests mentions of known names. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { distinctNames, findMentions } from './mentions.ts';

const found = (text: string, names: string[], options = {}): [string, number][] =>
  findMentions(text, names, options).map(({ name, start }) => [name, start]);

describe('mentions', () => {
  test('prefers the longest name, without overlaps, in order of position, ignoring case', () => {
    assert.deepEqual(
      found('The wire and THE WIRED, then wired', ['Wired', 'The Wired', 'The Wire']),
      [
        ['The Wire', 0],
        ['The Wired', 13],
        ['Wired', 29],
      ],
    );
    assert.deepEqual(distinctNames(findMentions('a b a', ['a', 'b'])), ['a', 'b']);
  });

  test('matches inside words by default, and whole words on request', () => {
    assert.deepEqual(found('They rewired it for Wired.', ['Wired']), [
      ['Wired', 7],
      ['Wired', 20],
    ]);
    assert.deepEqual(found('They rewired it for Wired.', ['Wired'], { wholeWords: true }), [
      ['Wired', 20],
    ]);
    assert.deepEqual(found('éWired Wired_', ['Wired'], { wholeWords: true }), []);
  });

  test('offsets are exact; mentions ascend without overlaps', () => {
    const name = fc.constantFrom('aa', 'aab', 'B', 'ba', 'İ', 'ß', 'a b', '');
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', ' ', 'İ', 'ß', '𝒳'), { maxLength: 30 })
      .map(parts => parts.join(''));
    fc.assert(
      fc.property(
        text,
        fc.array(name, { maxLength: 5 }),
        fc.boolean(),
        (within, names, wholeWords) => {
          let end = 0;
          for (const mention of findMentions(within, names, { wholeWords })) {
            assert.ok(
              mention.start >= end && mention.end > mention.start && mention.end <= within.length,
            );
            assert.equal(
              within.slice(mention.start, mention.end).toLowerCase(),
              mention.name.toLowerCase(),
            );
            end = mention.end;
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
