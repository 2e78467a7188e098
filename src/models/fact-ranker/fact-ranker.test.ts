/** Checks the features that the shipped ranker has weights for, and the linear score. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bridgesOf } from './bridge-features.ts';
import written from './fact-ranker.json' with { type: 'json' };
import { type FactRanker, RANKER_KINDS, scoresOf } from './fact-ranker.ts';
import { firstFeatures } from './features.ts';
import { linksOf } from './link-features.ts';
import { SENTENCE_FORMS } from './sentence-form.ts';
import { shippedRanker } from './shipped.ts';
import { TextWords, Vocabulary } from './text-words.ts';

const vocabulary = new Vocabulary();

describe('the shipped ranker', () => {
  const candidates = [
    'The lamp of Harrow Point burned blue on Friday.',
    'Nobody knows who drew it.',
  ].map((text, at) => ({
    documentId: `${at}`,
    text: new TextWords(text, vocabulary),
    title: new TextWords('Notice', vocabulary),
    header: new TextWords('Notice', vocabulary),
  }));
  const zeros = [new Float64Array(2)];
  const view = {
    lanes: ['Which lamp burned?'],
    candidates,
    vocabulary,
    words: zeros,
    vectors: zeros,
    documents: zeros,
    own: zeros,
    topics: zeros,
    source: zeros[0]!,
    day: zeros[0]!,
    named: zeros[0]!,
    names: [],
  };
  const { features, lanes } = firstFeatures(view);
  const first = Object.keys(features);
  const second = [...first, ...Object.keys(bridgesOf(view, zeros[0]!, lanes).features)];
  const chained = [...second, ...Object.keys(linksOf(view, zeros[0]!))];

  const WRITTEN: readonly string[] = [...SENTENCE_FORMS, 'share of its words in the question'];

  for (const kind of RANKER_KINDS)
    test(`"${kind}" has weights for every computed feature, and for no other`, () => {
      const weights = shippedRanker(kind);
      const open = kind.startsWith('open-');
      // Weights of open kinds are fitted without how a sentence is written.
      const own = (names: readonly string[]): string[] =>
        names.filter(name => !open || !WRITTEN.includes(name)).sort();
      assert.deepEqual(Object.keys(weights.first).sort(), own(first));
      assert.deepEqual(Object.keys(weights.second).sort(), own(open ? chained : second));
      for (const cost of Object.values(weights.packing)) assert.ok(cost >= 0);
    });

  test('a kind without provenance of its own shares the weights of a kind with provenance', () => {
    const { provenance, rankers } = written as unknown as FactRanker;
    const known = RANKER_KINDS.filter(kind => Object.hasOwn(provenance, kind)).map(kind =>
      JSON.stringify(rankers[kind]),
    );
    for (const kind of RANKER_KINDS) assert.ok(known.includes(JSON.stringify(rankers[kind])), kind);
  });
});

describe('scores', () => {
  test('are sums of weights times features; a name on only one side is ignored', () => {
    const features = {
      a: Float64Array.of(1, 2),
      b: Float64Array.of(0.5, -1),
      idle: Float64Array.of(9, 9),
    };
    assert.deepEqual([...scoresOf(features, { a: 2, b: -4, unknown: 7 }, 2)], [0, 8]);
    assert.deepEqual([...scoresOf(features, {}, 2)], [0, 0]);
    assert.deepEqual([...scoresOf({}, { a: 1 }, 0)], []);
  });
});
