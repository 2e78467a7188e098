/** Tests pairs of stems by hand, and against a slow implementation of the same rule. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentWords } from './content-words.ts';
import { stemPairs, stemSequence } from './stem-pairs.ts';
import { stemOf } from './stems.ts';

test('pairs neighbouring content words across stop words, in order, each once', () => {
  assert.deepEqual(
    [...stemPairs('The payments of the Funds, payments of the funds')],
    ['payment fund', 'fund payment'].map(pair =>
      pair
        .split(' ')
        .map(word => stemOf(`${word}s`))
        .join(' '),
    ),
  );
  for (const text of ['', 'of the', 'Fund']) assert.equal(stemPairs(text).size, 0, text);
});

test('an underscore ends a word', () => {
  assert.deepEqual([...stemPairs('Li_Hua')], ['li hua']);
});

test('agrees with content words read one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('The', 'Funds', 'a', 'paid', 'of', 'rules')), words => {
      const stems = words.flatMap(word => [...contentWords(word)].map(stemOf));
      assert.deepEqual(stemSequence(words.join(' ')), stems);
      for (let at = 1; at < stems.length; at++)
        assert.ok(stemPairs(words.join(', ')).has(`${stems[at - 1]} ${stems[at]}`));
    }),
  );
});
