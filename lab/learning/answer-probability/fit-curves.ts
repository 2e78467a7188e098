/**
 * Fits the curves that turn shares into probabilities, with every domain weighing the same: a large
 * data set must not decide what another domain's shares mean.
 */

import type { Confidence } from '../../../src/core/trace/trace.ts';
import { minimise } from '../../../src/evaluation/fitting/minimise.ts';
import {
  ANSWER_FORMS,
  type Curve,
  type ProbabilityModel,
  shareLogit,
} from '../../../src/models/answer-probability/answer-probability.ts';

/** An answer of a domain and whether it is right. */
export interface GradedAnswer {
  readonly domain: string;
  readonly confidence: Confidence;
  readonly right: boolean;
}

/** Factor of half the squared curve of all forms, in answers. */
const L2 = 1;
/**
 * Factor of half the squared distance of a form's curve from the curve of all forms, in answers: of
 * 1 to 1,000, the one with the least logistic loss on domains that are left out, each weighing the
 * same. Forms stand in few domains, so what is special to a form is often special to a domain.
 */
const NEARNESS = 10;

/** Returns one curve a form; a form with few answers stays near the curve of all forms. */
export function fitCurves(
  graded: readonly GradedAnswer[],
  nearness: number = NEARNESS,
): ProbabilityModel {
  // The share of a value is its probability.
  const answers = graded.filter(({ confidence }) => confidence.form !== 'value');
  const weightOf = domainWeights(answers);
  const common = fitCurve(answers, weightOf, { bias: 0, slope: 0 }, L2);
  const curves = ANSWER_FORMS.map(form => {
    const ofForm = answers.filter(({ confidence }) => confidence.form === form);
    return [form, fitCurve(ofForm, weightOf, common, nearness)] as const;
  });
  return Object.fromEntries(curves) as ProbabilityModel;
}

/** Returns the weight of an answer: its domain's answers sum to the mean size of a domain. */
function domainWeights(answers: readonly GradedAnswer[]): (answer: GradedAnswer) => number {
  const sizes = new Map<string, number>();
  for (const { domain } of answers) sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
  const mean = answers.length / Math.max(1, sizes.size);
  return ({ domain }) => mean / sizes.get(domain)!;
}

/** Fits by weighted logistic loss with a penalty for the distance from `near`. */
function fitCurve(
  answers: readonly GradedAnswer[],
  weightOf: (answer: GradedAnswer) => number,
  near: Curve,
  l2: number,
): Curve {
  const rows = answers.map(answer => ({
    x: shareLogit(answer.confidence.share),
    label: Number(answer.right),
    weight: weightOf(answer),
  }));
  const [bias, slope] = minimise(2, (at, gradient) => {
    gradient[0] = l2 * at[0]!;
    gradient[1] = l2 * at[1]!;
    let loss = (l2 / 2) * (at[0]! ** 2 + at[1]! ** 2);
    for (const { x, label, weight } of rows) {
      const score = near.bias + at[0]! + (near.slope + at[1]!) * x;
      const error = 1 / (1 + Math.exp(-score)) - label;
      loss +=
        weight * (Math.log1p(Math.exp(-Math.abs(score))) + Math.max(score, 0) - label * score);
      gradient[0]! += weight * error;
      gradient[1]! += weight * error * x;
    }
    return loss;
  });
  return { bias: near.bias + bias!, slope: near.slope + slope! };
}
