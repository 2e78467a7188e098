/**
 * Fits by what features the evidence holds an answer, on questions with their own evidence, with
 * that of another question, and with the sentences of the answer deleted.
 */

import {
  type FitSettings,
  fitLinear,
  type Labelled,
} from '../../../src/evaluation/fitting/fit-linear.ts';
import {
  highestThreshold,
  refusals,
  type Supported,
} from '../../../src/evaluation/fitting/support-threshold.ts';
import type { LinearModel } from '../../../src/models/linear-model.ts';
import { probabilityOf } from '../../../src/models/linear-model.ts';
import { openAnswerable } from '../../../src/readers/open/answerable.ts';
import type { OpenDecision } from '../../../src/readers/open/decide.ts';
import type { FeatureTable } from './feature-table.ts';
import { type OpenRead, readSample } from './open-read.ts';
import type { OpenSample } from './open-sample.ts';

export const ANSWERABLE_SETTINGS: FitSettings = { l2: 1, least: 5 };

/** A reading of evidence that holds the answer, or none. */
export interface AnswerCase {
  /** Index of the question among the samples. */
  readonly index: number;
  readonly isNull: boolean;
  readonly read: OpenRead;
}

/** Uses one question of so many: each costs two more readings. */
const EVERY = 10;
/** Questions between one and that whose evidence it gets. */
const APART = 7;
/** Greatest share of answerable questions that may be refused. */
const MOST_REFUSED = 0.05;

/**
 * Returns the cases of the samples, whose own readings are `reads`. A question without an answer in
 * its evidence has none.
 */
export function answerCases(
  samples: readonly OpenSample[],
  reads: readonly OpenRead[],
  table: FeatureTable,
): AnswerCase[] {
  return samples.flatMap((sample, index) => {
    if (index % EVERY !== 0) return [];
    const holds = (text: string): boolean =>
      sample.answers.some(answer => text.toLowerCase().includes(answer.toLowerCase()));
    const verdict = sample.answers.some(answer => /^(?:yes|no)$/iu.test(answer));
    if (!verdict && !sample.sentences.some(({ text }) => holds(text))) return [];
    const other = samples.findLast((each, at) => at <= index - APART && each.set === sample.set);
    const { titles, sentences } = other ?? sample;
    const nulls = [
      ...(other ? [{ ...sample, titles, sentences }] : []),
      ...(verdict ? [] : [withoutAnswer(sample, holds)]),
    ];
    return [
      { index, isNull: false, read: reads[index]! },
      ...nulls.map(each => ({ index, isNull: true, read: readSample(each, table) })),
    ];
  });
}

/** Drops the sentences that hold the answer, and titles that do. */
const withoutAnswer = (sample: OpenSample, holds: (text: string) => boolean): OpenSample => ({
  ...sample,
  titles: sample.titles.map(title => (holds(title) ? '' : title)),
  sentences: sample.sentences.filter(({ text }) => !holds(text)),
});

/** Drafts an answer. */
export type Draft = (read: OpenRead) => OpenDecision | undefined;

export function fitAnswerable(cases: readonly AnswerCase[], draftOf: Draft): LinearModel {
  const labelled = cases.flatMap(({ read, isNull }): Labelled[] => {
    const draft = draftOf(read);
    return draft ? [{ features: openAnswerable(read.evidence, draft), label: Number(isNull) }] : [];
  });
  return fitLinear(labelled, ['answerable'], ANSWERABLE_SETTINGS);
}

/** Returns the support of a case by models of other questions. */
export function caseSupport(
  { read, isNull }: AnswerCase,
  draftOf: Draft,
  model: LinearModel,
): Supported {
  const draft = draftOf(read);
  const support = draft ? probabilityOf(model, openAnswerable(read.evidence, draft)) : 0;
  return { support, isNull };
}

export interface OpenThreshold {
  readonly threshold: number;
  readonly abstainedNull: number;
  readonly refusedAnswerable: number;
}

/** Returns the greatest hundredth that refuses at most one of twenty answerable questions. */
export function openThreshold(items: readonly Supported[]): OpenThreshold {
  const threshold = highestThreshold(items, MOST_REFUSED);
  return { threshold, ...refusals(items, threshold) };
}
