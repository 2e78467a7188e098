/**
 * Fits by what features the evidence holds an answer, on questions with their own evidence, with
 * that of another question, and with the sentences of the answer deleted.
 */
import type { LinearModel } from '../../models/fact-reader/linear-model.ts';
import type { OpenModel } from '../../models/open-reader/open-checkpoint.ts';
import { openAnswerable } from '../../reading/open/answerable.ts';
import {
  type AnswerModel,
  candidatesOf,
  decideOpen,
  supportOf,
} from '../../reading/open/decide.ts';
import { readOpen } from '../../reading/open/passages.ts';
import { type FitSettings, fitLinear, type Labelled } from '../fact-reader/fit-linear.ts';
import { refusals, type Supported } from '../support-threshold.ts';
import type { OpenSample } from './open-sample.ts';

export const ANSWERABLE_SETTINGS: FitSettings = { l2: 1, least: 5 };

/** A question with evidence that holds its answer, or none. */
export interface AnswerCase {
  readonly sample: OpenSample;
  readonly isNull: boolean;
}

/** Uses one question of so many: each costs three readings for every fit. */
const EVERY = 10;
/** Questions between one and that whose evidence it gets. */
const APART = 7;
/** Greatest share of answerable questions that may be refused. */
const MOST_REFUSED = 0.05;

/** Returns the cases of the samples that `use` selects; samples stay in one case of each kind. */
export function answerCases(
  samples: readonly OpenSample[],
  use: (index: number) => boolean,
): AnswerCase[] {
  return samples.flatMap((sample, index) => {
    if (index % EVERY !== 0 || !use(index)) return [];
    const holds = (text: string): boolean =>
      sample.answers.some(answer => text.toLowerCase().includes(answer.toLowerCase()));
    const verdict = sample.answers.some(answer => /^(?:yes|no)$/iu.test(answer));
    if (!verdict && !sample.sentences.some(({ text }) => holds(text))) return [];
    const other = samples.findLast((each, at) => at <= index - APART && each.set === sample.set);
    const { titles, sentences } = other ?? sample;
    return [
      { sample, isNull: false },
      ...(other ? [{ sample: { ...sample, titles, sentences }, isNull: true }] : []),
      ...(verdict ? [] : [{ sample: withoutAnswer(sample, holds), isNull: true }]),
    ];
  });
}

/** Drops the sentences that hold the answer, and titles that do. */
const withoutAnswer = (sample: OpenSample, holds: (text: string) => boolean): OpenSample => ({
  ...sample,
  titles: sample.titles.map(title => (holds(title) ? '' : title)),
  sentences: sample.sentences.filter(({ text }) => !holds(text)),
});

export function fitAnswerable(cases: readonly AnswerCase[], model: AnswerModel): LinearModel {
  const labelled = cases.flatMap(({ sample, isNull }): Labelled[] => {
    const reading = readOpen(sample.question, sample.titles, sample.sentences);
    const draft = decideOpen(candidatesOf(reading), model);
    return draft ? [{ features: openAnswerable(reading, draft), label: Number(isNull) }] : [];
  });
  return fitLinear(labelled, ['answerable'], ANSWERABLE_SETTINGS);
}

/** Returns the support of each case, by the model for its sample. */
export function supportsOf(
  cases: readonly AnswerCase[],
  modelOf: (at: AnswerCase) => OpenModel,
): Supported[] {
  return cases.map(each => {
    const { sample, isNull } = each;
    const reading = readOpen(sample.question, sample.titles, sample.sentences);
    const model = modelOf(each);
    const draft = decideOpen(candidatesOf(reading), model);
    return { support: draft ? supportOf(reading, draft, model) : 0, isNull };
  });
}

export interface OpenThreshold {
  readonly threshold: number;
  readonly abstainedNull: number;
  readonly refusedAnswerable: number;
}

/** Returns the greatest hundredth that refuses at most one of twenty answerable questions. */
export function openThreshold(items: readonly Supported[]): OpenThreshold {
  let best = 0;
  for (let step = 0; step <= 100; step++)
    if (refusals(items, step / 100).refusedAnswerable <= MOST_REFUSED) best = step / 100;
  return { threshold: best, ...refusals(items, best) };
}
