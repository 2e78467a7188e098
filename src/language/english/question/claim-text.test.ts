import assert from 'node:assert/strict';
import test from 'node:test';
import { claimText } from './claim-text.ts';

const CASES: readonly (readonly [clause: string, claim: string])[] = [
  ['Do the Ledger article on the fares', 'The Ledger article on the fares'],
  ['Did Fortune report a larger fall?', 'Fortune report a larger fall'],
  ["Does 'The Verge' article suggest it", "'The Verge' article suggest it"],
  ['Was there no change in the fares?', 'There was no change in the fares'],
  ['has the policy remained the same?', 'The policy remained the same'],
  ['that Apple defended its deal', 'Apple defended its deal'],
  ['the News reports that fares fell?', 'The News reports that fares fell'],
  ['Would the fares rise?', 'Would the fares rise'],
  ['is growing back', 'Is growing back'],
  ['iPhone sales fell', 'iPhone sales fell'],
  ['Did', 'Did'],
  ['', ''],
];

for (const [clause, claim] of CASES)
  test(`claim of: ${clause}`, () => {
    assert.equal(claimText(clause), claim);
  });
