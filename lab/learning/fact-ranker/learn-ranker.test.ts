/**
 * Tests the learning of the ranker on the project's invented corpus: gold labels, separation of
 * folds, and figures.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import type { DataSet, Example, Gold } from '../../../src/evaluation/example.ts';
import { foldsOf } from '../../../src/evaluation/fitting/folds.ts';
import { FIXTURE_DOCUMENTS } from '../../../src/testing/fixture-corpus.ts';
import { engineOf } from '../../../src/testing/strategy-run.ts';
import { learnRanker, PACKINGS } from './cross-validation.ts';
import { candidateKey, fitRanker, type Stages } from './fit-ranker.ts';
import { packedFigures, scored } from './packed.ts';
import { defaultLanes, type RankedQuestion, rankedQuestions } from './ranked-question.ts';

const engine = engineOf(FIXTURE_DOCUMENTS);

/** Returns the sentence of the document that begins with a text. */
function fact(documentId: string, begins: string, ends = '.'): Gold {
  const { text, title } = FIXTURE_DOCUMENTS.find(({ id }) => id === documentId)!;
  const start = text.indexOf(begins);
  const end = text.indexOf(ends, start) + 1;
  assert.ok(start >= 0 && end > start);
  return { documentId, title, fact: text.slice(start, end), span: [start, end] };
}

const example = (text: string, ...gold: readonly Gold[]): Example => ({
  id: text,
  question: { id: text, text },
  answers: ['Yes'],
  gold,
});

const SOLD = fact('lighthouse-sold', 'The lighthouse');
const ROPE = fact('boat-builder', 'The boat builder');
const EXAMPLES: readonly Example[] = [
  example(
    'Who is the buyer of the lighthouse at Harrow Point, and who founded the works in Tarn?',
    SOLD,
    fact('lighthouse-sold', 'Its buyer'),
  ),
  example(
    'Did the Tarn Gazette report that the works opened a second furnace?',
    fact('quill-works', 'The Quill Works'),
  ),
  example('Who was given the Silver Prism in the town of Vell?', fact('osk-maren', 'Osk Maren')),
  example(
    'How many clear nights did the observatory count this winter?',
    fact('vell-observatory', 'The Vell'),
  ),
  example(
    'Did the council of Tarn measure the smoke of its furnaces?',
    fact('furnace-smoke', 'The council'),
  ),
  example(
    'When does the harbour fair take place, and how many tickets did it sell?',
    fact('harbour-fair', 'The harbour'),
    fact('harbour-fair', 'The fair'),
  ),
  example('Did the boat builder Lund buy the old ropewalk at Harrow Point?', ROPE),
  example(
    'How long was the longest rope, and when was the ropewalk built?',
    fact('ropewalk-history', 'Its longest'),
    fact('ropewalk-history', 'The ropewalk'),
  ),
  example(
    'Was the lighthouse sold for more crowns than the ropewalk that the boat builder has bought?',
    SOLD,
    ROPE,
  ),
  example('For how many crowns was the lighthouse at Harrow Point sold on Friday?', SOLD),
];
const dataSet = (examples: readonly Example[]): DataSet =>
  ({ name: 'fiction', documents: FIXTURE_DOCUMENTS, examples }) as unknown as DataSet;

async function ranked(
  examples: readonly Example[],
  retriever = 'lexical',
): Promise<RankedQuestion[]> {
  const questions: RankedQuestion[] = [];
  const { signal } = new AbortController();
  for await (const question of rankedQuestions(dataSet(examples), {
    engine,
    retriever,
    signal,
    clock: () => 0,
  }))
    questions.push(question);
  return questions;
}

let questions: RankedQuestion[] = [];
before(async () => {
  questions = await ranked(EXAMPLES);
});
const options = (settings = {}) => ({
  folds: 3,
  settings: { ...defaultLanes(), ...settings },
  engine,
});

describe('questions', () => {
  test('labels a candidate as right if it is a sentence of a fact, and aligns texts with documents', () => {
    assert.equal(questions.length, EXAMPLES.length);
    for (const [index, { view, right, gold, lanes, first }] of questions.entries()) {
      assert.deepEqual(
        gold,
        EXAMPLES[index]!.gold.map(({ documentId, span }) => ({ documentId, span })),
      );
      assert.equal(lanes.length, right.length);
      for (const column of Object.values(first)) assert.equal(column.length, right.length);
      for (const [at, text] of view.texts.entries())
        assert.equal(
          right[at],
          EXAMPLES[index]!.gold.some(({ fact: said }) => said!.includes(text.text)),
          text.text,
        );
      assert.ok(right.includes(true));
    }
  });

  test('labels both sentences of a fact, and skips questions without a located fact', async () => {
    const two = {
      documentId: 'quill-works',
      title: '',
      span: [0, FIXTURE_DOCUMENTS[1]!.text.indexOf('The works employs') - 1] as const,
    };
    const [only, ...more] = await ranked([
      example('Whose furnace is it?'),
      example('Whose second furnace in Tarn did the founder open?', {
        documentId: 'quill-works',
        title: '',
      }),
      example(
        'Which works of Tarn opened a second furnace, whose founder studied under the lens grinder?',
        two,
      ),
    ]);
    assert.equal(more.length, 0);
    const texts = only!.view.texts.filter((_, at) => only!.right[at]).map(({ text }) => text);
    assert.deepEqual(texts.sort(), [
      'Its founder studied under the lens grinder Osk Maren.',
      'The Quill Works of Tarn opened a second furnace this week.',
    ]);
  });
});

describe('fitting', () => {
  test('fits both stages, ignoring unseen candidates', () => {
    const [some] = questions;
    const unseen = new Set(
      some!.right.flatMap((yes, at) => (yes ? [candidateKey(some!.view, at)] : [])),
    );
    const stages = fitRanker(questions, unseen);
    assert.deepEqual(
      Object.keys(stages.second).slice(0, Object.keys(stages.first).length),
      Object.keys(stages.first),
    );
    const turned = questions.map(question => ({
      ...question,
      right: question.right.map((yes, at) =>
        unseen.has(candidateKey(question.view, at)) ? !yes : yes,
      ),
    }));
    assert.deepEqual(fitRanker(turned, unseen), stages);
    assert.notDeepEqual(fitRanker(questions), stages);
    assert.deepEqual(fitRanker([]), { first: {}, second: {} });
  });
});

describe('cross-validation', () => {
  test('is deterministic; a mean is the mean of its folds', async () => {
    const steps: string[] = [];
    const learnt = await learnRanker(questions, {
      ...options(),
      onStep: async (done, total) => void steps.push(`${done}/${total}`),
    });
    assert.deepEqual(await learnRanker(await ranked(EXAMPLES), options()), learnt);
    const total = 3 + PACKINGS.length + 1;
    assert.deepEqual(
      steps,
      Array.from({ length: total }, (_, at) => `${at + 1}/${total}`),
    );
    assert.equal(learnt.folds.length, 3);
    assert.equal(
      learnt.folds.reduce((sum, fold) => sum + fold.questions, 0),
      questions.length,
    );
    for (const name of ['FactRecall', 'AllFacts', 'GroundedRecall', 'GroundedEM'] as const) {
      const mean =
        learnt.folds.reduce((sum, fold) => sum + fold[name] * fold.questions, 0) / questions.length;
      assert.ok(Math.abs(learnt.heldOut[name] - mean) < 1e-12 && mean >= 0 && mean <= 1, name);
    }
    for (const { packing } of [...learnt.folds, learnt.weights])
      assert.ok(PACKINGS.includes(packing));
    assert.deepEqual(
      { first: learnt.weights.first, second: learnt.weights.second },
      fitRanker(questions),
    );
  });

  test('ranks and packs a fold by the other folds', async () => {
    // A hint that is seldom right, and random lanes, so that the packing matters.
    const random = mulberry32(4);
    const unsure = questions.map(question => ({
      ...question,
      lanes: question.lanes.map((_, at) => at % 3),
      first: { hint: Float64Array.from(question.right, yes => random() + (yes ? 0.3 : 0)) },
    }));
    const settings = options({ tokens: 120 });
    const learnt = await learnRanker(unsure, settings);
    const fold = foldsOf(questions.length, 3);
    const goldOf = (questions: readonly RankedQuestion[]): Set<string> =>
      new Set(
        questions.flatMap(({ view, right }) =>
          right.flatMap((yes, at) => (yes ? [candidateKey(view, at)] : [])),
        ),
      );
    const sums: number[][] = [];
    const recalls: number[][] = [];
    for (const [at, question] of unsure.entries()) {
      const heldOut = unsure.filter((_, index) => fold[index] === fold[at]);
      const others = unsure.filter((_, index) => fold[index] !== fold[at]);
      const scores = scored(question, fitRanker(others, goldOf(heldOut)));
      const figures = await Promise.all(
        PACKINGS.map(packing =>
          packedFigures(question, scores, packing, settings.settings, engine),
        ),
      );
      sums.push(
        figures.map(
          figure => figure.FactRecall + figure.AllFacts + figure.GroundedRecall + figure.GroundedEM,
        ),
      );
      recalls.push(figures.map(({ FactRecall }) => FactRecall));
    }
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const [held, outcome] of learnt.folds.entries()) {
      const byPacking = PACKINGS.map((_, packing) =>
        mean(sums.filter((_, at) => fold[at] !== held).map(row => row[packing]!)),
      );
      const chosen = PACKINGS.indexOf(outcome.packing);
      assert.ok(byPacking[chosen]! > Math.max(...byPacking) - 1e-12, `fold ${held}: ${byPacking}`);
      assert.ok(
        Math.abs(
          outcome.FactRecall -
            mean(recalls.filter((_, at) => fold[at] === held).map(row => row[chosen]!)),
        ) < 1e-12,
      );
    }
  });

  /** Adds a single feature that memorises the known sentences: 1 on those, 0 on others. */
  const byHeart = (
    questions: readonly RankedQuestion[],
    known: (id: string) => boolean,
  ): RankedQuestion[] =>
    questions.map(question => ({
      ...question,
      first: {
        'by heart': Float64Array.from(question.view.found, ({ hit }) => Number(known(hit.id))),
      },
    }));

  test('does not know a held-out fact that serves questions of several folds', async () => {
    const shared = (
      await ranked(
        [
          'Was the lighthouse at Harrow Point sold?',
          'Who sold the lighthouse?',
          'Which lamp and lighthouse was sold on Friday?',
        ]
          .flatMap(text => [text, `${text} Tell me.`, `Tell me: ${text}`])
          .map(text => example(text, SOLD)),
      )
    ).map(question => ({ ...question, lanes: new Int32Array(question.lanes.length) }));
    const fold = foldsOf(shared.length, 3);
    assert.equal(new Set(fold).size, 3);
    const gold = new Set(
      shared.flatMap(({ view, right }) =>
        right.flatMap((yes, at) => (yes ? [candidateKey(view, at)] : [])),
      ),
    );
    assert.equal(gold.size, 1);
    const heart = byHeart(shared, id => gold.has(id));
    // Zero weights rank by the order of the candidates, which is reversed so that the fact is not
    // first by chance.
    const turned = heart.map(backwards);
    const learnt = await learnRanker(turned, options({ tokens: 30, fill: false }));
    assert.ok(learnt.weights.first['by heart']! > 1);
    assert.deepEqual(learnt.heldOut, {
      FactRecall: 0,
      AllFacts: 0,
      GroundedRecall: 0,
      GroundedEM: 0,
    });
    // Checks that a leak would show: with the weights that know the fact every question keeps it.
    const figures = await packedFigures(
      turned[0]!,
      scored(turned[0]!, learnt.weights),
      learnt.weights.packing,
      options({ tokens: 30 }).settings,
      engine,
    );
    assert.equal(figures.FactRecall, 1);
  });
});

/** Returns the question with its candidates in reverse order. */
function backwards(question: RankedQuestion): RankedQuestion {
  const { view } = question;
  const turned = <T>(rows: readonly T[]): T[] => [...rows].reverse();
  const rows = (vectors: readonly Float64Array[]): Float64Array[] =>
    vectors.map(row => row.toReversed());
  return {
    ...question,
    right: turned(question.right),
    lanes: question.lanes.toReversed(),
    first: Object.fromEntries(
      Object.entries(question.first).map(([name, column]) => [name, column.toReversed()]),
    ),
    view: {
      ...view,
      candidates: turned(view.candidates),
      found: turned(view.found),
      texts: turned(view.texts),
      documentsOf: turned(view.documentsOf),
      sourceOf: turned(view.sourceOf),
      words: rows(view.words),
      vectors: rows(view.vectors),
      documents: rows(view.documents),
      own: rows(view.own),
      source: view.source.toReversed(),
      day: view.day.toReversed(),
    },
  };
}

describe('packed figures', () => {
  const stages: Stages = { first: { reason: 1 }, second: { reason: 1 } };
  const packing = { lane: 0, source: 0, price: 0 };
  const figures = async (
    question: RankedQuestion,
    rightness: (at: number) => number,
    tokens: number,
  ) => {
    const ranked = {
      ...question,
      first: { reason: Float64Array.from(question.right, (_, at) => rightness(at)) },
    };
    return packedFigures(
      ranked,
      scored(ranked, stages),
      packing,
      { ...defaultLanes(), tokens },
      engine,
    );
  };

  test('measures all, one or none of two facts of a document', async () => {
    const [question] = questions;
    const { right, view } = question!;
    assert.deepEqual(await figures(question!, at => Number(right[at]), 60), {
      FactRecall: 1,
      AllFacts: 1,
      GroundedRecall: 1,
      GroundedEM: 1,
    });
    const sold = view.found.findIndex(
      ({ hit }) => hit.documentId === SOLD.documentId && hit.start === 0,
    );
    // 14 words and a header of ten fit, nothing else.
    assert.deepEqual(await figures(question!, at => Number(at === sold), 25), {
      FactRecall: 0.5,
      AllFacts: 0,
      GroundedRecall: 1,
      GroundedEM: 1,
    });
    assert.deepEqual(await figures(question!, at => Number(right[at]), 1), {
      FactRecall: 0,
      AllFacts: 0,
      GroundedRecall: 0,
      GroundedEM: 0,
    });
  });
});
