import assert from 'node:assert/strict';
import test from 'node:test';
import { InputError } from '../core/errors.ts';
import { readers } from './readers.ts';
import { withoutPrior } from './without-prior.ts';

test('abstention is switched off, other settings stay', () => {
  assert.equal(readers.canonical(withoutPrior('extractive')), 'extractive(support=0)');
  const named = withoutPrior('fact-reader(support=0.4, form=true, prior=on)');
  assert.match(named, /support=0\b/);
  assert.match(named, /form=true/);
  assert.doesNotMatch(named, /prior=on/);
  assert.equal(withoutPrior(named), named);
});

test('a reader without such settings stays', () => {
  assert.equal(withoutPrior('evidence-only'), 'evidence-only');
  assert.throws(() => withoutPrior('nobody'), InputError.is);
});
