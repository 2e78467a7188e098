/** Checks names, chains of sentences and the clause that asks; no title names anything. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { askingStems } from './asked-clause.ts';
import { readOpen } from './passages.ts';
import { askedQuestion } from './question.ts';
import { verbStems } from './verb-forms.ts';

const TEXTS = [
  ['A quiet year', 'Tova Brandt won the Alder Medal in March.'],
  ['Timber and tide', 'Tova Brandt works aboard the Grey Petrel.'],
  ['Orders are up', 'Holm Works will refit the Grey Petrel next summer.'],
  ['Weather', 'It rained for nine days.'],
] as const;
const QUESTION = 'Which firm will refit the vessel that the winner of the Alder Medal works on?';
const read = (texts: readonly (readonly [string, string])[] = TEXTS) =>
  readOpen(
    QUESTION,
    texts.map(([title]) => title),
    texts.map(([, text], part) => ({ part, text })),
  );

describe('chains', () => {
  const { joint } = read();

  test('join sentences by names that the question leaves open, through two bridges', () => {
    const [, , last] = joint.joints;
    assert.ok(last!.byBridge.get('grey petrel')! > last!.alone);
    assert.ok(joint.bridges.has('tova brandt'));
    assert.ok(joint.bridges.has('grey petrel'));
  });

  test('do not go through names of the question, nor to sentences that share none', () => {
    assert.ok(!joint.bridges.has('alder medal'));
    assert.equal(joint.joints[3]!.byBridge.size, 0);
  });

  test('support is from 0 to 1 for any texts', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 6 }), texts => {
        for (const { alone, byBridge } of read(texts).joint.joints)
          for (const value of [alone, ...byBridge.values()])
            assert.ok(value >= 0 && value <= 1 + 1e-9);
      }),
      { numRuns: 50 },
    ));
});

test('a name in apposition is called by its noun', () => {
  const { kinds } = readOpen(
    'Who?',
    [''],
    [{ part: 0, text: 'Holm Works, a small shipyard in the north, hired the welder Ivo Stern.' }],
  );
  assert.ok(kinds.get('holm works')!.called.has('shipyard'));
  assert.ok([...kinds.get('ivo stern')!.called].some(noun => noun.startsWith('weld')));
});

describe('the clause that asks', () => {
  test('counts more than one that describes', () => {
    const stems = askingStems(QUESTION, 0);
    assert.ok(stems.get('firm')! > stems.get('winner')!);
  });

  test('a described thing is no answer: it is nested', () => {
    assert.ok(askedQuestion(QUESTION).nested);
    assert.ok(askedQuestion('Which firm runs the mill founded by Ivo Stern?').nested);
    assert.ok(!askedQuestion('Who won the Alder Medal?').nested);
  });
});

test('irregular forms and agents have the stem of their verb', () => {
  assert.deepEqual(verbStems('grew'), verbStems('grow'));
  assert.ok(verbStems('publisher').includes(verbStems('publish')[0]!));
});

test('a passage without a title is about the name that opens it', () => {
  const { passages } = readOpen('Who?', [''], [{ part: 0, text: 'Ivo Stern is a welder.' }]);
  assert.equal(passages[0]!.bare, 'Ivo Stern');
});
