/**
 * Checks the ranker's features: each against a slow computation of its definition, finite for any
 * view, and independent of the order of the candidates.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mulberry32 } from '../../core/mulberry32.ts';
import { contentStems } from '../../language/english/words/stems.ts';
import { bridgesOf } from './bridge-features.ts';
import { type Features, firstFeatures } from './features.ts';
import { overlapOf } from './overlap.ts';
import type { Candidate, QuestionView } from './question-view.ts';
import { TextWords, Vocabulary } from './text-words.ts';

const vocabulary = new Vocabulary();

/** A candidate as plain texts. */
interface Sentence {
  readonly document: string;
  readonly text: string;
  readonly title?: string;
}

const candidate = ({ document, text, title = '' }: Sentence): Candidate => ({
  documentId: document,
  text: new TextWords(text, vocabulary),
  title: new TextWords(title, vocabulary),
  header: new TextWords(`${title} | Coast Courier`, vocabulary),
});

type Rows = readonly (readonly number[])[];

interface Sketch {
  readonly lanes: readonly string[];
  readonly sentences: readonly Sentence[];
  readonly words?: Rows;
  readonly vectors?: Rows;
  readonly documents?: Rows;
  readonly own?: Rows;
  readonly source?: readonly number[];
  readonly day?: readonly number[];
  readonly topics?: Rows;
  readonly named?: readonly number[];
  readonly names?: readonly string[];
}

/** Builds a view; omitted scores are zero. */
function viewOf({ lanes, sentences, ...scores }: Sketch): QuestionView {
  const rows = (values: Rows | undefined): Float64Array[] =>
    lanes.map((_, lane) => Float64Array.from(values?.[lane] ?? sentences.map(() => 0)));
  return {
    lanes,
    candidates: sentences.map(candidate),
    vocabulary,
    words: rows(scores.words),
    vectors: rows(scores.vectors),
    documents: rows(scores.documents),
    own: rows(scores.own),
    topics: rows(scores.topics),
    source: Float64Array.from(scores.source ?? sentences.map(() => 0)),
    day: Float64Array.from(scores.day ?? sentences.map(() => 0)),
    named: Float64Array.from(scores.named ?? sentences.map(() => 0)),
    names: scores.names ?? [],
  };
}

const plain = (features: Features): Record<string, number[]> =>
  Object.fromEntries(Object.entries(features).map(([name, column]) => [name, [...column]]));
const near = (actual: readonly number[], expected: readonly number[], what: string): void => {
  assert.equal(actual.length, expected.length, what);
  for (const [at, value] of expected.entries())
    assert.ok(Math.abs(actual[at]! - value) < 1e-9, `${what}[${at}]: ${actual[at]} not ${value}`);
};

describe('overlap', () => {
  test('equals a slow computation for any texts, and lies between 0 and 1', () => {
    fc.assert(
      fc.property(sketches, sketch => {
        const { lanes, sentences } = sketch;
        const { sentence, withHeader } = overlapOf(viewOf(sketch));
        const held = sentences.map(({ text }) => contentStems(text));
        for (const [lane, question] of lanes.entries()) {
          const stems = [...contentStems(question)];
          const weight = (stem: string): number =>
            Math.log(
              1 + sentences.length / (1 + held.filter(heldStems => heldStems.has(stem)).length),
            );
          const all = stems.reduce((sum, stem) => sum + weight(stem), 0);
          const share = (has: (stem: string) => boolean): number =>
            all === 0 ? 0 : stems.filter(has).reduce((sum, stem) => sum + weight(stem), 0) / all;
          near(
            [...sentence[lane]!],
            held.map(heldStems => share(stem => heldStems.has(stem))),
            'sentence',
          );
          const headers = sentences.map(({ title = '' }) =>
            contentStems(`${title} | Coast Courier`),
          );
          near(
            [...withHeader[lane]!],
            held.map((heldStems, at) =>
              share(stem => heldStems.has(stem) || headers[at]!.has(stem)),
            ),
            'with header',
          );
          for (const value of [...sentence[lane]!, ...withHeader[lane]!])
            assert.ok(value >= 0 && value <= 1 + 1e-9);
        }
      }),
    );
  });
});

describe('features of the first stage', () => {
  test('hand-worked', () => {
    const { features, lanes } = firstFeatures(
      viewOf({
        lanes: ['q', 'lamp', 'rope'],
        sentences: [
          { document: 'a', text: 'The lamp of Quill burned.', title: 'Quill' },
          { document: 'a', text: `rope ${'and rope '.repeat(20)}` },
          { document: 'b', text: 'one two three four five six seven eight' },
        ],
        words: [
          [1, 0.5, 0],
          [1, 0.5, 0.25],
          [0, 1, 0.5],
        ],
        vectors: [
          [0.1, 0.2, 0.3],
          [1, 0, 0],
          [0, 0.5, -1],
        ],
        documents: [
          [0, 0, 0],
          [1, 1, 0],
          [0, 0, 1],
        ],
        own: [
          [0.5, 0.5, 0.5],
          [1, 1, 0],
          [0.5, 0.5, 0.5],
        ],
        source: [1, 1, 0],
        day: [1, -1, 0],
        names: ['Quill', 'Osk Maren'],
      }),
    );
    // Fit: one 1+1+1 = 3, 0.5+0+1 = 1.5, 0.25; two 0+0+0.25, 1+0.5+0.25 = 1.75, 0.5-1+0.75 = 0.25:
    // a tie goes to the earlier.
    assert.deepEqual([...lanes], [1, 2, 1]);
    const expected: Record<string, readonly number[]> = {
      'words of the question': [1, 0.5, 0],
      'words of any lane': [1, 1, 0.5],
      'words of its lane': [1, 1, 0.25],
      'words of another lane': [0, 0.5, 0.25],
      'vectors of any lane': [1, 0.5, 0],
      'vectors of its lane': [1, 0.5, 0],
      'vectors of another lane': [0, 0, -1],
      'documents of its lane': [1, 0, 0],
      'documents of any lane': [1, 1, 1],
      'lane names its source': [1, 0.5, 0],
      'question names its source': [1, 1, 0],
      'question names its day': [1, -1, 0],
      'best of its document': [3, 3, 0.25],
      'behind the best of its document': [0, -1.25, 0],
      'names in it': [0.5, 0, 0],
      'names in the title': [0.5, 0, 0],
      'rank in a lane': [1, 1, 1 / 2],
      'vector rank in a lane': [1, 1, 1 / 2],
      'a few words': [1, 0, 0],
      'a dozen words': [0, 0, 1],
      'many words': [0, 1, 0],
      'ends with a full stop': [1, 0, 0],
      'begins in lower case': [0, 1, 1],
      'logarithm of its words': [Math.log(6), Math.log(42), Math.log(9)],
      'logarithm of its capitalised words': [Math.log(2), 0, 0],
      'share of its words in the question': [0, 0, 0],
    };
    for (const [name, values] of Object.entries(expected)) near([...features[name]!], values, name);
  });

  test('the share of a candidate’s content words that the question has, whatever its clauses', () => {
    const { features } = firstFeatures(
      viewOf({
        lanes: ['Who bought the lamps?', 'the rope'],
        sentences: [
          { document: 'a', text: 'A lamp, and a rope, burned.' },
          { document: 'a', text: 'Lamps bought.' },
          { document: 'b', text: 'Of the' },
        ],
      }),
    );
    near([...features['share of its words in the question']!], [1 / 3, 1, 0], 'lamp of three');
  });

  test('candidates of equal score share a rank', () => {
    const { features } = firstFeatures(
      viewOf({
        lanes: ['q'],
        sentences: ['a', 'b', 'c', 'd'].map(document => ({ document, text: 'x' })),
        words: [[0.5, 1, 0.5, 0.2]],
      }),
    );
    near([...features['rank in a lane']!], [1 / 2, 1, 1 / 2, 1 / 4], 'places 1, 0, 1, 3');
    near([...features['vector rank in a lane']!], [1, 1, 1, 1], 'all equal');
    near([...features['words of another lane']!], [0, 0, 0, 0], 'one lane has no other');
  });
});

const word = fc.constantFrom(
  'lamp',
  'lamps',
  'rope',
  'Quill',
  'Osk',
  'Maren',
  'the',
  'sold',
  'Tarn',
  '2024',
  '東京',
  '',
);
const words = fc.array(word, { maxLength: 12 }).map(some => some.join(' '));
const score = fc.integer({ min: -64, max: 128 }).map(value => value / 64);
const sketches: fc.Arbitrary<Sketch> = fc
  .tuple(
    fc.array(words, { minLength: 1, maxLength: 4 }),
    fc.array(fc.record({ document: fc.constantFrom('a', 'b', 'c'), text: words }), {
      maxLength: 9,
    }),
  )
  .chain(([lanes, sentences]) => {
    const row = fc.array(score, { minLength: sentences.length, maxLength: sentences.length });
    const rows = fc.array(row, { minLength: lanes.length, maxLength: lanes.length });
    // A document has one title.
    const titled = sentences.map(one => ({ ...one, title: `${one.document} Quill` }));
    return fc.record({
      lanes: fc.constant(lanes),
      sentences: fc.constant(titled),
      names: fc.constant(['Quill', 'Osk Maren']),
      words: rows,
      vectors: fc.oneof(rows, fc.constant(lanes.map(() => sentences.map(() => 0)))),
      documents: rows,
      own: rows,
      source: row,
      day: row,
    });
  });

test('every feature is finite, for any view', () => {
  fc.assert(
    fc.property(sketches, sketch => {
      const view = viewOf(sketch);
      const { features, lanes } = firstFeatures(view);
      const { features: more, weights } = bridgesOf(
        view,
        features['words of the question']!,
        lanes,
      );
      for (const [name, column] of Object.entries({ ...features, ...more })) {
        assert.equal(column.length, view.candidates.length, name);
        assert.ok(column.every(Number.isFinite), `${name}: ${column}`);
      }
      for (const [bridge, weight] of weights)
        assert.ok(weight > 0 && weight <= 1, `${bridge}: ${weight}`);
      assert.ok(weights.size === 0 || [...weights.values()].includes(1));
    }),
  );
});

test('permuting the candidates permutes the features', () => {
  fc.assert(
    fc.property(sketches, fc.integer(), (sketch, seed) => {
      const order = shuffled(sketch.sentences.length, seed);
      const moved = <T>(values: readonly T[] | undefined): readonly T[] =>
        order.map(at => values![at]!);
      const rows = (values: Rows | undefined): Rows => values!.map(row => moved(row));
      const other = viewOf({
        ...sketch,
        sentences: moved(sketch.sentences),
        words: rows(sketch.words),
        vectors: rows(sketch.vectors),
        documents: rows(sketch.documents),
        own: rows(sketch.own),
        source: moved(sketch.source),
        day: moved(sketch.day),
      });
      const view = viewOf(sketch);
      const [a, b] = [firstFeatures(view), firstFeatures(other)];
      assert.deepEqual([...b.lanes], moved([...a.lanes]));
      for (const [name, column] of Object.entries(a.features))
        near([...b.features[name]!], moved([...column]), name);
      // Distinct scores: among equals the order of the candidates decides.
      const scores = Float64Array.from(sketch.sentences, (_, at) => at * 0.37);
      const [one, two] = [
        bridgesOf(view, scores, a.lanes),
        bridgesOf(other, Float64Array.from(moved([...scores])), b.lanes),
      ];
      for (const [name, column] of Object.entries(one.features))
        near([...two.features[name]!], moved([...column]), name);
      assert.deepEqual([...two.weights.keys()].sort(), [...one.weights.keys()].sort());
    }),
  );
});

function shuffled(size: number, seed: number): number[] {
  const random = mulberry32(seed);
  const keys = Array.from({ length: size }, () => random());
  return Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]!);
}

describe('bridges', () => {
  test('hand-worked: names that the question does not mention, weighted by the lanes that mention them', () => {
    const view = viewOf({
      lanes: ['Who founded the works of Tarn?', 'works', 'lamp'],
      sentences: [
        { document: 'a', text: 'Tarn has the works of Ines Quill.', title: 'Works' },
        { document: 'b', text: 'Quill lit the lamp.' },
        { document: 'a', text: 'Nobody signed Maren here.', title: 'Works' },
        { document: 'c', text: 'no names' },
      ],
    });
    const { weights, features } = bridgesOf(
      view,
      Float64Array.of(4, 3, 2, 1),
      Int32Array.of(1, 2, 1, 1),
    );
    const discount = (rank: number): number => 1 / (1 + 0.15 * rank);
    const quill = discount(0) + discount(1);
    assert.deepEqual(
      [...weights.keys()].sort(),
      ['ines', 'maren', 'quill', ...['nobody'].filter(name => weights.has(name))].sort(),
    );
    near(
      [weights.get('quill')!, weights.get('ines')!, weights.get('maren')!],
      [1, discount(0) / quill, discount(2) / quill],
      'weights',
    );
    near([...features['bridge in it']!], [1, 1, discount(2) / quill, 0], 'in it');
    near([...features['bridge in the title']!], [0, 0, 0, 0], 'in the title');
    near(
      [...features['rank discounts of its document']!],
      [discount(0) + discount(2), discount(1), discount(0) + discount(2), discount(3)],
      'rank discounts',
    );
  });

  test('a lane counts a name once, with its greatest rank discount', () => {
    const sentences = [
      { document: 'a', text: 'Maren' },
      { document: 'b', text: 'Maren and Osk' },
      { document: 'c', text: 'Osk' },
    ];
    const { weights } = bridgesOf(
      viewOf({ lanes: ['q', 'x', 'y'], sentences }),
      Float64Array.of(1, 2, 3),
      Int32Array.of(1, 1, 2),
    );
    // The third candidate ranks first, in lane 2: osk 1 + 1/1.15, maren 1/1.15.
    near([weights.get('osk')!, weights.get('maren')!], [1, 1 / 1.15 / (1 + 1 / 1.15)], 'weights');
  });

  test('only the best twenty candidates count', () => {
    const sentences = Array.from({ length: 25 }, (_, at) => ({
      document: `d${at}`,
      text: at === 20 ? 'Maren' : 'Osk',
    }));
    const scores = Float64Array.from(sentences, (_, at) => -at);
    const { weights, features } = bridgesOf(
      viewOf({ lanes: ['q'], sentences }),
      scores,
      new Int32Array(25),
    );
    assert.deepEqual([...weights], [['osk', 1]]);
    assert.deepEqual([features['bridge in it']![20], features['bridge in it']![24]], [0, 1]);
    assert.deepEqual(
      [
        features['rank discounts of its document']![20],
        features['rank discounts of its document']![19]! > 0,
      ],
      [0, true],
    );
  });

  test('no bridges if the question mentions every name, in any case, or there are no candidates', () => {
    const sentences = [{ document: 'a', text: 'Osk Maren’s prism', title: 'Maren' }];
    const { weights, features } = bridgesOf(
      viewOf({ lanes: ['who is osk maren'], sentences }),
      Float64Array.of(1),
      Int32Array.of(0),
    );
    assert.deepEqual(
      [weights.size, plain(features)],
      [
        0,
        { 'bridge in it': [0], 'bridge in the title': [0], 'rank discounts of its document': [1] },
      ],
    );
    const none = bridgesOf(
      viewOf({ lanes: ['q'], sentences: [] }),
      new Float64Array(0),
      new Int32Array(0),
    );
    assert.deepEqual(
      [none.weights.size, Object.values(none.features).map(column => column.length)],
      [0, [0, 0, 0]],
    );
  });
});
