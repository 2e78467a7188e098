/** Checks what tells that the evidence holds an answer, worked by hand. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Asked } from '../../language/asked.ts';
import { answerEvidence, openAnswerable, statesVerb, supportOf } from './answerable.ts';
import type { OpenDecision } from './decide.ts';
import { readOpen } from './passages.ts';
import type { OpenReading } from './reading.ts';

const stems = (text: string) => ({ stems: new Set(text.split(' ')) });
const reading = (parts: object = {}): OpenReading =>
  ({
    asked: { text: 'Is Tova Lind like Ulf?', verb: '' },
    joint: {
      joints: [
        {
          alone: 0.25,
          byBridge: new Map([
            ['ulf', 0.75],
            ['bo', 0.5],
          ]),
        },
        { alone: 0.5, byBridge: new Map() },
      ],
    },
    sentences: [stems('tova see'), stems('lamp')],
    passages: [{ title: 'Ulf' }],
    unbound: new Map([
      ['see', 1],
      ['gone', 1],
    ]),
    asking: new Map([
      ['see', 1],
      ['gone', 1],
      ['lamp', 1],
      ['ulf', 1],
    ]),
    anchors: [{}],
    ...parts,
  }) as unknown as OpenReading;

describe('the evidence of a question', () => {
  test('has its greatest shares, and the shares of names and words that it holds', () => {
    const { features, ...rest } = answerEvidence(reading());
    assert.deepEqual(Object.fromEntries(features), {
      'chain:most': 0.75,
      'alone:most': 0.5,
      'names:least': 0.5,
      'names:mean': 0.75,
      words: 0.5,
      asking: 0.75,
      anchored: 1,
    });
    assert.deepEqual(rest, {
      alone: [0.25, 0.5],
      chained: [0.75, 0.5],
      asked: 4,
      asking: [['see'], ['lamp']],
    });
  });
  test('holds all names of a question without any', () => {
    const parts = { asked: { text: 'why?' }, joint: { joints: [] }, anchors: [] };
    const empty = { sentences: [], unbound: new Map(), asking: new Map() };
    assert.deepEqual(Object.fromEntries(answerEvidence(reading({ ...parts, ...empty })).features), {
      'names:least': 1,
      'names:mean': 1,
      words: 1,
      asking: 1,
    });
  });
});

const EVIDENCE = answerEvidence(reading());
const draft = (parts: Partial<OpenDecision>): OpenDecision => ({
  form: 'span',
  text: 'Ulf',
  sentences: [0],
  share: 0.4,
  match: 1,
  others: [],
  ...parts,
});
const features = (parts: Partial<OpenDecision>, evidence = EVIDENCE) => {
  const all = Object.fromEntries(openAnswerable(evidence, draft(parts)));
  for (const name of evidence.features.keys()) {
    assert.equal(all[name], evidence.features.get(name));
    delete all[name];
  }
  return all;
};

describe('a draft of an answer', () => {
  test('has its share, its type, and the shares of its sentences', () =>
    assert.deepEqual(features({}), {
      'form:span': 1,
      'draft:span': 0.4,
      'chain:draft': 0.75,
      'alone:draft': 0.25,
      'type:match': 1,
      'asking:draft': 0.25,
    }));
  test('may have another type and several sentences', () =>
    assert.deepEqual(features({ form: 'choice', sentences: [1, 0], match: -1 }), {
      'form:choice': 1,
      'draft:choice': 0.4,
      'chain:draft': 0.75,
      'alone:draft': 0.5,
      'type:mismatch': 1,
      'asking:draft': 0.5,
    }));
  test('may have no type, no sentence, and a question without words', () => {
    const evidence = { ...EVIDENCE, asked: 0 };
    assert.deepEqual(features({ form: 'verdict', sentences: [], match: 0 }, evidence), {
      'form:verdict': 1,
      'draft:verdict': 0.4,
    });
  });
  test('is supported by the probability of its model', () => {
    const none = { outputs: [''], bias: [0], weights: new Map() };
    const answerable = { outputs: [''], bias: [1], weights: new Map([['form:span', [2]]]) };
    const span = { weights: new Map(), biases: [], outputs: [] };
    const model = { choice: none, verdict: none, answerable, span };
    assert.equal(supportOf(reading(), draft({}), model), 1 / (1 + Math.exp(-3)));
    const asked = { text: 'Who sank it?', verb: 'sank' };
    assert.equal(supportOf(reading({ asked }), draft({}), model), 0);
  });
});

describe('the verb that a question asks by', () => {
  const OWNS = 'Who owns the Brill Mill?';
  const NESTED = 'Who owns the mill that the carpenter of Tolbeck restored?';
  for (const [question, sentence, states, form] of [
    [OWNS, 'The Brill Mill belongs to Hanna Odde.', true, 'span'],
    [OWNS, 'Hanna Odde bought the Brill Mill.', true, 'span'],
    [OWNS, 'Karel Minns restored the Brill Mill.', false, 'span'],
    [OWNS, 'Karel Minns restored the Brill Mill.', true, 'choice'],
    ['Who whittles in the Brill Mill?', 'Karel Minns whittled there.', true, 'span'],
    ['Who whittles in the Brill Mill?', 'Karel Minns sang there.', false, 'span'],
    // A chain of sentences may state it in other ways.
    [NESTED, 'Karel Minns runs the Brill Mill.', true, 'span'],
  ] as const)
    test(`is ${states ? '' : 'not '}stated by a ${form} of "${sentence}" for "${question}"`, () => {
      const read = readOpen(new Asked(question), ['Brill Mill'], [{ part: 0, text: sentence }]);
      assert.equal(statesVerb(read, { form, sentences: [0] }), states);
    });
});
