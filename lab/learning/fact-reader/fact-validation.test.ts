/** Tests the figures of the fact reader on decisions that are given, by hand. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { emptyTrace } from '../../../src/evaluation/empty-trace.ts';
import type { Example } from '../../../src/evaluation/example.ts';
import type { Decision } from '../../../src/readers/fact-reader/decide.ts';
import type { Prepared } from '../../../src/readers/fact-reader/prepare.ts';
import {
  chosenThresholds,
  figuresOf,
  type HeldOut,
  heldOutDecisions,
  majorityOfReadTypes,
} from './fact-validation.ts';

const ROW = { strategy: '', retriever: '', context: '', reader: '', budget: {} };
const RULE = { support: 0.5, form: false };

interface Drawn {
  readonly gold?: string;
  readonly said?: string;
  readonly type?: string;
  readonly support?: number;
  readonly fold?: number;
}

let drawn = 0;
function heldOut({
  gold = 'Elm',
  said = 'Elm',
  type = 'inference',
  support = 1,
  fold = 0,
}: Drawn): HeldOut {
  const id = `q${drawn++}`;
  const question = { id, text: 'Who is it?' };
  const prepared = {
    form: 'entity',
    type: new Map(),
    answerable: new Map(),
    byForm: new Map(),
    candidates: ['Elm', 'Oak'].map(text => ({
      name: { text, mentions: [] },
      features: new Map([[text, 1]]),
    })),
    fullName: ({ name }: { name: { text: string } }) => name.text,
    reading: { question: question.text, facts: [], sentences: [] },
  } as unknown as Prepared;
  const decision: Decision = {
    type,
    support,
    supportByForm: support,
    draft: { form: 'span', text: said, sentences: [], share: 1, others: [] },
  };
  const example: Example = {
    id,
    type,
    question,
    answers: [gold],
    gold: type === 'null' ? [] : [{ documentId: 'a', title: '' }],
  };
  const sample = { example, trace: emptyTrace(question, ROW), input: { prepared, evidence: [] } };
  return { sample, fold, decision };
}

describe('thresholds', () => {
  const fold = (at: number, answerable: number): HeldOut[] => [
    ...Array.from({ length: 10 }, () => heldOut({ support: answerable, fold: at })),
    heldOut({ type: 'null', gold: 'Insufficient information.', support: 0.1, fold: at }),
    heldOut({ type: 'null', gold: 'Insufficient information.', support: 0.9, fold: at }),
  ];

  test('are the highest that refuse few answerable questions of the other folds', () => {
    const { threshold, folds } = chosenThresholds([
      ...fold(0, 0.3),
      ...fold(1, 0.5),
      ...fold(2, 0.7),
    ]);
    // The others of fold 0 lie at 0.5 and 0.7, those of folds 1 and 2 at 0.3 and more.
    assert.deepEqual(
      folds.map(each => each.threshold),
      [0.5, 0.3, 0.3],
    );
    assert.equal(threshold, 0.3);
    assert.deepEqual(
      folds.map(({ abstainedNull, refusedAnswerable }) => [abstainedNull, refusedAnswerable]),
      [
        [0.5, 1],
        [0.5, 0],
        [0.5, 0],
      ],
    );
  });
});

test('decisions about a fold are those of a model of the other folds', () => {
  const held = [0, 1].flatMap(fold =>
    Array.from({ length: 20 }, () => heldOut({ gold: fold === 0 ? 'Elm' : 'Oak', fold })),
  );
  const decided = heldOutDecisions(
    held.map(({ sample }) => sample),
    held.map(({ fold }) => fold),
    2,
  );
  for (const { fold, decision } of decided)
    assert.equal(decision?.draft?.text, fold === 0 ? 'Oak' : 'Elm');
});

describe('figures', () => {
  test('of questions that are all answerable have no share of refused null questions', () => {
    const figures = figuresOf([heldOut({}), heldOut({ gold: 'Oak' })], RULE);
    assert.equal(figures['QaAccuracy(strict)'], 0.5);
    assert.equal('AbstainedNull' in figures, false);
    assert.equal(figures.RefusedAnswerable, 0);
  });

  test('of the control are those of the most frequent answer of a type', () => {
    const elms = Array.from({ length: 30 }, () => heldOut({}));
    const oaks = Array.from({ length: 10 }, () => heldOut({ gold: 'Oak' }));
    assert.deepEqual(majorityOfReadTypes([...elms, ...oaks], RULE), {
      'QaAccuracy(official)': 0.75,
      'QaAccuracy(strict)': 0.75,
    });
  });
});
