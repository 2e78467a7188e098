/** Tests the fit of a conditional logit against the likelihood written down plainly. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type SectionFeatures,
  type SectionModel,
  sectionLogit,
} from '../../../src/models/section-reader/section-checkpoint.ts';
import { fitLogit, type GradedQuestion } from './fit-logit.ts';

type Graded = GradedQuestion<keyof SectionFeatures>;

const features: fc.Arbitrary<SectionFeatures> = fc.record({
  clause: fc.double({ min: 0, max: 1, noNaN: true }),
  whole: fc.double({ min: 0, max: 1, noNaN: true }),
  names: fc.constantFrom(0, 1),
  form: fc.constantFrom(0.4, 0.7, 1),
  default: fc.constantFrom(0, 0.4, 1),
  found: fc.double({ min: 0, max: 1, noNaN: true }),
  verdict: fc.constantFrom(0, 1),
});
const questions: fc.Arbitrary<Graded[]> = fc.array(
  fc.record({
    candidates: fc.array(fc.record({ features, right: fc.boolean() }), { maxLength: 5 }),
    weight: fc.constantFrom(1, 2.5),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Minus the logarithm of the likelihood, with the penalty. */
function plainLoss(model: SectionModel, all: readonly Graded[]): number {
  const penalty = sectionLogit.features.reduce(
    (sum, name) => sum + 0.05 * model.weights[name] ** 2,
    0,
  );
  return all.reduce((sum, { candidates, weight = 1 }) => {
    const shares = sectionLogit.shares(
      model,
      candidates.map(each => each.features),
    );
    const right = shares.filter((_, at) => candidates[at]!.right);
    const held =
      right.length > 0 ? right.reduce((a, b) => a + b, 0) : 1 - shares.reduce((a, b) => a + b, 0);
    return sum - weight * Math.log(Math.max(held, 1e-300));
  }, penalty);
}

test('no step away from the fit is more likely', () => {
  fc.assert(
    fc.property(questions, all => {
      const model = fitLogit(sectionLogit.features, all);
      const best = plainLoss(model, all);
      for (const step of [-0.05, 0.05]) {
        assert.ok(plainLoss({ ...model, none: model.none + step }, all) >= best - 1e-3);
        for (const name of sectionLogit.features) {
          const weights = { ...model.weights, [name]: model.weights[name] + step };
          assert.ok(plainLoss({ ...model, weights }, all) >= best - 1e-3, name);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('what tells right from wrong gets the weight', () => {
  const of = (clause: number, right: boolean) => ({
    features: { clause, whole: 0.5, names: 1, form: 1, default: 0, found: 0.5, verdict: 0 },
    right,
  });
  const all = Array.from({ length: 40 }, () => ({ candidates: [of(0.9, true), of(0.1, false)] }));
  const { weights } = fitLogit(sectionLogit.features, all);
  assert.ok(weights.clause > 1);
  assert.ok(Math.abs(weights.found) < 1);
});
