/** Checks features of spans by stated relations and by chains of sentences, worked by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CanonicalNames } from '../../language/english/names/canonical-names.ts';
import type { Mention } from '../../language/english/names/mentions.ts';
import { relationNamed } from '../../language/english/relations/relation-steps.ts';
import { FeatureList } from '../features.ts';
import { bridgeFeatures, relationFeatures } from './chain-features.ts';
import type { OpenSentence } from './open-sentence.ts';
import type { OpenReading } from './reading.ts';

const mention = (text: string, kind: Mention['kind'] = 'name'): Mention => ({
  kind,
  text,
  start: 0,
  end: text.length,
});
const sentence = (text: string): OpenSentence => ({
  index: 0,
  passage: 0,
  place: 0,
  text,
  mentions: [],
  stems: new Set(),
});
const valuesOf = (fill: (add: (name: string, value: number | boolean) => void) => void) => {
  const features = new FeatureList();
  fill((name, value) => features.add(name, value));
  return Object.fromEntries(features.values);
};

describe('the relation of a span', () => {
  const OWN = mention('Tova Brandt');
  const features = (
    steps: readonly string[],
    stated: readonly (readonly [relation: string, lead?: boolean])[],
    { used = 0, text = 'It rained.', by = OWN } = {},
  ) =>
    valuesOf(add =>
      relationFeatures(
        {
          asked: { kind: 'person' },
          steps: steps.map(name => ({ relation: relationNamed(name), at: 0 })),
          stated: [stated.map(([relation, lead = false]) => ({ relation, lead, mention: by }))],
          reach: [{ distance: 1, strength: 0.6, used }],
        } as unknown as OpenReading,
        sentence(text),
        OWN,
        add,
      ),
    );
  const FINAL = {
    final: 1,
    'final:person': 1,
    'final:mother': 1,
    'final:reach': 0.6,
    'final:distance:1': 1,
    stated: 1,
  };

  test('is none without steps', () => assert.deepEqual(features([], [['mother']]), {}));
  test('is the last step, before the chain is complete', () =>
    assert.deepEqual(features(['director', 'mother'], [['mother']]), FINAL));
  test('is the last step of a complete chain', () =>
    assert.deepEqual(features(['director', 'mother'], [['mother']], { used: 1 }), {
      ...FINAL,
      'final:complete': 1,
      next: 1,
      'next:reach': 0.6,
    }));
  test('is the last step in the form of a first sentence', () =>
    assert.deepEqual(features(['director', 'mother'], [['mother', true]]), {
      ...FINAL,
      'final:lead': 1,
    }));
  test('is the next step', () =>
    assert.deepEqual(features(['director', 'mother'], [['director']]), {
      next: 1,
      'next:reach': 0.6,
      stated: 1,
      other: 1,
    }));
  test('is the last step again where all are used', () =>
    assert.deepEqual(features(['director', 'mother'], [['mother']], { used: 2 }), {
      ...FINAL,
      next: 1,
      'next:reach': 0.6,
    }));
  test('is another one', () =>
    assert.deepEqual(features(['mother'], [['award']]), { stated: 1, other: 1 }));
  test('is that of this span alone', () =>
    assert.deepEqual(features(['mother'], [['mother']], { by: mention('Ulf') }), {}));
  test('may be named by its sentence', () =>
    assert.deepEqual(features(['director', 'mother'], [], { text: 'The mother left.' }), {
      cue: 1,
    }));
});

describe('chains that end in a span or go through it', () => {
  const features = (
    own: Mention,
    byBridge: Readonly<Record<string, number>>,
    bridges: Readonly<Record<string, number>> = {},
    nested = false,
  ) => {
    const found = valuesOf(add =>
      bridgeFeatures(
        {
          asked: { nested },
          joint: {
            names: new CanonicalNames(['Tova Brandt']),
            joints: [{ alone: 0.25, byBridge: new Map(Object.entries(byBridge)) }],
            bridges: new Map(Object.entries(bridges)),
          },
        } as unknown as OpenReading,
        sentence(''),
        own,
        add,
      ),
    );
    return found;
  };
  test('no chain', () => assert.deepEqual(features(mention('Ulf'), {}), { 'joint:end': 0.25 }));
  test('a chain by another name ends here', () =>
    assert.deepEqual(features(mention('Ulf'), { 'tova brandt': 0.75 }), {
      'joint:end': 0.75,
      'joint:gain': 0.5,
      'joint:gain:plain': 0.5,
    }));
  test('a chain by its own name does not end here, but goes through it', () =>
    assert.deepEqual(
      features(mention('Brandt'), { 'tova brandt': 0.75 }, { 'tova brandt': 0.75 }),
      {
        'joint:end': 0.25,
        'joint:bridge': 0.75,
        'joint:bridge:plain': 0.75,
        'joint:bridges': 1,
        'joint:bridge more': 0.5,
        'joint:bridge more:plain': 0.5,
      },
    ));
  test('a chain that ends here is better than the one through it', () =>
    assert.deepEqual(features(mention('Brandt'), { ulf: 1 }, { 'tova brandt': 0.5 }, true), {
      'joint:end': 1,
      'joint:gain': 0.75,
      'joint:gain:nested': 0.75,
      'joint:bridge': 0.5,
      'joint:bridge:nested': 0.5,
      'joint:bridges': 1,
      'joint:end more': 0.5,
    }));
  test('what is no name joins nothing', () =>
    assert.deepEqual(
      features(mention('Brandt', 'noun'), { 'tova brandt': 0.75 }, { 'tova brandt': 0.75 }),
      { 'joint:end': 0.75, 'joint:gain': 0.5, 'joint:gain:plain': 0.5 },
    ));
});
