/** Checks keys of names, the longer names that their words stand for, and comparisons of names. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  aligned,
  CanonicalNames,
  isNameLike,
  nameKey,
  sameName,
  wholeNames,
  wordsAt,
} from './canonical-names.ts';
import type { Mention, MentionKind } from './mentions.ts';

describe('the key of a text', () => {
  test('holds its words in lower case, but for a stop word that opens it', () => {
    const word = fc.constantFrom('the', 'So', 'I', 'Tova', 'of', '39', 'brandt');
    fc.assert(
      fc.property(fc.array(word), words => {
        const lower = words.map(each => each.toLowerCase());
        const rest = ['the', 'so', 'i', 'of'].includes(lower[0] ?? '') ? lower.slice(1) : lower;
        assert.equal(nameKey(words.join(', ')), rest.join(' '));
      }),
    );
  });
});

describe('a part of a name stands for', () => {
  const keyed = (texts: readonly string[], part: string): string =>
    new CanonicalNames(texts).key(part);
  for (const [texts, part, key] of [
    [['Captain Tova Brandt'], 'Tova Brandt', 'captain tova brandt'],
    [['Tova Lisbet Brandt'], 'Lisbet', 'lisbet'],
    [['Tova Li'], 'Li', 'li'],
    [['Mount Other'], 'Other', ''],
    [['Big Old Grey Bird Sang To Tova'], 'Tova', 'tova'],
    [['Tova Brandt'], 'The Quist', 'quist'],
  ] as const)
    test(`${texts[0]}: "${part}" is "${key}"`, () => assert.equal(keyed(texts, part), key));

  test('its most frequent longer name, for any names', () => {
    const word = fc.constantFrom('Tova', 'Brandt', 'Ulf', 'Quist', 'Holm');
    const name = fc.array(word, { minLength: 1, maxLength: 3 }).map(words => words.join(' '));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), word, (texts, part) => {
        const key = part.toLowerCase();
        const counts = new Map<string, number>();
        for (const text of texts) {
          const words = text.toLowerCase().split(' ');
          if (words.length < 2) continue;
          const parts = [words[0], words.at(-1), words.slice(1).join(' ')];
          if (parts.includes(key))
            counts.set(words.join(' '), (counts.get(words.join(' ')) ?? 0) + 1);
        }
        const most = Math.max(0, ...counts.values());
        const best = [...counts].filter(([, count]) => count === most);
        assert.equal(new CanonicalNames(texts).key(part), best.length === 1 ? best[0]![0] : key);
      }),
    );
  });
});

const mention = (text: string, start: number, kind: MentionKind = 'name'): Mention => ({
  kind,
  start,
  text,
  end: start + text.length,
});

describe('names of a sentence', () => {
  test('are names and quotes', () => {
    const kinds: readonly MentionKind[] = ['name', 'quote', 'time', 'number', 'adjective', 'noun'];
    assert.deepEqual(
      kinds.filter(kind => isNameLike(mention('x', 0, kind))),
      ['name', 'quote'],
    );
  });

  test('are those in no longer name', () => {
    const whole = mention('Tova Brandt', 4);
    const inner = [mention('Tova', 4), mention('Brandt', 9)];
    const other = mention('Quist', 20);
    const overlapping = mention('Brandt Hall of Dunmar', 9);
    assert.deepEqual(wholeNames([inner[0]!, whole, inner[1]!, other]), [whole, other]);
    assert.deepEqual(wholeNames([whole, overlapping]), [whole, overlapping]);
    assert.deepEqual(wholeNames([whole, mention('Tova Brandt', 4, 'quote')]).length, 2);
    assert.deepEqual(wholeNames([mention('a Tova', 2, 'noun'), inner[0]!]), [inner[0]]);
  });

  test('stand apart in a list with commas', () => {
    const place = mention('Dunmar', 0);
    const list = mention('Dunmar, Holm', 0);
    assert.deepEqual(wholeNames([place, list]), [place, list]);
  });
});

describe('two names are the same', () => {
  for (const [a, b, same] of [
    ['tam quillor', 'Sir Tam Quillor', true],
    ['The Salt Road', 'Salt Road', true],
    ['Quillor', 'Tam Quillor', false],
    ['Quillor Tam', 'Tam Quillor', false],
    ['Quillor Tam', 'Sir Tam Quillor', true],
    ['Quillor J', 'Tam Quillor J', false],
    ['Pier 39', 'Pier 40', false],
    ['', '', false],
  ] as const)
    test(`"${a}" and "${b}": ${same}`, () => assert.equal(sameName(a, b), same));
});

test('a text is folded without moving an offset', () => {
  assert.equal(aligned('Tova BRANDT'), 'tova brandt');
  // The lower case of this letter has two UTF-16 units.
  assert.equal(aligned('İx'), 'İx');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text =>
      assert.equal(aligned(text).length, text.length),
    ),
  );
});

describe('a name occurs as whole words', () => {
  for (const [text, name, at] of [
    ['tova brandt', 'tova', 0],
    ['tova brandt', 'brandt', 5],
    ['brandts brandt', 'brandt', 8],
    ['ibrandt (brandt)', 'brandt', 9],
    ['4brandt, brandt4', 'brandt', -1],
    ['tova', 'brandt', -1],
    ['tova', '', -1],
  ] as const)
    test(`"${name}" in "${text}": ${at}`, () => assert.equal(wordsAt(text, name), at));
});
