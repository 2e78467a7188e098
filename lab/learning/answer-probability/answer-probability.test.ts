import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import {
  answerProbability,
  readProbability,
  shareLogit,
  writeProbability,
} from '../../../src/models/answer-probability/answer-probability.ts';
import { fitCurves, type GradedAnswer } from './fit-curves.ts';
import { reliabilityOf, shownAt, statedByOthers } from './reliability.ts';

/** Draws answers whose probability of being right is a known curve of their share. */
function drawn(domain: string, count: number, bias: number, slope: number): GradedAnswer[] {
  const random = mulberry32(domain.length + count);
  return Array.from({ length: count }, () => {
    const share = random();
    const probability = 1 / (1 + Math.exp(-(bias + slope * shareLogit(share))));
    return { domain, confidence: { form: 'span', share }, right: random() < probability };
  });
}

describe('the curves', () => {
  test('find the curve that answers were drawn from', () => {
    const { span } = fitCurves([...drawn('a', 4000, -1, 0.7), ...drawn('bb', 4000, -1, 0.7)]);
    assert.ok(Math.abs(span.bias + 1) < 0.1, `bias ${span.bias}`);
    assert.ok(Math.abs(span.slope - 0.7) < 0.1, `slope ${span.slope}`);
  });

  test('weigh a small domain as much as a large one', () => {
    const small = drawn('small', 300, -2, 0);
    const once = fitCurves([...drawn('large one', 6000, 2, 0), ...small]).span;
    // Half of the weight is right in 88 %, half in 12 %: the middle is 50 %.
    assert.ok(Math.abs(once.bias) < 0.25, `bias ${once.bias}`);
  });

  test('of a form without answers are those of all forms', () => {
    const { span, choice } = fitCurves(drawn('a', 500, 0.5, 1));
    assert.ok(Math.abs(span.bias - choice.bias) < 0.1);
    assert.ok(Math.abs(span.slope - choice.slope) < 0.1);
  });

  test('rise with the share, stay within 0 and 1, and survive writing', () => {
    const model = fitCurves(drawn('a', 500, -0.5, 1));
    const { model: read } = readProbability(
      JSON.parse(writeProbability({ model, provenance: {} })) as unknown,
    );
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), share => {
        const confidence = { form: 'span', share } as const;
        const value = answerProbability(confidence, read);
        assert.ok(value >= 0 && value <= 1);
        assert.ok(Math.abs(value - answerProbability(confidence, model)) < 0.01);
        const more = answerProbability({ form: 'span', share: Math.min(1, share + 0.1) }, read);
        assert.ok(more >= value);
      }),
    );
    assert.throws(() => readProbability({ format: 'other' }), { code: 'bad-checkpoint' });
  });
});

describe('reliability', () => {
  const stated = (probability: number, right: boolean) => ({ domain: 'a', probability, right });

  test('is 0 where shares are what was said, and the distance where they are not', () => {
    const honest = Array.from({ length: 100 }, (_, at) => stated(0.5, at % 2 === 0));
    assert.ok(reliabilityOf(honest).error < 1e-9);
    const boasting = Array.from({ length: 100 }, (_, at) => stated(0.9, at % 2 === 0));
    assert.ok(Math.abs(reliabilityOf(boasting).error - 0.4) < 1e-9);
    assert.deepEqual(
      reliabilityOf(boasting).bins.map(({ answers }) => answers),
      Array.from({ length: 10 }, () => 10),
    );
  });

  test('counts what is shown from a probability on', () => {
    const answers = [stated(0.7, true), stated(0.69, false), stated(0.9, false)];
    assert.deepEqual(shownAt(answers, 0.7), { answers: 2, said: 0.8, right: 0.5 });
    assert.equal(shownAt(answers, 0.95).answers, 0);
  });

  test('of a domain follows from the curves of the others', () => {
    const sure = drawn('a', 400, 3, 0);
    const unsure = drawn('bb', 400, -3, 0);
    const stated = statedByOthers([...sure, ...unsure]);
    const said = (domain: string): number =>
      reliabilityOf(stated.filter(each => each.domain === domain)).said;
    assert.ok(said('a') < 0.1, `${said('a')}`);
    assert.ok(said('bb') > 0.9, `${said('bb')}`);
  });
});

test('the curve of a form is that of its own answers', () => {
  const spans = drawn('a', 2000, -2, 0);
  const choices = drawn('a', 2001, 2, 0).map(answer => ({
    ...answer,
    confidence: { ...answer.confidence, form: 'choice' as const },
  }));
  const { span, choice } = fitCurves([...spans, ...choices]);
  assert.ok(Math.abs(span.bias + 2) < 0.3 && Math.abs(choice.bias - 2) < 0.3);
});
