/** Tests the weights of the section reader: shares, writing, and errors that name the field. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readSectionWeights,
  SECTION_FEATURES,
  SECTION_FORMAT,
  sectionShares,
  writeSections,
} from './section-checkpoint.ts';
import { shippedSections } from './shipped.ts';

const weights = { clause: 1, whole: 2, names: 0, form: 3, default: -1, found: 0.125 };
const NONE = { clause: 0, whole: 0, names: 0, form: 0, default: 0, found: 0 };

test('shares are those of a softmax with the case that none is right', () => {
  assert.deepEqual(sectionShares({ weights, none: 0 }, [NONE]), [0.5]);
  assert.deepEqual(sectionShares({ weights, none: 0 }, []), []);
  const [low, high] = sectionShares({ weights, none: 0 }, [NONE, { ...NONE, form: 1 }]);
  assert.ok(Math.abs(high! / low! - Math.exp(3)) < 1e-9);
  assert.ok(low! + high! < 1);
});

test('weights survive writing to three digits, and the shipped ones are read', () => {
  const text = writeSections({ model: { weights, none: 1.23456 }, provenance: { a: 1 } });
  const read = readSectionWeights(JSON.parse(text));
  assert.deepEqual(read, { model: { weights, none: 1.235 }, provenance: { a: 1 } });
  assert.deepEqual(Object.keys(shippedSections().weights), [...SECTION_FEATURES]);
});

test('errors name the invalid field', () => {
  const written = { format: SECTION_FORMAT, provenance: {}, weights, none: 0 };
  for (const [json, field] of [
    [null, /the checkpoint/],
    [{ ...written, format: 'x' }, /its format/],
    [{ ...written, weights: 1 }, /: weights\b/],
    [{ ...written, weights: { ...weights, form: 'x' } }, /weights\.form/],
    [{ ...written, none: undefined }, /\bnone\b/],
    [{ ...written, provenance: 2 }, /provenance/],
  ] as const)
    assert.throws(() => readSectionWeights(json), { code: 'bad-checkpoint', message: field });
});
