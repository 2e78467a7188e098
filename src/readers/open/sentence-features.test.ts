/** Checks the shares of a question that sentences hold, and their features, worked by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FeatureList } from '../features.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';
import {
  bestShares,
  fitFeatures,
  type SentenceShares,
  sentenceShares,
} from './sentence-features.ts';

const sentence = (index: number, passage: number, place: number, stems: string): OpenSentence => ({
  index,
  passage,
  place,
  text: '',
  mentions: [],
  stems: new Set(stems.split(' ')),
});
const SENTENCES = [
  sentence(0, 0, 0, 'lamp'),
  sentence(1, 0, 1, 'burn sea'),
  sentence(2, 1, 0, 'other'),
];
const reading = (parts: object = {}): OpenReading =>
  ({
    passages: [{ sentences: SENTENCES.slice(0, 2) }, { sentences: SENTENCES.slice(2) }],
    unbound: new Map([
      ['lamp', 1],
      ['burn', 2],
      ['gone', 1],
    ]),
    // "king" is bound: it counts for nothing.
    asking: new Map([
      ['lamp', 1],
      ['gone', 0.5],
      ['burn', 0.25],
      ['king', 1],
    ]),
    joint: {
      joints: [
        {
          alone: 0.2,
          byBridge: new Map([
            ['ulf', 0.5],
            ['tova', 0.4],
          ]),
        },
        { alone: 0.3, byBridge: new Map() },
        { alone: 0, byBridge: new Map() },
      ],
    },
    reach: [
      { distance: 1, strength: 0.6, used: 1 },
      { distance: -1, strength: 0, used: 0 },
    ],
    steps: [{}, {}],
    ...parts,
  }) as unknown as OpenReading;

describe('the shares of a sentence', () => {
  test('are those of its words and of its passage', () =>
    assert.deepEqual(sentenceShares(reading(), SENTENCES[0]!), {
      similar: 0.25,
      passage: 0.75,
      asking: 0.5,
      askingPassage: 0.75,
      alone: 0.2,
      chain: 0.5,
      reach: 0.6,
    }));
  test('without a chain are those alone', () =>
    assert.deepEqual(sentenceShares(reading(), SENTENCES[1]!), {
      similar: 0.5,
      passage: 0.75,
      asking: 0.25,
      askingPassage: 0.75,
      alone: 0.3,
      chain: 0.3,
      reach: 0.6,
    }));
  test('are 0 if the question has no words', () =>
    assert.deepEqual(sentenceShares(reading({ unbound: new Map() }), SENTENCES[2]!), {
      similar: 0,
      passage: 0,
      asking: 0,
      askingPassage: 0,
      alone: 0,
      chain: 0,
      reach: 0,
    }));
});

const shares = (value: number): SentenceShares => ({
  similar: value,
  passage: value,
  asking: value,
  askingPassage: value,
  alone: value,
  chain: value,
  reach: value,
});

test('the best shares are the greatest of each', () => {
  const one = { ...shares(0.25), chain: 0.75 };
  assert.deepEqual(bestShares([one, shares(0.5)]), { ...shares(0.5), chain: 0.75 });
  assert.deepEqual(bestShares([]), shares(0));
});

describe('features of a sentence', () => {
  const features = (held: SentenceShares, match: number, at = 0, steps = 2, best = shares(0.5)) => {
    const list = new FeatureList();
    const read = reading({ steps: Array.from({ length: steps }, () => ({})) });
    fitFeatures(read, SENTENCES[at]!, { held, best, match }, (name, value) =>
      list.add(name, value),
    );
    return Object.fromEntries(list.values);
  };
  const NAMES = Object.keys(shares(0));
  const each = (prefix: string, value: number) =>
    Object.fromEntries(NAMES.map(name => [`${prefix}${name}`, value]));

  test('tell where its passage stands, and each share that is the greatest', () => {
    assert.deepEqual(features(shares(0.5), 1), {
      'reach:1': 1,
      'reach:left:1': 1,
      'steps:2:reach:1': 1,
      'first sentence': 1,
      ...each('', 0.5),
      ...each('best:', 1),
      ...each('match:', 0.5),
      ...each('match:best:', 1),
    });
    const second = features(shares(0.25), -1, 2, 5);
    assert.deepEqual(second, {
      'reach:-1': 1,
      'reach:left:3': 1,
      'steps:3:reach:-1': 1,
      'first sentence': 1,
      ...each('', 0.25),
      ...each('match:', -0.25),
      'passage:rank': 1 / 3,
    });
  });
  test('tell of no share that is 0', () =>
    assert.deepEqual(features(shares(0), 1, 1, 0, shares(0)), {
      'reach:1': 1,
      'reach:left:-1': 1,
      'steps:0:reach:1': 1,
    }));
});
