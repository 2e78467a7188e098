/**
 * Checks the ranker's file: valid ones are accepted, invalid ones name the fault, and the shipped
 * one has provenance; and checks the linear score.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { InputError } from '../../core/errors.ts';
import { bridgesOf } from './bridge-features.ts';
import written from './fact-ranker.json' with { type: 'json' };
import { type FactRanker, RANKER_KINDS, readFactRanker, scoresOf } from './fact-ranker.ts';
import { firstFeatures } from './features.ts';
import { linksOf } from './link-features.ts';
import { SENTENCE_FORMS } from './sentence-form.ts';
import { shippedRanker } from './shipped.ts';
import { TextWords, Vocabulary } from './text-words.ts';

const vocabulary = new Vocabulary();

const refused = (value: unknown): void =>
  assert.throws(
    () => readFactRanker(value),
    (error: unknown) => InputError.is(error) && error.code === 'bad-ranker',
  );

/** Returns a copy with another value at the path; `undefined` removes it. */
function changed(path: readonly string[], value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(written));
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key];
  if (value === undefined) delete at[path.at(-1)!];
  else at[path.at(-1)!] = value;
  return copy;
}

describe('reading', () => {
  test('the shipped ranker is accepted unchanged', () => {
    assert.equal(readFactRanker(written), written);
    assert.deepEqual(readFactRanker(JSON.parse(JSON.stringify(written))), written);
  });

  test('an error names the missing part', () => {
    for (const path of [
      ['format'],
      ['rankers'],
      ['provenance'],
      ...RANKER_KINDS.flatMap(kind => [
        ['rankers', kind],
        ...['first', 'second', 'packing', 'packing.lane', 'packing.source', 'packing.price'].map(
          part => ['rankers', kind, ...part.split('.')],
        ),
      ]),
    ]) {
      refused(changed(path, undefined));
      for (const wrong of [null, '1', [], [1], true]) refused(changed(path, wrong));
    }
    assert.throws(
      () => readFactRanker(changed(['rankers', 'vectors', 'packing', 'price'], undefined)),
      /packing\.price of "vectors"/,
    );
    assert.throws(() => readFactRanker(changed(['rankers', 'words', 'first'], null)), /"words"/);
    assert.throws(
      () => readFactRanker(changed(['format'], 'multihop fact-ranker 2')),
      /multihop fact-ranker 1/,
    );
  });

  test('a weight that is not a finite number is refused, in any stage of any kind', () => {
    for (const kind of RANKER_KINDS)
      for (const part of ['first', 'second', 'packing'])
        for (const wrong of [null, '1', Number.NaN, Number.POSITIVE_INFINITY, [1], {}]) {
          const copy = JSON.parse(JSON.stringify(written));
          copy.rankers[kind][part]['words of the question'] = wrong;
          refused(copy);
        }
  });

  test('any JSON is accepted or refused with an input error', () => {
    const keys = fc.constantFrom(
      'format',
      'rankers',
      'provenance',
      ...RANKER_KINDS,
      'first',
      'second',
      'packing',
      '__proto__',
    );
    const { value } = fc.letrec(tie => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, 0, 'multihop fact-ranker 1', true),
        fc.array(tie('value'), { maxLength: 2 }),
        tie('record'),
      ),
      record: fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), value), given => refused(given)));
    refused(undefined);
    const path = fc.constantFrom(
      ['format'],
      ['rankers'],
      ['rankers', 'vectors'],
      ['rankers', 'vectors', 'first'],
      ['rankers', 'words', 'packing'],
      ['provenance'],
    );
    fc.assert(
      fc.property(path, fc.jsonValue(), (at, wrong) => {
        try {
          readFactRanker(changed(at, wrong));
        } catch (error) {
          assert.ok(InputError.is(error) && error.code === 'bad-ranker', String(error));
        }
      }),
    );
  });
});

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

  test('provenance names the command, the data set, its files, the number of questions, and figures on held-out questions', () => {
    const { provenance } = written as unknown as FactRanker;
    const origins = Object.entries(provenance) as [string, Record<string, unknown>][];
    assert.ok(origins.length > 0);
    for (const [kind, origin] of origins.filter(([kind]) => !kind.startsWith('open-'))) {
      assert.ok((RANKER_KINDS as readonly string[]).includes(kind));
      assert.match(origin['trainedBy'] as string, /^multihop \d+\.\d+\.\d+ learn fact-ranker$/);
      for (const key of ['dataset', 'retriever'])
        assert.ok(typeof origin[key] === 'string' && origin[key] !== '', key);
      for (const key of ['questions', 'folds'])
        assert.ok(Number.isInteger(origin[key]) && (origin[key] as number) > 1, key);
      for (const hash of Object.values(origin['files'] as Record<string, string>))
        assert.match(hash, /^[0-9a-f]{64}$/);
      const figures = origin['heldOut'] as Record<string, number>;
      assert.deepEqual(Object.keys(figures).sort(), [
        'AllFacts',
        'FactRecall',
        'GroundedEM',
        'GroundedRecall',
      ]);
      for (const figure of Object.values(figures)) assert.ok(figure > 0 && figure <= 1);
    }
  });

  test('provenance of an open kind names the train sets, their files, and figures of each on held-out questions and when trained on the others', () => {
    const { provenance } = written as unknown as FactRanker;
    const origins = (Object.entries(provenance) as [string, OpenOrigin][]).filter(([kind]) =>
      kind.startsWith('open-'),
    );
    assert.equal(origins.length, 2);
    for (const [kind, { trainedBy, retriever, train, heldOut, elsewhere }] of origins) {
      assert.ok((RANKER_KINDS as readonly string[]).includes(kind));
      assert.match(trainedBy, /^multihop \d+\.\d+\.\d+ learn chain-ranker$/);
      assert.ok(retriever !== '');
      for (const { dataset, questions, file } of train)
        assert.ok(dataset !== '' && questions >= 100 && /^[0-9a-f]{64}$/.test(file));
      for (const figures of [heldOut, elsewhere]) {
        assert.deepEqual(
          figures.map(({ name }) => name),
          train.map(({ dataset }) => dataset),
        );
        for (const { FactRecall, AllFacts } of figures)
          assert.ok(AllFacts > 0 && AllFacts <= FactRecall && FactRecall <= 1);
      }
    }
  });

  test('a kind without provenance of its own shares the weights of a kind with provenance', () => {
    const { provenance, rankers } = written as unknown as FactRanker;
    const known = RANKER_KINDS.filter(kind => Object.hasOwn(provenance, kind)).map(kind =>
      JSON.stringify(rankers[kind]),
    );
    for (const kind of RANKER_KINDS) assert.ok(known.includes(JSON.stringify(rankers[kind])), kind);
  });
});

interface OpenOrigin {
  readonly trainedBy: string;
  readonly retriever: string;
  readonly train: readonly {
    readonly dataset: string;
    readonly questions: number;
    readonly file: string;
  }[];
  readonly heldOut: readonly {
    readonly name: string;
    readonly FactRecall: number;
    readonly AllFacts: number;
  }[];
  readonly elsewhere: OpenOrigin['heldOut'];
}

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
