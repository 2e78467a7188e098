/** Checks names, chains of sentences and the clause that asks; no title names anything. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Asked } from '../../language/asked.ts';
import { askingStems } from '../../language/english/question/asked-clause.ts';
import { askedQuestion } from '../../language/english/question/asked-question.ts';
import { stemsOf, verbStems } from '../../language/english/words/verb-forms.ts';
import { jointEvidence } from './joint-evidence.ts';
import { readOpen } from './passages.ts';
import { readTexts } from './read-texts.ts';

const TEXTS = [
  ['A quiet year', 'Tova Brandt won the Alder Medal in March.'],
  ['Timber and tide', 'Tova Brandt works aboard the Grey Petrel.'],
  ['Orders are up', 'Holm Works will refit the Grey Petrel next summer.'],
  ['Weather', 'It rained for nine days.'],
] as const;
const QUESTION = 'Which firm will refit the vessel that the winner of the Alder Medal works on?';
const read = (texts: readonly (readonly [string, string])[] = TEXTS) => readTexts(QUESTION, texts);

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
  const { kinds } = readTexts('Who?', [
    ['', 'Holm Works, a small shipyard in the north, hired the welder Ivo Stern.'],
  ]);
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
  const { passages } = readTexts('Who?', [['', 'Ivo Stern is a welder.']]);
  assert.equal(passages[0]!.bare, 'Ivo Stern');
});

describe('support by hand', () => {
  /** Reads sentences of passages without titles; every stem of the question weighs 1. */
  const support = (question: string, ...texts: (readonly [title: string, text: string])[]) => {
    const reading = readTexts(question, texts);
    const weights = new Map([...stemsOf(question)].map(stem => [stem, 1] as const));
    return jointEvidence(question, weights, reading.passages, reading.sentences);
  };
  const near = (value: number | undefined, expected: number): void =>
    assert.ok(Math.abs((value ?? Number.NaN) - expected) < 1e-12, `${value} is no ${expected}`);

  test('a name in both sentences joins what each adds', () => {
    const { joints, bridges } = support(
      'Is a lamp, mast, sail or deck red?',
      ['x', 'A lamp and mast of Tova.'],
      ['y', 'A mast and sail of Tova.'],
    );
    near(joints[0]!.alone, 2 / 5);
    near(joints[0]!.byBridge.get('tova'), 2 / 5 + 0.9 / 5);
    near(joints[1]!.byBridge.get('tova'), 2 / 5 + 0.9 / 5);
    near(bridges.get('tova'), 2 / 5 + 0.9 / 5);
    assert.deepEqual([...bridges.keys()], ['tova']);
  });

  test('a name of the title counts less, and two such names join nothing', () => {
    const titled = support('Is a lamp or mast red?', ['Tova', 'A lamp.'], ['y', 'A mast of Tova.']);
    near(titled.joints[0]!.byBridge.get('tova'), 1 / 3 + (0.9 * 0.6) / 3);
    near(titled.joints[1]!.byBridge.get('tova'), 1 / 3 + (0.9 * 0.6) / 3);
    const both = support('Is a lamp or mast red?', ['Tova', 'A lamp.'], ['Tova', 'A mast.']);
    assert.equal(both.joints[0]!.byBridge.size, 0);
  });

  test('a chain of three passages loses a tenth at each step', () => {
    const { joints } = support(
      'Is a lamp, mast or sail red?',
      ['x', 'A lamp of Tova.'],
      ['y', 'Tova had a mast with Ulf.'],
      ['z', 'Ulf had a sail.'],
    );
    near(joints[0]!.byBridge.get('tova'), 1 / 4 + 0.9 / 4 + 0.81 / 4);
    near(joints[1]!.byBridge.get('tova'), 1 / 4 + 0.9 / 4);
    near(joints[2]!.byBridge.get('ulf'), 1 / 4 + 0.9 / 4 + 0.81 / 4);
  });

  test('sentences of one passage, short names and names of the question join nothing', () => {
    const one = readTexts('Is a lamp or mast red?', [['x', 'A lamp of Tova.', 'A mast of Tova.']]);
    assert.ok(one.joint.joints.every(({ byBridge }) => byBridge.size === 0));
    const names = (name: string) =>
      support(
        `Is a lamp or mast of Quist red?`,
        ['x', `A lamp, ${name}.`],
        ['y', `A mast, ${name}.`],
      ).bridges.size;
    assert.deepEqual([names('Tova'), names('Quist'), names('Li'), names('Lim')], [1, 0, 0, 1]);
  });

  test('a chain goes through two bridges at most', () => {
    const { joints } = support(
      'Is a lamp, mast, sail or deck red?',
      ['x', 'A lamp of Tova.'],
      ['y', 'Tova had a mast with Ulf.'],
      ['z', 'Ulf had a sail with Bruno.'],
      ['w', 'Bruno had a deck.'],
    );
    near(joints[0]!.byBridge.get('tova'), 1 / 5 + 0.9 / 5 + 0.81 / 5);
  });

  test('a name of the first sentence of a passage counts less in its others', () => {
    const bridge = (...texts: string[]): number | undefined =>
      readOpen(
        new Asked('Is a lamp or mast red?'),
        ['x', 'y'],
        [...texts.map(text => ({ part: 0, text })), { part: 1, text: 'A mast of Tova.' }],
      ).joint.joints[texts.indexOf('A lamp.')]!.byBridge.get('tova');
    assert.ok(bridge('Tova sang.', 'A lamp.')! > 0);
    assert.equal(bridge('A lamp.', 'Tova sang.'), undefined);
    assert.equal(bridge('It was.', 'Tova sang.', 'A lamp.'), undefined);
  });

  test('a question without words supports nothing', () => {
    const { joints } = support('Is it?', ['x', 'A lamp of Tova.'], ['y', 'A mast of Tova.']);
    assert.ok(joints.every(({ alone, byBridge }) => alone === 0 && byBridge.size === 0));
  });
});
