/**
 * Tests the learning of EfficientRAG-lite: alignment and lessons by hand, thresholds against a slow
 * search, and networks on small problems.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Hop, Trace } from '../../../src/core/trace/trace.ts';
import { type Features, probabilityOf } from '../../../src/models/efficient-rag/network.ts';
import { readWords } from '../../../src/models/efficient-rag/words.ts';
import type { TrainingQuestion } from '../training-question.ts';
import { align, placeOf } from './align.ts';
import { loopOutcome, loopScores } from './held-out-recall.ts';
import { lessonOf, queryOf } from './lesson.ts';
import { samplesOf, termWeights } from './lite-samples.ts';
import { trainNetwork } from './network-training.ts';
import { operatingPoint, type Scored } from './operating-point.ts';

const marks = (labels: readonly boolean[]): string => labels.map(Number).join(' ');

describe('alignment', () => {
  test('aligns the second "Aceh" with the second occurrence', () => {
    const words = readWords('The Alas people inhabit Southeast Aceh Regency Aceh Indonesia');
    assert.equal(
      marks(align(words, readWords('Alas Southeast Aceh Regency Aceh Indonesia'))),
      '0 1 0 0 1 1 1 1 1',
    );
  });
  const stems = (text: string) => text.split(' ').map(stem => ({ stem }));
  test('prefers later words at equal distance, and marks no word twice', () => {
    assert.equal(marks(align(stems('a x b x a'), stems('b a'))), '0 0 1 0 1');
    assert.equal(marks(align(stems('x y a y x'), stems('a x x x'))), '1 0 1 0 1');
    assert.equal(marks(align(stems('a'), stems('z'))), '0');
  });
  test('does not reach a word at distance 150, and advances the cursor by at most 75', () => {
    const far = (at: number, length = 400) =>
      Array.from({ length }, (_, index) => ({ stem: index === at ? 'a' : 'x' }));
    assert.equal(align(far(149), stems('a'))[149], true);
    assert.equal(align(far(150), stems('a'))[150], false);
    const two = far(140).map((word, index) =>
      index === 225 || index === 224 ? { stem: index === 224 ? 'b' : 'c' } : word,
    );
    // From 75 on, 224 is within reach and 225 is not.
    assert.deepEqual([align(two, stems('a b'))[224], align(two, stems('a c'))[225]], [true, false]);
  });
  test('finds a whole phrase', () => {
    assert.equal(placeOf(stems('a b a b c'), stems('a b c')), 2);
    assert.deepEqual(
      [placeOf(stems('a b'), stems('b a')), placeOf(stems('a'), [])],
      [undefined, undefined],
    );
  });
});

const BASE = { ownContext: true, evidences: [], steps: [], order: [] } as const;

describe('lessons', () => {
  test('triples: drops subject and relation and appends the object, level by level', () => {
    const question: TrainingQuestion = {
      ...BASE,
      dataset: '2wiki',
      id: 'q',
      type: 'compositional',
      text: 'Who is the mother of the director of film Iron Lamp?',
      paragraphs: [
        { title: 'Iron Lamp', text: 'Iron Lamp is a 1961 film directed by Marta Quellen.' },
        { title: 'Other', text: 'Another film.' },
        { title: 'Marta Quellen', text: 'Marta Quellen was born to Ines Quill.' },
      ],
      supporting: ['Iron Lamp', 'Marta Quellen'],
      evidences: [
        ['Iron Lamp', 'director', 'Marta Quellen'],
        ['Marta Quellen', 'mother', 'Ines Quill'],
      ],
    };
    const { rounds, sentences } = lessonOf(question);
    assert.deepEqual(
      rounds.map(({ query, chunks, last }) => [
        query,
        chunks.map(({ paragraph, info }) => [paragraph, info]),
        last,
      ]),
      [
        [question.text, [[0, 'Iron Lamp Marta Quellen']], false],
        ['Who is the mother of the Marta Quellen', [[2, 'Marta Quellen Ines Quill']], true],
      ],
    );
    // "Who is the mother of the director of film Iron Lamp", then "Iron Lamp Marta Quellen".
    assert.equal(marks(sentences[0]!.labels), '1 1 1 1 1 1 0 0 0 0 0 0 0 1 1');
    assert.equal(queryOf(sentences[0]!), rounds[1]!.query);
  });

  test('a decomposition: drops the words of the sub-question and appends its answer', () => {
    const question: TrainingQuestion = {
      ...BASE,
      dataset: 'musique',
      id: '2hop__1',
      type: '2hop',
      text: 'Who leads the firm that built the Vell clock?',
      paragraphs: [
        { title: 'Vell clock', text: 'The clock of Vell was built by Quill Works.' },
        { title: 'Quill Works', text: 'Its head is Ines Quill.' },
      ],
      supporting: ['Vell clock', 'Quill Works'],
      steps: [
        { question: 'Who built the Vell clock?', paragraph: 0, answer: 'Quill Works' },
        { question: 'Who leads #1?', paragraph: 1, answer: 'Ines Quill' },
      ],
    };
    assert.deepEqual(
      lessonOf(question).rounds.map(({ query }) => query),
      [question.text, 'Who leads the firm that Quill Works'],
    );
  });

  test('the order of HotpotQA: appends the second title; the useful words of the second paragraph are unknown', () => {
    const question: TrainingQuestion = {
      ...BASE,
      dataset: 'hotpotqa',
      id: 'q',
      type: 'bridge',
      text: 'Who leads the firm behind the Vell clock?',
      order: [1, 0],
      paragraphs: [
        { title: 'Quill Works (firm)', text: 'Quill Works is led by Ines Quill.' },
        { title: 'Vell clock', text: 'The Vell clock is a work of Quill Works.' },
      ],
      supporting: ['Quill Works (firm)', 'Vell clock'],
    };
    const { rounds } = lessonOf(question);
    assert.deepEqual(
      rounds.map(({ chunks }) => chunks[0]!.info),
      ['Vell clock Quill Works', ''],
    );
    assert.equal(rounds[1]!.chunks[0]!.labels, undefined);
    assert.equal(rounds[1]!.query, 'Who leads the firm behind the Quill Works');
  });

  test('a comparison has one round and no next query; an unresolved question has none', () => {
    const side: TrainingQuestion = {
      ...BASE,
      dataset: 'hotpotqa',
      id: 'q',
      type: 'comparison',
      text: 'Which is older, A or B?',
      paragraphs: ['A', 'B'].map(title => ({ title, text: `${title} is old.` })),
      supporting: ['A', 'B'],
    };
    const { rounds, sentences } = lessonOf(side);
    assert.deepEqual([rounds.length, rounds[0]!.last, sentences], [1, true, []]);
    assert.deepEqual(lessonOf({ ...side, type: 'bridge' }), { rounds: [], sentences: [] });
    assert.deepEqual(lessonOf({ ...side, text: ' ' }), { rounds: [], sentences: [] });
  });
});

describe('thresholds', () => {
  test('by hand', () => {
    const scored: Scored[] = [0.9, 0.8, 0.7, 0.1].map((probability, at) => ({
      probability,
      label: at !== 1 && at !== 3,
    }));
    // Precisions at the true items: 1 and 2/3. F1: 2/3 at 0.9, 1/2 at 0.8, 4/5 at 0.7, 2/3 at 0.1.
    const point = operatingPoint(scored, 1);
    assert.deepEqual(
      [point.threshold, point.precision, point.recall, point.averagePrecision],
      [0.7, 2 / 3, 1, (1 + 2 / 3) / 2],
    );
    assert.deepEqual(
      [
        operatingPoint([], 1).threshold,
        operatingPoint([{ probability: 0.5, label: false }], 2).averagePrecision,
      ],
      [1, 0],
    );
  });
  test('is as good as the best of a slow search over all thresholds', () => {
    const thing = fc.record({
      probability: fc.integer({ min: 0, max: 8 }).map(n => n / 8),
      label: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(thing, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(0.5, 1, 2),
        (scored, beta) => {
          const f = (threshold: number): number => {
            const yes = scored.filter(({ probability }) => probability >= threshold);
            const [hits, all] = [yes, scored].map(
              list => list.filter(({ label }) => label).length,
            ) as [number, number];
            return hits === 0 ? 0 : ((1 + beta * beta) * hits) / (yes.length + beta * beta * all);
          };
          const best = Math.max(...scored.map(({ probability }) => f(probability)));
          assert.ok(Math.abs(f(operatingPoint(scored, beta).threshold) - best) < 1e-12);
        },
      ),
    );
  });
});

describe('networks', () => {
  const thing = (x: number, y: number, crossed: number[] = []): Features => ({
    dense: Float64Array.from([x, y]),
    crossed,
  });
  const corners = [0, 1].flatMap(x =>
    [0, 1].map(y => ({ features: thing(x, y), label: (x ^ y) === 1 })),
  );
  const many = Array.from({ length: 400 }, (_, at) => corners[at % 4]!);
  const settings = { hidden: 8, buckets: 0, epochs: 20, rate: 0.3, seed: 3 };
  const right = (network: ReturnType<typeof trainNetwork>) =>
    corners.filter(({ features, label }) => probabilityOf(network, features) > 0.5 === label)
      .length;

  test('learn exclusive or with hidden units, but not without', () => {
    const network = trainNetwork(many, 2, settings);
    assert.equal(right(network), 4);
    assert.ok(right(trainNetwork(many, 2, { ...settings, hidden: 0 })) < 4);
  });
});

describe('samples', () => {
  const documents = ['Iron Lamp', 'Red Vale', 'Marta Quellen', 'Lamp'].map((title, at) => ({
    id: String(at),
    title,
    metadata: {},
    text: `${title} is ${at === 0 ? 'a film by Marta Quellen' : 'something else'}.`,
  }));
  const document = (id: string) => documents[Number(id)]!;
  const gold = new Set(['0', '2']);
  const weights = termWeights(documents);

  test('takes retrieved chunks, words of gold paragraphs with known labels, and words of sentences', async () => {
    const question: TrainingQuestion = {
      ...BASE,
      dataset: 'hotpotqa',
      id: 'q',
      type: 'bridge',
      text: 'Where does the maker of Iron Lamp live?',
      order: [0, 2],
      paragraphs: documents,
      supporting: ['Iron Lamp', 'Marta Quellen'],
    };
    const lesson = lessonOf(question);
    const asked: string[] = [];
    const samples = await samplesOf(
      { question, lesson, gold },
      document,
      weights,
      async queries => {
        asked.push(...queries);
        return queries.map((_, round) => (round === 0 ? ['3', '0'] : ['2', '1', '0']));
      },
    );
    assert.deepEqual(asked, [question.text, 'Where does the maker of live Marta Quellen']);
    assert.equal(marks(samples.chunks.map(({ label }) => label)), '0 1 1 0 1');
    // Iron Lamp is a film by Marta Quellen
    assert.equal(marks(samples.words.map(({ label }) => label)), '1 1 0 0 0 0 1 1');
    assert.equal(samples.filter.length, lesson.sentences[0]!.labels.length);
  });
});

describe('the loop on held-out questions', () => {
  const item = (id: string) => ({ id, documentId: id, search: { hop: 0, search: 0 }, score: 1 });
  const hit = (id: string) => ({ ...item(id), start: 0, end: 1 });
  const hop = (hits: string, kept: string, repeated: string): Hop => ({
    searches: [{ retriever: 'r', unit: 'document', hits: [...hits].map(hit) }],
    kept: [...kept].map(item),
    rejected: [...repeated].map(id => ({ id, search: { hop: 0, search: 0 }, why: 'repeated' })),
    spent: {},
  });
  const outcome = loopOutcome(
    { hops: [hop('xayb', 'a', ''), hop('ab', 'b', 'a')] } as unknown as Trace,
    new Set(['a', 'b', 'c']),
  );
  test('counts a chunk that two rounds keep once in recall, and twice in K with repetitions', () => {
    assert.deepEqual([outcome.recall, outcome.k, outcome.rawK, outcome.rounds], [2 / 3, 2, 3, 2]);
  });
  test('measures the first K of the first search', () => {
    assert.equal(outcome.directAtOwnK, 1 / 3);
    assert.deepEqual(outcome.direct, [0, 0, 1 / 3, 1 / 3, 2 / 3]);
    const other = { ...outcome, k: 3, directAtOwnK: 1 / 3 };
    // Mean K 2.5: the mean of the recalls at 2 and at 3.
    assert.equal(loopScores([outcome, other]).directAtMeanK, 1 / 3);
    assert.equal(
      loopScores([
        { ...outcome, k: 4 },
        { ...outcome, k: 3 },
      ]).directAtMeanK,
      (1 / 3 + 2 / 3) / 2,
    );
  });
});
