import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyTrace } from '../../../src/evaluation/empty-trace.ts';
import type { Decision } from '../../../src/readers/fact-reader/decide.ts';
import type { Prepared } from '../../../src/readers/fact-reader/prepare.ts';
import { fitFacts } from './fact-training.ts';
import type { HeldOut } from './fact-validation.ts';
import { heldOutControls } from './held-out-controls.ts';

const ROW = { strategy: '', retriever: '', context: '', reader: '', budget: {} };

interface Drawn {
  readonly question: string;
  readonly gold: string;
  readonly said: string;
  readonly claim?: number;
  readonly swapped?: boolean;
}

function heldOut({ question, gold, said, claim = 0, swapped = false }: Drawn): HeldOut {
  const of = { id: question, text: question };
  const prepared = {
    ...{ form: 'verdict', candidates: [], type: new Map(), answerable: new Map() },
    ...{ byForm: new Map(), verdict: new Map(), claim: new Map([['fact:share', claim]]) },
    reading: { question, facts: [], sentences: [] },
  } as unknown as Prepared;
  const decision: Decision = {
    ...{ type: 'comparison', support: 1, supportByForm: 1 },
    draft: { text: said, sentences: [], share: 1, others: [] },
  };
  const example = { id: question, type: 'comparison', question: of, answers: [gold], gold: [] };
  const sample = { example, trace: emptyTrace(of, ROW), input: { prepared, evidence: [] } };
  return { sample: { ...sample, swapped }, fold: 0, decision, alone: decision };
}

test('counts the answers of both switches, and what goes away with the evidence', () => {
  const own = [
    heldOut({ question: 'Is a so?', gold: 'Yes', said: 'Yes' }),
    heldOut({ question: 'Is b so?', gold: 'No', said: 'Yes' }),
  ];
  const swapped = [heldOut({ question: 'Is a so?', gold: 'Yes', said: 'No', swapped: true })];
  const controls = heldOutControls(own, swapped, 0.5);
  const mean = (row: string): number | undefined => controls[row]!['comparison']?.[0];
  assert.equal(mean('prior=on'), 0.5);
  assert.equal(mean('prior=on, answered'), 1);
  assert.equal(mean('prior=off'), 0);
  assert.equal(mean('prior=off, answered'), 0);
  assert.equal(mean('prior=off, right of answered'), undefined);
  assert.equal(mean('own-evidence'), 0.5);
  assert.equal(mean('swapped-evidence'), 0);
  assert.equal(mean('EvidenceReliance'), 1);
});

test('claims are learnt without a bias, and from evidence that supports none', () => {
  const drawn = Array.from({ length: 40 }, (_, index): Drawn[] => [
    { question: `Is ${index} so?`, gold: 'Yes', said: 'Yes', claim: 1 },
    { question: `Is ${index} so?`, gold: 'Yes', said: 'Yes', claim: -1, swapped: true },
  ]).flat();
  const samples = drawn.map(one => heldOut(one).sample);
  const { claim, verdict } = fitFacts(samples);
  assert.deepEqual(claim.bias, [0]);
  assert.ok(claim.weights.get('fact:share')![0]! > 0);
  // Only the samples with their own evidence count here: all of them are a yes.
  assert.ok(verdict.bias[0]! > 1);
});

test('the threshold applies to the support by the evidence, not by the form of the question', () => {
  const one = heldOut({ question: 'Is a so?', gold: 'Yes', said: 'Yes' });
  const decision = { ...one.decision!, support: 1, supportByForm: 0 };
  const controls = heldOutControls([{ ...one, decision }], [], 0.5);
  assert.equal(controls['prior=on, answered']!['all']![0], 1);
});
