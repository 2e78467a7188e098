/**
 * Tests the learning of chains on invented corpora: later hops, held-out questions, weights of data
 * sets, and reported steps.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Document } from '../../../src/core/corpus/document.ts';
import type { Example, Gold } from '../../../src/evaluation/example.ts';
import type { RankerWeights } from '../../../src/models/fact-ranker/fact-ranker.ts';
import type { SearchEngine } from '../../../src/search/engine.ts';
import { engineOf } from '../../../src/testing/strategy-run.ts';
import { PACKINGS } from './cross-validation.ts';
import { type ChainedSet, chainSteps, learnChains } from './fit-chains.ts';
import { PACKED_FIGURES } from './packed.ts';
import { NO_WEIGHTS, type RankedQuestion, rankedQuestions, WHOLE } from './ranked-question.ts';

const document = (id: string, title: string, text: string): Document => ({
  id,
  title,
  text,
  metadata: {},
});
const WORKS = 'Quill Amber Thorn Basalt Cinder Dapple Ember Flint Garnet Hollow'.split(' ');
const PEOPLE = 'Ferrow Osk Lindqvist Maren Tolliver Brandt Castor Duvall Eskil Farrow'.split(' ');
const QUAYS = 'Dunmar Pellow Sorrel Tamsin Ulver Vesper Wexmoor Yarrow Zennor Alder'.split(' ');

/**
 * Chains of three documents: only the first shares a word with its question, and each contains the
 * name of the next.
 */
const CHAINS = WORKS.map((works, at) => {
  const [person, quay] = [`Ines ${PEOPLE[at]}`, `${QUAYS[at]} Quay`];
  return {
    question: `In which town was the founder of the ${works} Works born?`,
    documents: [
      document(
        `works-${at}`,
        `${works} Works`,
        `Lamps are made there. The founder of the ${works} Works is ${person}.`,
      ),
      document(
        `person-${at}`,
        person,
        `An uncle raised ${person} beside ${quay}. Cats are kept there.`,
      ),
      document(`quay-${at}`, quay, `Boats moor at ${quay} below a hill. Gulls nest there.`),
    ],
    facts: [
      `The founder of the ${works} Works is ${person}.`,
      `An uncle raised ${person} beside ${quay}.`,
      `Boats moor at ${quay} below a hill.`,
    ],
  };
});
const DOCUMENTS = [
  ...CHAINS.flatMap(({ documents }) => documents),
  ...['bell', 'rope', 'hat', 'glove'].map(what =>
    document(
      what,
      `the ${what} maker`,
      `The ${what} maker was born in a town. The founder of the works makes a ${what}.`,
    ),
  ),
];
const EXAMPLES = CHAINS.map(({ question, documents, facts }): Example => {
  const gold = documents.map(({ id, title, text }, at): Gold => {
    const start = text.indexOf(facts[at]!);
    assert.ok(start >= 0);
    return { documentId: id, title, fact: facts[at]!, span: [start, start + facts[at]!.length] };
  });
  return { id: question, question: { id: question, text: question }, answers: ['Yes'], gold };
});

type Change = (question: RankedQuestion, at: number) => RankedQuestion;
type Asked = readonly [hops: number, weights: RankerWeights];

interface SpiedSet extends ChainedSet {
  readonly asked: Asked[];
}

/** `change` is applied to each question before learning. */
function setOf(
  name: string,
  examples: readonly Example[],
  engine: SearchEngine,
  change: Change = question => question,
): SpiedSet {
  const asked: Asked[] = [];
  const { signal } = new AbortController();
  return {
    name,
    engine,
    asked,
    async ranked(hops, weights) {
      asked.push([hops, weights]);
      const questions: RankedQuestion[] = [];
      const asking = {
        engine,
        retriever: 'lexical',
        signal,
        clock: () => 0,
        hops,
        weights,
        documents: true,
      };
      for await (const question of rankedQuestions({ examples }, asking))
        questions.push(change(question, questions.length));
      return questions;
    },
  };
}

const nothing = async (): Promise<void> => {};
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const isHeld = (at: number): boolean => at % 5 === 4;

const engine = engineOf(DOCUMENTS);
const other: Change = question => ({ ...question, right: question.right.map(yes => !yes) });

/** Returns the weights of the fifth call, which were fitted without the held-out questions. */
const heldOutWeights = ({ asked }: SpiedSet): RankerWeights => asked[4]![1];

/**
 * Returns the weights of the first stages, fitted without every fifth question: sets receive them
 * with the next call.
 */
async function weightsAfter(stages: number, sets: readonly ChainedSet[]): Promise<RankerWeights> {
  let asked = 0;
  let found: RankerWeights | undefined;
  const ended = new Error('known by now');
  const [first, ...rest] = sets;
  const ending: ChainedSet = {
    ...first!,
    ranked(hops, weights) {
      if (asked++ < stages) return first!.ranked(hops, weights);
      found = weights;
      throw ended;
    },
  };
  await assert.rejects(learnChains([ending, ...rest], nothing), error => {
    if (error !== ended) throw error;
    return true;
  });
  return found!;
}

let chained: SpiedSet;
let learnt: Awaited<ReturnType<typeof learnChains>>;
before(async () => {
  chained = setOf('chains', EXAMPLES, engine);
  learnt = await learnChains([chained], nothing);
});

/**
 * Returns the mean share of gold facts among the candidates of held-out questions, an upper bound
 * for any ranking of them.
 */
async function reachable(hops: number, weights: RankerWeights): Promise<number> {
  const questions = (await setOf('', EXAMPLES, engine).ranked(hops, weights)).filter((_, at) =>
    isHeld(at),
  );
  return mean(
    questions.map(({ gold, view }) =>
      mean(
        gold.map(({ documentId, span }) =>
          Number(
            view.found.some(
              ({ hit }) =>
                hit.documentId === documentId && hit.start < span[1] && span[0] < hit.end,
            ),
          ),
        ),
      ),
    ),
  );
}

describe('later hops', () => {
  test('held-out questions keep facts that fewer hops cannot find', async () => {
    const [{ FactRecall, questions }] = learnt.heldOut as [(typeof learnt.heldOut)[number]];
    const weights = heldOutWeights(chained);
    const [none, once] = [await reachable(0, weights), await reachable(1, weights)];
    assert.equal(questions, 2);
    assert.ok(Math.abs(none - 1 / 3) < 1e-9, `found without later hops: ${none}`);
    assert.ok(Math.abs(once - 2 / 3) < 1e-9, `found in one round: ${once}`);
    assert.ok(FactRecall > once + 0.1, `kept: ${FactRecall}`);
  });

  test('each stage is fitted on the candidates of the previous stages', () => {
    const hops = chained.asked.map(([asked]) => asked);
    assert.deepEqual(hops, [0, 1, 2, 2, 2, 0, 1, 2, 2]);
    for (const from of [0, 5]) {
      const [start, first, second, packed] = chained.asked
        .slice(from)
        .map(([, weights]) => weights);
      assert.deepEqual(start, NO_WEIGHTS);
      assert.deepEqual([first!.second, Object.keys(first!.first).length > 10], [{}, true]);
      assert.deepEqual(
        [second!.first, Object.keys(second!.second).length > Object.keys(second!.first).length],
        [first!.first, true],
      );
      assert.deepEqual(packed!.first, first!.first);
      assert.notDeepEqual(packed!.second, second!.second);
      if (from === 0)
        assert.deepEqual({ ...heldOutWeights(chained), packing: NO_WEIGHTS.packing }, packed);
      else assert.deepEqual({ ...learnt.weights, packing: NO_WEIGHTS.packing }, packed);
    }
    for (const { packing } of [learnt.weights, heldOutWeights(chained)])
      assert.ok(PACKINGS.includes(packing));
  });
});

describe('held-out questions', () => {
  test('neither labels nor features of held-out questions change the weights by which they are measured', async () => {
    const weights = heldOutWeights(chained);
    const changes: readonly Change[] = [
      other,
      question => ({ ...question, gold: [{ documentId: 'bell', span: WHOLE }] }),
      question => ({
        ...question,
        first: Object.fromEntries(
          Object.entries(question.first).map(([name, row]) => [name, row.map(x => 9 - x)]),
        ),
      }),
    ];
    for (const [index, change] of changes.entries()) {
      const set = setOf('changed', EXAMPLES, engine, (question, at) =>
        isHeld(at) ? change(question, at) : question,
      );
      // The packing is chosen from the fifth call on.
      assert.deepEqual(await weightsAfter(4, [set]), weights, `change ${index}`);
    }
  });
});

describe('several data sets', () => {
  const FEW = 5;
  const few = EXAMPLES.slice(0, FEW);
  /** Repeats the questions of a set. */
  const times = (set: ChainedSet, count: number): ChainedSet => ({
    ...set,
    ranked: async (hops, weights) => {
      const questions = await set.ranked(hops, weights);
      return Array.from({ length: count }, () => questions).flat();
    },
  });
  /** A set with inverted labels. */
  const contrary = setOf('contrary', EXAMPLES.slice(FEW, 2 * FEW), engine, other);
  const plain = setOf('plain', few, engine);
  /**
   * Takes the first four of each five questions: if five are repeated, the same ones are always
   * held out.
   */
  const firstOf = async (...sets: readonly ChainedSet[]): Promise<RankerWeights['first']> =>
    (await weightsAfter(1, sets)).first;

  const questionsOf = (set: ChainedSet): Promise<readonly RankedQuestion[]> =>
    set.ranked(0, NO_WEIGHTS);
  /**
   * Returns the mean lead of the right candidates of a set over the others, in the unit of the
   * weights.
   */
  async function lead(set: ChainedSet, weights: RankerWeights['first']): Promise<number> {
    return mean(
      (await questionsOf(set)).map(({ first, right }) => {
        const scores = right.map((_, at) =>
          Object.entries(weights).reduce(
            (sum, [name, weight]) => sum + weight * first[name]![at]!,
            0,
          ),
        );
        return (
          mean(scores.filter((_, at) => right[at])) - mean(scores.filter((_, at) => !right[at]))
        );
      }),
    );
  }

  test('weigh equally, regardless of their numbers of questions', async () => {
    const even = await lead(plain, await firstOf(plain, contrary));
    const many = await lead(plain, await firstOf(plain, times(contrary, 8)));
    // All in one set, where the larger number prevails.
    const pooled: ChainedSet = {
      ...plain,
      ranked: async (hops, weights) => [
        ...(await plain.ranked(hops, weights)),
        ...(await times(contrary, 8).ranked(hops, weights)),
      ],
    };
    const outvoted = await lead(plain, await firstOf(pooled));
    assert.ok(
      Math.abs(many - even) < 0.15 * Math.abs(outvoted - even),
      `even ${even}, many ${many}, outvoted ${outvoted}`,
    );
  });
});

describe('runs', () => {
  for (const [count, planned] of [
    [1, 7],
    [2, 16],
    [3, 21],
  ] as const)
    test(`of ${count} sets have ${planned} steps, and figures of every fifth question`, async () => {
      let steps = 0;
      const names = ['x', 'y', 'z'].slice(0, count);
      const { heldOut, elsewhere } = await learnChains(
        names.map((name, at) => setOf(name, EXAMPLES.slice(0, at === 0 ? 2 : 5), engine)),
        async () => void steps++,
      );
      assert.deepEqual([steps, chainSteps(count)], [planned, planned]);
      for (const all of count > 1 ? [heldOut, elsewhere] : [heldOut])
        assert.deepEqual(
          all.map(({ name, questions }) => [name, questions]),
          names.map((name, at) => [name, Math.min(at, 1)]),
        );
      for (const figures of [...heldOut, ...elsewhere])
        for (const name of PACKED_FIGURES) assert.ok(figures[name] >= 0 && figures[name] <= 1);
    });
});
