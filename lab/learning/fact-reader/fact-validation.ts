/** Measures the fact reader end to end on questions that none of its parts was fitted on. */

import type { Answer } from '../../../src/core/trace/trace.ts';
import { majorityByType } from '../../../src/evaluation/answer-controls/majority.ts';
import type { Measure, Records } from '../../../src/evaluation/example.ts';
import {
  highestThreshold,
  type LearnedThreshold,
  refusals,
  type Supported,
  thresholdByFolds,
} from '../../../src/evaluation/fitting/support-threshold.ts';
import { ABSTENTION } from '../../../src/evaluation/given-answer.ts';
import { isNull } from '../../../src/evaluation/gold-evidence.ts';
import { measure } from '../../../src/evaluation/measures.ts';
import { valueOfScores } from '../../../src/evaluation/value-of-scores.ts';
import type { FactModel } from '../../../src/models/fact-reader/fact-checkpoint.ts';
import { type Decision, decide } from '../../../src/readers/fact-reader/decide.ts';
import { answerOf, type FactReaderSettings } from '../../../src/readers/fact-reader.ts';
import { type FactSample, fitFacts } from './fact-training.ts';

/** A question, with the decision of a model that was not fitted on it. */
export interface HeldOut {
  readonly sample: FactSample;
  readonly fold: number;
  /** Undefined if the run abstained before the reader. */
  readonly decision: Decision | undefined;
}

export const FACT_MEASURES = [
  'QaAccuracy(official)',
  'QaAccuracy(strict)',
  'AbstainedNull',
  'RefusedAnswerable',
  'TypeF1(macro)',
] as const;
export type FactFigures = Readonly<Partial<Record<(typeof FACT_MEASURES)[number], number>>>;

export function heldOutDecisions(
  samples: readonly FactSample[],
  fold: ArrayLike<number>,
  folds: number,
): HeldOut[] {
  const models = Array.from(
    { length: folds },
    (_, held): FactModel => fitFacts(samples.filter((_, index) => fold[index] !== held)),
  );
  return samples.map((sample, index) => ({
    sample,
    fold: fold[index]!,
    decision: sample.input && decide(sample.input.prepared, models[fold[index]!]!),
  }));
}

/** Returns the answer, withheld below a threshold. */
export function answerAt(
  { sample: { input, trace }, decision }: HeldOut,
  rule: FactReaderSettings,
): Answer {
  return input && decision
    ? answerOf(input.prepared, decision, input.evidence, rule)
    : trace.answer;
}

/** The measures used here read traces only. */
const NO_RECORDS: Records = { text: () => '' };

export function figuresOf(held: readonly HeldOut[], rule: FactReaderSettings): FactFigures {
  const traces = held.map(item => ({
    example: item.sample.example,
    trace: { ...item.sample.trace, answer: answerAt(item, rule) },
  }));
  const value = (measure: Measure): number | undefined =>
    valueOfScores(
      measure,
      traces.map(({ example, trace }) => measure.score(example, trace, NO_RECORDS)),
    )?.value;
  return Object.fromEntries(
    FACT_MEASURES.flatMap(name => [[name, value(measure(name))]]).filter(
      ([, found]) => found !== undefined,
    ),
  );
}

/**
 * Control: answers with the most frequent gold answer of the other folds' questions that the reader
 * assigned to the same type.
 */
export function majorityOfReadTypes(
  held: readonly HeldOut[],
  rule: FactReaderSettings,
): FactFigures {
  const examples = held.map(({ sample }) => sample.example);
  const types = held.map(
    item => answerAt(item, rule).questionType ?? item.sample.trace.predictedType,
  );
  const predictions = majorityByType(examples, types);
  const right = (rule: string): number =>
    held.reduce((sum, { sample: { example, trace } }, index) => {
      const text = predictions[index]!;
      const answer: Answer =
        text === ABSTENTION
          ? { kind: 'abstained', reason: text }
          : { kind: 'answered', text, citations: [] };
      return (
        sum +
        Number(measure(`QaAccuracy(${rule})`).score(example, { ...trace, answer }, NO_RECORDS) ?? 0)
      );
    }, 0) / held.length;
  return { 'QaAccuracy(official)': right('official'), 'QaAccuracy(strict)': right('strict') };
}

export const supportsOf = (held: readonly HeldOut[]): Supported[] =>
  held.map(({ sample, decision }) => ({
    isNull: isNull(sample.example),
    support: decision?.support ?? 0,
  }));

/** Returns the shares of refused questions at each threshold. */
export const thresholdCurve = (
  held: readonly HeldOut[],
  thresholds: readonly number[],
): (ReturnType<typeof refusals> & { readonly threshold: number })[] =>
  thresholds.map(threshold => ({ threshold, ...refusals(supportsOf(held), threshold) }));

/** Most share of answerable questions that may be refused when a threshold is chosen. */
export const MAX_REFUSED = 0.05;

/** Chooses a threshold for each fold on the others; the median ships. */
export const chosenThresholds = (held: readonly HeldOut[]): LearnedThreshold =>
  thresholdByFolds(
    supportsOf(held),
    held.map(({ fold }) => fold),
    items => highestThreshold(items, MAX_REFUSED),
  );
