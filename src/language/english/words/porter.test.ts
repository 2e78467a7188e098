/** Compares stems with the examples of Porter's paper, and with properties of all words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { porterStem } from './porter.ts';

const EXAMPLES = `caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre,
plastered plaster, bled bled, motoring motor, sing sing, conflated conflat, troubled troubl,
sized size, hopping hop, tanned tan, falling fall, hissing hiss, fizzed fizz, failing fail,
filing file, happy happi, sky sky, relational relat, conditional condit, rational ration,
valenci valenc, digitizer digit, conformabli conform, radicalli radic, differentli differ,
vileli vile, analogousli analog, vietnamization vietnam, predication predic, operator oper,
feudalism feudal, decisiveness decis, hopefulness hope, callousness callous, formaliti formal,
sensitiviti sensit, sensibiliti sensibl, triplicate triplic, formative form, formalize formal,
electriciti electr, electrical electr, hopeful hope, goodness good, revival reviv,
allowance allow, inference infer, airliner airlin, adjustable adjust, defensible defens,
irritant irrit, replacement replac, adjustment adjust, dependent depend, adoption adopt,
communism commun, activate activ, angulariti angular, homologous homolog, effective effect,
bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control, roll roll, yes ye`;

test('stems are those of the examples in the paper', () => {
  for (const pair of EXAMPLES.split(/,\s+/)) {
    const [word, stem] = pair.split(' ');
    assert.equal(porterStem(word!), stem, word);
  }
});

test('inflections share a stem, and so do British and American spellings', () => {
  for (const words of [
    ['pipeline', 'pipelines', 'pipelining', 'pipelined'],
    ['cache', 'caches', 'cached', 'caching'],
    ['licence', 'license', 'licensed'],
    ['serialise', 'serializes', 'serialising', 'serialisation', 'serializer'],
    ['behaviour', 'behaviors'],
    ['analyse', 'analyzed'],
  ])
    assert.equal(new Set(words.map(porterStem)).size, 1, words.join(' '));
});

test('a stem is never longer than a word of the British spelling, nor empty', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aeiouylsndtgrcbz'), minLength: 1 });
  const endings = fc.constantFrom('', 'ed', 'ing', 'ational', 'ement', 'iser', 'ies', 'our');
  fc.assert(
    fc.property(letters, endings, (root, ending) => {
      const word = root + ending;
      const stem = porterStem(word);
      assert.ok(stem.length > 0 && stem.length <= word.length, `${word} ${stem}`);
    }),
  );
});

test('what is no word of a to z is unchanged', () => {
  for (const word of ['', 'is', 'http2', 'größe', 'Cats']) assert.equal(porterStem(word), word);
});
