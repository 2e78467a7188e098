import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyTrace } from '../../../src/evaluation/empty-trace.ts';
import type { Decision } from '../../../src/readers/fact-reader/decide.ts';
import type { Prepared } from '../../../src/readers/fact-reader/prepare.ts';
import type { HeldOut } from './fact-validation.ts';
import { heldOutControls } from './held-out-controls.ts';

const ROW = { strategy: '', retriever: '', context: '', reader: '', budget: {} };

function heldOut(question: string, gold: string, said: string, support = 1): HeldOut {
  const of = { id: question, text: question };
  const prepared = { form: 'entity', reading: { question, sentences: [] } } as unknown as Prepared;
  const decision: Decision = {
    type: 'inference',
    support,
    supportByForm: 1 - support,
    draft: { form: 'span', text: said, sentences: [], share: 1, others: [] },
  };
  const example = { id: question, type: 'inference', question: of, answers: [gold], gold: [] };
  const sample = { example, trace: emptyTrace(of, ROW), input: { prepared, evidence: [] } };
  return { sample, fold: 0, decision };
}

test('counts answers above the threshold by the evidence, and what goes away with the evidence', () => {
  const unchanged = [
    heldOut('Who is a?', 'Elm', 'Elm'),
    heldOut('Who is b?', 'Oak', 'Elm'),
    heldOut('Who is c?', 'Elm', 'Elm', 0),
  ];
  const swapped = [heldOut('Who is a?', 'Elm', 'Oak', 0)];
  const controls = heldOutControls(unchanged, swapped, 0.5);
  const figures = Object.entries(controls).map(([row, { inference }]) => [row, inference?.[0]]);
  assert.deepEqual(Object.fromEntries(figures), {
    'fact-reader': 0.3333,
    'fact-reader, answered': 0.6667,
    'fact-reader, right of answered': 0.5,
    'own-evidence': 0.6667,
    'swapped-evidence': 0,
    EvidenceReliance: 1,
  });
});
