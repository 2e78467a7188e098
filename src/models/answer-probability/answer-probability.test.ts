/** Tests the curves of answer probabilities. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ANSWER_FORMS, answerProbability, shareLogit } from './answer-probability.ts';

const CURVES = {
  choice: { bias: 1, slope: 0.5 },
  verdict: { bias: -0.25, slope: 2 },
  span: { bias: 0, slope: 1 },
};

describe('shareLogit', () => {
  test('is the log-odds, odd about one half, finite at both ends', () => {
    assert.equal(shareLogit(0.5), 0);
    assert.ok(Math.abs(shareLogit(0.75) - Math.log(3)) < 1e-12);
    assert.ok(Math.abs(shareLogit(0.25) + Math.log(3)) < 1e-12);
    assert.ok(Math.abs(shareLogit(1) - Math.log(9999)) < 1e-9);
    assert.equal(shareLogit(0), shareLogit(1e-4));
    assert.equal(shareLogit(1), shareLogit(1 - 1e-4));
  });
});

describe('answerProbability', () => {
  test('uses the curve of the form', () => {
    const of = (form: (typeof ANSWER_FORMS)[number], share: number): number =>
      answerProbability({ form, share }, CURVES);
    assert.equal(of('span', 0.5), 0.5);
    assert.equal(answerProbability({ form: 'value', share: 0.8 }, CURVES), 0.8);
    assert.ok(Math.abs(of('span', 0.8) - 0.8) < 1e-12);
    assert.ok(Math.abs(of('choice', 0.5) - 1 / (1 + Math.exp(-1))) < 1e-12);
    assert.ok(Math.abs(of('verdict', 0.75) - 1 / (1 + Math.exp(0.25 - 2 * Math.log(3)))) < 1e-12);
  });

  test('lies from 0 to 1 and rises with the share', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...ANSWER_FORMS), share, share, (form, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map(each =>
          answerProbability({ form, share: each }, CURVES),
        ) as [number, number];
        assert.ok(low >= 0 && low <= high && high <= 1);
      }),
    );
  });
});
