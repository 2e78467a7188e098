import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bareSpellings, bareTerms, isBareTerm } from './accents.ts';
import { foldedText } from './folded.ts';

describe('the spelling of words without accents', () => {
  const cases: readonly (readonly [text: string, expected: string])[] = [
    ['Müller, Žižek and Brontë', 'muller zizek bronte'],
    ['Huế, Đà Lạt', 'hue da lat'],
    [
      'Gdańsk, Łomża, Tromsø, Hærland, Þingvellir, Vıška',
      'gdansk lomza tromso haerland thingvellir viska',
    ],
    ['Αθήνα', 'αθηνα'],
    ['Пётр мой', 'петр'],
    ['plain words が 대구 हिन्दी', ''],
  ];
  for (const [text, expected] of cases)
    test(text, () => {
      const terms = bareTerms(foldedText(text)).split(' ').filter(Boolean);
      assert.equal(terms.map(term => term.slice(1)).join(' '), expected);
      assert.ok(terms.every(isBareTerm));
      for (const word of expected.split(' ').filter(Boolean))
        assert.ok(terms.includes(bareSpellings(word)[0]![1]));
    });
});
