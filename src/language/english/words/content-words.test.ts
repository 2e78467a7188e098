/** Checks the support of sentences against obvious code that keeps every word. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { contentWords, sentenceSupport } from './content-words.ts';

function slowSupport(question: string, sentences: readonly string[]): number[] {
  const words = sentences.map(contentWords);
  const weight = (word: string): number =>
    Math.log(1 + sentences.length / (1 + words.filter(set => set.has(word)).length));
  const asked = [...contentWords(question)];
  const total = asked.reduce((sum, word) => sum + weight(word), 0);
  return words.map(set => {
    const held = asked.filter(word => set.has(word)).reduce((sum, word) => sum + weight(word), 0);
    return total === 0 ? 0 : held / total;
  });
}

describe('sentenceSupport', () => {
  test('weighs the words of the question by their rarity among the sentences', () => {
    const [both, one, none] = sentenceSupport('Who built the Linnet?', [
      'The Linnet was built in 1961.',
      'The Linnet was lost.',
      'Nobody knows.',
    ]);
    const [rare, common] = [Math.log(1 + 3 / 2), Math.log(1 + 3 / 3)];
    assert.equal(both, 1);
    assert.ok(Math.abs(one! - common / (rare + common)) < 1e-12, String(one));
    assert.equal(none, 0);
  });

  test('equals code that keeps every word, for any texts', () => {
    const word = fc.constantFrom('the', 'ship', 'Ship', 'built', '1961', 'a', 'ﬁn', 'İst', 'x_y');
    const text = fc.array(fc.oneof({ weight: 4, arbitrary: word }, fc.string()), { maxLength: 12 });
    const joined = text.map(words => words.join(' '));
    fc.assert(
      fc.property(joined, fc.array(joined, { maxLength: 6 }), (question, sentences) => {
        assert.deepEqual(sentenceSupport(question, sentences), slowSupport(question, sentences));
      }),
    );
  });
});
