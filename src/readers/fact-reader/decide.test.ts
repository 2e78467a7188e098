/** Tests decisions of the fact reader by invented weights: forms, ties, shares and citations. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FactModel } from '../../models/fact-reader/fact-checkpoint.ts';
import type { LinearModel } from '../../models/linear-model.ts';
import { type Decision, decide } from './decide.ts';
import type { Candidate } from './entity-features.ts';
import type { Prepared } from './prepare.ts';

/** A model that adds up the features of a name. */
const sum = (feature: string, bias = 0, outputs = ['only']): LinearModel => ({
  outputs,
  bias: outputs.map((_, at) => bias - at),
  weights: new Map([[feature, outputs.map(() => 1)]]),
});
const MODEL: FactModel = {
  type: sum('t', 0, ['comparison', 'inference', 'temporal']),
  answerable: sum('answerable'),
  form: sum('form'),
  entity: sum('fits'),
} as unknown as FactModel;

interface Given {
  readonly form: Prepared['form'];
  readonly values?: Readonly<Record<string, number>>;
  readonly candidates?: readonly Candidate[];
  /** For each clause, its best sentence and the shares of the sentences. */
  readonly facts?: readonly (readonly [best: number | undefined, shares: readonly number[]])[];
  readonly full?: ReadonlyMap<string, string>;
  readonly date?: Prepared['date'];
}

function decided(
  { form, values = {}, candidates = [], facts = [], full = new Map(), date }: Given,
  model = MODEL,
): Decision {
  const features = new Map(Object.entries(values));
  const reading = { facts: facts.map(([best, shares]) => ({ best, shares })) };
  const prepared = {
    reading,
    form,
    candidates,
    date,
    fullName: ({ name }: Candidate) => full.get(name.text) ?? name.text,
    type: features,
    answerable: features,
    byForm: features,
  };
  return decide(prepared as unknown as Prepared, model);
}

const candidate = (text: string, fits: number, ...sentences: (number | undefined)[]): Candidate =>
  ({
    name: { text, common: false, mentions: sentences.map(sentence => ({ part: 0, sentence })) },
    features: new Map([['fits', fits]]),
  }) as unknown as Candidate;

const sigmoid = (score: number): number => 1 / (1 + Math.exp(-score));

describe('type and support', () => {
  test('a type that contradicts the form is excluded', () => {
    assert.equal(decided({ form: 'verdict' }).type, 'comparison');
    assert.equal(decided({ form: 'entity' }).type, 'inference');
    assert.equal(decided({ form: 'date' }).type, 'inference');
    const model = { ...MODEL, type: sum('t', 0, ['inference', 'temporal', 'comparison']) };
    assert.equal(decided({ form: 'verdict' }, model).type, 'temporal');
  });

  test('support comes from the evidence, and beside it from the words of the question', () => {
    const { support, supportByForm } = decided({
      form: 'date',
      values: { answerable: 1, form: -2 },
    });
    assert.equal(support, sigmoid(1));
    assert.equal(supportByForm, sigmoid(-2));
  });

  test('a question for yes or no has no draft, even with candidates', () => {
    const candidates = [candidate('Velo', 1, 0)];
    assert.equal(decided({ form: 'verdict', candidates }).draft, undefined);
  });

  test('the draft of a date is what rules found, of half a share', () => {
    const date = { text: '5 May 2025', sentence: 3 };
    assert.deepEqual(decided({ form: 'date', date }).draft, {
      form: 'span',
      text: '5 May 2025',
      sentences: [3],
      share: 0.5,
      others: [],
    });
    assert.equal(decided({ form: 'date' }).draft, undefined);
  });
});

describe('names', () => {
  test('the best score wins, equal ones by name; three more are listed with their shares', () => {
    const candidates = [
      ...[candidate('Dunmarrow', 0, 0), candidate('Castlenook', 0, 0), candidate('Velo', 1, 0)],
      ...[candidate('Brightwater', 0, 0), candidate('Elm', -1, 0)],
    ];
    const all = Math.E + 3 + 1 / Math.E;
    const { text, share, others } = decided({ form: 'entity', candidates }).draft!;
    assert.equal(text, 'Velo');
    assert.ok(Math.abs(share - Math.E / all) < 1e-12);
    assert.deepEqual(
      others.map(each => each.text),
      ['Brightwater', 'Castlenook', 'Dunmarrow'],
    );
    for (const other of others) assert.ok(Math.abs(other.share - 1 / all) < 1e-12);
  });

  test('great scores keep finite shares', () => {
    const candidates = [candidate('Velo', 2000, 0), candidate('Elm', 1000, 0)];
    const { share, others } = decided({ form: 'entity', candidates }).draft!;
    assert.deepEqual([share, others], [1, [{ text: 'Elm', share: 0 }]]);
  });

  test('answers and the others are full names', () => {
    const candidates = [candidate('Quist', 1, 0), candidate('Arn', 0, 0)];
    const full = new Map([
      ['Quist', 'Mara Quist'],
      ['Arn', 'Bo Arn'],
    ]);
    const { text, others } = decided({ form: 'entity', candidates, full }).draft!;
    assert.deepEqual([text, others.map(each => each.text)], ['Mara Quist', ['Bo Arn']]);
  });

  test('no candidate, no draft', () => {
    assert.equal(decided({ form: 'entity' }).draft, undefined);
  });
});

describe('cited sentences', () => {
  const cited = (
    sentences: (number | undefined)[],
    facts: Given['facts'] = [],
  ): readonly number[] =>
    decided({ form: 'entity', facts, candidates: [candidate('Velo', 0, ...sentences)] }).draft!
      .sentences;

  test('are, for each clause, the best that hold the name, the earliest of equals', () => {
    const facts = [
      [0, [9, 1, 5, 5]],
      [0, [9, 8, 5, 5]],
      [0, [9, 1, 5, 5]],
    ] as const;
    assert.deepEqual(cited([undefined, 1, 2, 3, 3], facts), [2, 1]);
  });

  test('are all that hold it if the question has no clause, four at most', () => {
    assert.deepEqual(cited([5, 4, 5, 3, 2, 1]), [5, 4, 3, 2]);
  });

  test('are the paired facts if titles alone hold it: distinct, in order, four at most', () => {
    const facts = [4, undefined, 3, 4, 2, 1, 0].map(best => [best, []] as const);
    assert.deepEqual(cited([undefined], facts), [4, 3, 2, 1]);
    assert.deepEqual(cited([undefined]), []);
  });
});
