import assert from 'node:assert/strict';
import test from 'node:test';
import { askedRelation, type Relation } from './asked-relation.ts';
import { claimFeatures } from './claim-features.ts';

const CASES: readonly (readonly [question: string, relation: Relation, sign: 1 | -1])[] = [
  ['Was there inconsistency between the two reports on the fares?', 'conflict', -1],
  ['Was there no discrepancy between the two reports on the fares?', 'conflict', 1],
  ['Do the Ledger and the News agree that the fares will rise?', 'agreement', 1],
  ['Was there a lack of consistency in the reports on the fares?', 'agreement', -1],
  ['Did the Ledger fail to maintain consistency on the fares?', 'agreement', -1],
  ['Between both weeks, was there no change in the fares?', 'agreement', 1],
  ['Has the focus of the Ledger changed since May?', 'change', 1],
  ['Was there no change in the fares?', 'change', -1],
  ['Does the Ledger report other fares, in contrast to the News?', 'difference', 1],
  ['Did the Ledger report on the fares before the News did?', 'order', 1],
  ['Did the Ledger fail to report on the fares before the News did?', 'order', -1],
  ['Does the Ledger say that the fares rise, while the News says that they fall?', 'claims', 1],
  ['Did the Ledger explain the financial discrepancies?', 'claims', 1],
];

for (const [question, relation, sign] of CASES)
  test(`reads the relation of: ${question}`, () => {
    assert.deepEqual(askedRelation(question), { relation, sign });
  });

test('a question for the opposite turns the sign of each feature of the evidence', () => {
  const verdict = new Map([
    ['pair:alike', 1],
    ['fact:share', 0.5],
    ['fact:clauses', 2],
    ['alike*pair:alike', 1],
    ['did the', 1],
  ]);
  const support = new Map([
    ['clause.part.least', 0.25],
    ['clause.part.missing', 1],
    ['clause.number', 2],
    ['names.all', 1],
  ]);
  const features = (question: string): unknown => [...claimFeatures(question, verdict, support)];
  assert.deepEqual(features('Do they agree?'), [
    ['pair:alike', 1],
    ['fact:share', 0.5],
    ['clause.part.least', 0.25],
  ]);
  assert.deepEqual(features('Is there inconsistency?'), [
    ['pair:alike', -1],
    ['fact:share', -0.5],
    ['clause.part.least', -0.25],
  ]);
});
