/**
 * Training runs over a small world where the next hop can be learnt: what is learnt, when it stops,
 * and that a run that goes on is the same run.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InputError } from '../../../src/core/errors.ts';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { initialParameters } from '../../../src/models/tree-hop/parameters.ts';
import { prepareTreeHop, type TreeHop } from '../../../src/models/tree-hop/tree-hop.ts';
import type { TrainingQuestion } from '../training-question.ts';
import { HeldOutEvaluation } from './held-out.ts';
import { lossCurve } from './loss-curve.ts';
import { batchOf } from './training-batches.ts';
import { type EpochRecord, questionLoss, type TrainingData, TrainingRun } from './training-run.ts';
import { trainingSet } from './training-set.ts';
import { PUBLISHED_TRAINING, type TrainingSettings } from './training-settings.ts';
import { readTrainingState, writeTrainingState } from './training-state.ts';

const D = 12;
const WORLD = 6;

function unit(values: readonly number[]): number[] {
  const length = Math.hypot(...values);
  return values.map(value => value / length);
}

/**
 * Each question is near its first passage; the second has that one's numbers, turned by one place.
 * A tenth of the questions are left for looking. Every context also holds the passages of five
 * others, so that nearness to the question tells nothing of the second.
 */
function world(count: number, longer = false): TrainingData {
  const random = mulberry32(WORLD);
  const normal = () => random() + random() + random() - 1.5;
  const firsts = Array.from({ length: count }, () => unit(Array.from({ length: D }, normal)));
  const turned = (vector: readonly number[]) => [...vector.slice(1), vector[0]!];
  const title = (at: number, hop: number) => `${at % count}.${hop}`;
  const hops = longer ? [0, 1, 2] : [0, 1];
  const questions = firsts.map((_, at): TrainingQuestion => {
    const titles = [0, 1, 2, 3, 4, 5].flatMap(other => hops.map(hop => title(at + other * 7, hop)));
    return {
      dataset: 'musique',
      id: String(at),
      type: 'made',
      text: `q${at}`,
      ownContext: true,
      supporting: [],
      evidences: [],
      order: [],
      paragraphs: titles.map(name => ({ title: name, text: name })),
      steps: hops.map(hop => ({ question: hop === 0 ? 'first' : `of #${hop}`, paragraph: hop })),
    };
  });
  const set = trainingSet(questions, { negatives: 5, seed: 2 });
  const vectorOf = (name: string): number[] => {
    const [at, hop] = name.split('.').map(Number);
    let vector: readonly number[] = firsts[at!]!;
    for (let turn = 0; turn < hop!; turn++) vector = turned(vector);
    return [...vector];
  };
  const noisy = firsts.map(first => unit(first.map(value => value + 0.1 * normal())));
  const all = set.examples.map((_, at) => at);
  return {
    set,
    vectors: {
      d: D,
      questions: Float32Array.from(noisy.flat()),
      paragraphs: Float32Array.from(set.paragraphs.flatMap(({ title: name }) => vectorOf(name))),
    },
    learnt: all.filter(at => at % 10 !== 0),
    heldOut: all.filter(at => at % 10 === 0),
    identity: { encoder: 'made' },
  };
}

const SETTINGS: TrainingSettings = {
  ...PUBLISHED_TRAINING,
  shape: { d: D, g: 24, m: 24, nMlp: 1, heads: 1 },
  rate: 3e-3,
  epochs: 12,
  batch: 16,
  patience: 0,
};

function epoch(run: TrainingRun): EpochRecord {
  const steps = run.learn();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
function finish(run: TrainingRun): TrainingRun {
  while (!run.finished) epoch(run);
  return run;
}
const bytesOf = (run: TrainingRun): Uint8Array => writeTrainingState(run.state());

test('learns a learnable hop: the held-out loss falls far below that of h = q', () => {
  const data = world(160);
  const run = finish(new TrainingRun(data, { ...SETTINGS, epochs: 24 }));
  const { heldOutLoss, scores } = run.baseline();
  const { best } = run;
  assert.ok(best.heldOutLoss! < 0.35 * heldOutLoss!, `${best.heldOutLoss} and ${heldOutLoss}`);
  assert.ok(
    best.scores!.nextHop > 0.8 && best.scores!.nextHop > scores!.nextHop + 0.4,
    JSON.stringify([best.scores, scores]),
  );
  // Two hops find more than as many passages for the question alone.
  assert.ok(best.scores!.hop2 > best.scores!.directAtEqualK + 0.2, JSON.stringify(best.scores));
  assert.equal(scores!.hop2, scores!.hop1);
  const losses = run.history.slice(1).map(({ trainingLoss }) => trainingLoss!);
  assert.ok(losses.at(-1)! < 0.5 * losses[0]!, String(losses));
});

describe('a resumed run', () => {
  const data = world(40, true);
  const settings = { ...SETTINGS, epochs: 4 };
  const whole = finish(new TrainingRun(data, settings));
  test('ends with the same bits, from any stop', () => {
    for (const stop of [0, 1, 2, 3, 4]) {
      const first = new TrainingRun(data, settings);
      for (let done = 0; done < stop; done++) epoch(first);
      // Stopped in the middle of an epoch, which is lost.
      const saved = bytesOf(first);
      if (!first.finished) first.learn().next();
      const second = finish(new TrainingRun(data, settings, readTrainingState(saved)));
      assert.deepEqual(bytesOf(second), bytesOf(whole), `stopped after ${stop}`);
      assert.deepEqual(second.history, whole.history);
    }
  });
  test('may take more epochs, and refuses other changes by name', () => {
    const state = readTrainingState(bytesOf(whole));
    assert.equal(new TrainingRun(data, { ...settings, epochs: 5 }, state).finished, false);
    const changes: readonly (readonly [string, TrainingData, TrainingSettings])[] = [
      ['seed', data, { ...settings, seed: 9 }],
      ['rate', data, { ...settings, rate: 1e-3 }],
      ['variant', data, { ...settings, variant: 'no-c' }],
      ['encoder', { ...data, identity: { encoder: 'other' } }, settings],
    ];
    for (const [name, other, changed] of changes)
      assert.throws(
        () => new TrainingRun(other, changed, state),
        (error: unknown) =>
          InputError.is(error) && error.code === 'other-run' && error.message.includes(`"${name}"`),
      );
  });
});

test('a resumed run with dropout and cosine has the same bits and epochs', () => {
  const data = world(40, true);
  const settings = {
    ...SETTINGS,
    epochs: 3,
    schedule: 'cosine',
    dropout: 0.2,
    lossNegatives: 'pool',
  } as const;
  const whole = finish(new TrainingRun(data, settings));
  for (const stop of [0, 1, 2]) {
    const first = new TrainingRun(data, settings);
    for (let done = 0; done < stop; done++) epoch(first);
    const saved = bytesOf(first);
    first.learn().next();
    assert.deepEqual(
      bytesOf(finish(new TrainingRun(data, settings, readTrainingState(saved)))),
      bytesOf(whole),
      `stopped after ${stop}`,
    );
  }
  const { schedule, dropout, epochs } = whole.state().notes;
  assert.deepEqual(
    { schedule, dropout, epochs },
    { schedule: 'cosine', dropout: '0.2', epochs: '3' },
  );
  for (const change of [{ epochs: 4 }, { dropout: 0 }, { schedule: 'constant' as const }])
    assert.throws(() => new TrainingRun(data, { ...settings, ...change }, whole.state()), {
      code: 'other-run',
    });
  // Each of the two is another run.
  const losses = [
    whole,
    ...[{ dropout: 0 }, { schedule: 'constant' as const }].map(change =>
      finish(new TrainingRun(data, { ...settings, ...change })),
    ),
  ];
  assert.equal(new Set(losses.map(({ history }) => history.at(-1)!.heldOutLoss)).size, 3);
});

test('excludes gold from the negatives of the pool, but not the passage found before', () => {
  const data = world(20, true);
  const batch = batchOf(data.set.examples, data.vectors, [3], 'pool')!;
  const gold = data.set.examples[3]!.records.map(({ positive }) => positive);
  // Updates: from the first passage to the second, and from there to the third.
  assert.deepEqual([...batch.pool!.positives], [gold[1], gold[2]]);
  assert.deepEqual(batch.pool!.excluded, [[gold[2]], [gold[0]]]);
  assert.equal(batch.negatives.length, 0);
});

test('differs by seed and variant', () => {
  const data = world(30);
  const short = { ...SETTINGS, epochs: 1 };
  const loss = (settings: TrainingSettings) =>
    finish(new TrainingRun(data, settings)).best.heldOutLoss!;
  const losses = [
    loss(short),
    loss({ ...short, seed: 2 }),
    ...(['no-q', 'no-c', 'no-gate'] as const).map(variant => loss({ ...short, variant })),
  ];
  assert.equal(new Set(losses).size, losses.length, String(losses));
  const still = new TrainingRun(data, { ...SETTINGS, variant: 'no-gate', epochs: 9 });
  assert.deepEqual(still.parameters(), finish(still).parameters());
  assert.equal(still.epoch, 1, 'nothing to learn in a second epoch');
});

test('training ends when no epoch is better for long enough, and keeps the best', () => {
  const run = finish(
    new TrainingRun(world(40), { ...SETTINGS, rate: 0.3, epochs: 40, patience: 2 }),
  );
  assert.equal(run.epoch, run.best.epoch + 2);
  const found = run.history.slice(1).map(({ scores }) => scores!.hop2);
  assert.equal(run.best.scores!.hop2, Math.max(...found));
  const without = finish(
    new TrainingRun({ ...world(40), heldOut: [] }, { ...SETTINGS, epochs: 3, patience: 1 }),
  );
  assert.equal(without.best.epoch, 3);
  assert.equal(without.best.scores, null);
});

test('refuses data that cannot be trained on', () => {
  const data = world(20);
  const refused = (code: string, make: () => unknown) =>
    assert.throws(make, (error: unknown) => InputError.is(error) && error.code === code);
  refused('nothing-to-learn', () => new TrainingRun({ ...data, learnt: [] }, SETTINGS));
  refused(
    'wrong-dimensions',
    () =>
      new TrainingRun(
        { ...data, vectors: { ...data.vectors, questions: new Float32Array(5) } },
        SETTINGS,
      ),
  );
  for (const bad of [
    { epochs: 0 },
    { batch: 1.5 },
    { patience: -1 },
    { k: 0 },
    { outputScale: Number.NaN },
    { valueScale: -1 },
    { dropout: 1 },
    { dropout: -0.1 },
  ])
    refused('bad-setting', () => new TrainingRun(data, { ...SETTINGS, ...bad }));
  refused('bad-optimiser', () => new TrainingRun(data, { ...SETTINGS, rate: -1 }));
});

/** The whole loop for one question, as slow and plain as possible: two hops, pruned by rank. */
function slowTwoHops(
  { set, vectors }: TrainingData,
  question: number,
  treeHop: TreeHop,
  k: number,
): number[] {
  const row = (values: Float32Array, at: number) => values.slice(at * D, (at + 1) * D);
  const best = (query: Float32Array) =>
    set.paragraphs
      .map((_, item) => ({
        item,
        score: row(vectors.paragraphs, item).reduce((sum, value, i) => sum + value * query[i]!, 0),
      }))
      .sort((a, b) => b.score - a.score || a.item - b.item)
      .slice(0, k);
  const q = row(vectors.questions, question);
  const first = best(q).map(({ item }) => item);
  const candidates = first.flatMap(item => {
    const h = treeHop.update(q, row(vectors.paragraphs, item));
    const length = Math.hypot(...h);
    return best(h.map(value => value / length)).filter(found => !first.includes(found.item));
  });
  candidates.sort((a, b) => b.score - a.score);
  return [...new Set([...first, ...candidates.slice(0, k).map(({ item }) => item)])];
}

test('two hops on questions held out are those of the slow loop', () => {
  const data = world(60);
  const treeHop = prepareTreeHop(initialParameters(SETTINGS.shape, mulberry32(4), 0.3));
  const evaluation = new HeldOutEvaluation(data.set.examples, data.vectors, data.heldOut, 3);
  const { hop2, averageK, questions } = evaluation.scores(treeHop);
  const kept = data.heldOut.map(question => slowTwoHops(data, question, treeHop, 3));
  const hits = kept.map(
    (items, at) =>
      data.set.examples[data.heldOut[at]!]!.records.filter(({ positive }) =>
        items.includes(positive),
      ).length,
  );
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  assert.equal(questions, 6);
  assert.equal(hop2, sum(hits) / 12);
  assert.equal(averageK, sum(kept.map(({ length }) => length)) / 6);
  const single = evaluation.scores(treeHop, ({ id }) => id === '0');
  assert.equal(single.questions, 1);
});

test('the next hop is sought among the passages that are not on the path, worked by hand', () => {
  // The question finds paragraph 0, then 2, then 1; as its own next query it finds 2 first after 0,
  // and 1 second.
  const records = [
    { path: [], positive: 0, negatives: [1] },
    { path: [0], positive: 1, negatives: [2] },
  ];
  const vectors = {
    d: 2,
    questions: Float32Array.of(1, 0),
    paragraphs: Float32Array.of(1, 0, 0.6, 0.8, 0.8, 0.6),
  };
  const nextHop = (k: number): number =>
    new HeldOutEvaluation([{ records }] as never, vectors, [0], k).scores(undefined).nextHop;
  assert.deepEqual([nextHop(1), nextHop(2)], [0, 1]);
});

test('the loss of h = q, worked by hand', () => {
  const examples = [
    {
      records: [
        { path: [], positive: 0, negatives: [1] },
        { path: [0], positive: 1, negatives: [2] },
      ],
    },
  ] as never;
  const vectors = {
    d: 2,
    questions: Float32Array.of(1, 0),
    paragraphs: Float32Array.of(1, 0, 0, 1, 0.6, 0.8),
  };
  // Logits 0 / τ and 0.6 / τ with τ = 0.5: the loss is log(1 + exp 1.2).
  assert.ok(
    Math.abs(questionLoss(examples, vectors, [0], 0.5) - Math.log(1 + Math.exp(1.2))) < 1e-6,
  );
});

test('draws the losses as three lines without NaN', () => {
  const history = [0, 1, 2].map(at => ({
    epoch: at,
    trainingLoss: at === 0 ? null : 1 / at,
    heldOutLoss: 1.2 / (at + 1),
    scores: null,
  }));
  const svg = lossCurve({ title: 'a < b', history, best: 2, baseline: 1.5 });
  assert.equal(svg.match(/class="line"/g)?.length, 3);
  assert.ok(svg.includes('a &lt; b; epoch 2 was kept') && !/NaN|undefined|Infinity/.test(svg));
  assert.equal(
    lossCurve({ title: '', history, best: 2, baseline: null }).match(/class="line"/g)?.length,
    2,
  );
});
