/** Tests the count of the words that a document keeps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wordsIn } from '../core/text/matched-words.ts';
import { keptWords, losesMost } from './kept-words.ts';

test('words are counted as often as the file shows them and the document has them', () => {
  const cases: readonly (readonly [
    title: string,
    text: string,
    visible: string,
    number,
    number,
  ])[] = [
    ['T', 'a b c', 'a b c', 3, 3],
    ['T', 'a b', 'a b c d', 2, 4],
    // A head that is repeated in the rows of a table counts once.
    ['', 'Region: North. Region: South.', 'Region North South', 3, 3],
    ['', 'a', 'a a a', 1, 3],
    // A first heading that became the title is kept.
    ['Pumps', 'They turn.', 'Pumps They turn.', 3, 3],
    ['Pumps', 'They turn.', 'Pumps\nThey turn.\nThey turn. Menu', 3, 6],
    ['', '', 'menu', 0, 1],
    ['', '', '', 0, 0],
  ];
  for (const [title, text, shown, kept, visible] of cases)
    assert.deepEqual(keptWords({ title, text }, { visibleText: shown }), { kept, visible }, shown);
  assert.deepEqual(keptWords({ title: 'T', text: 'a b' }), { kept: 2, visible: 2 });
  const leftOutText = 'T, page 1';
  assert.deepEqual(keptWords({ title: 'T', text: 'a b' }, { leftOutText }), {
    kept: 2,
    visible: 5,
  });
});

const countsOf = (words: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(words, word => word)].map(([word, all]) => [word, all.length]));

/** Counts as `keptWords` does, word by word. */
function slowlyKept(title: string, text: string, visibleText: string) {
  const own = countsOf([...wordsIn(title), ...wordsIn(text)]);
  const shown = wordsIn(visibleText);
  const both = [...countsOf(shown)].map(([word, count]) => Math.min(count, own.get(word) ?? 0));
  return { kept: both.reduce((sum, count) => sum + count, 0), visible: shown.length };
}

test('words are counted alike whatever stands elsewhere, is repeated or was left out', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'ba', 'cab', '水泵', '\n', 'é', ','), {
    maxLength: 40,
  });
  const parts = fc.array(fc.record({ words, isShown: fc.boolean(), times: fc.nat(2) }), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(words, parts, (title, all) => {
      const join = (some: readonly (readonly string[])[]): string => some.flat().join(' ');
      const text = join(all.flatMap(part => Array.from({ length: part.times }, () => part.words)));
      const visibleText = join(all.filter(({ isShown }) => isShown).map(part => part.words));
      const document = { title: title.join(' '), text };
      assert.deepEqual(
        keptWords(document, { visibleText }),
        slowlyKept(document.title, text, visibleText),
      );
    }),
  );
});

test('a file of which exactly half is kept is not warned of', () => {
  assert.equal(losesMost({ kept: 2, visible: 4 }), false);
  assert.equal(losesMost({ kept: 1, visible: 4 }), true);
  assert.equal(losesMost({ kept: 0, visible: 0 }), false);
});
