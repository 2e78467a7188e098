/**
 * What the fact reader does on questions that none of its parts was fitted on: every part fitted on
 * the other folds, the reader run end to end.
 */
import { majorityByType } from '../../evaluation/controls.ts';
import type { Measure, Records } from '../../evaluation/example.ts';
import { ABSTENTION } from '../../evaluation/given-answer.ts';
import { isNull } from '../../evaluation/gold-evidence.ts';
import { measure } from '../../evaluation/measures.ts';
import { valueOfScores } from '../../evaluation/value-of-scores.ts';
import type { FactModel } from '../../models/fact-reader/fact-checkpoint.ts';
import { type Decision, decide } from '../../reading/fact-reader/decide.ts';
import { type AbstentionRule, answerOf } from '../../reading/fact-reader.ts';
import type { Answer } from '../../trace/trace.ts';
import { type FoldOutcome, refusals, type Supported } from '../support-threshold.ts';
import { type FactSample, fitFacts } from './fact-training.ts';

/** A question and what a model that was not fitted on it makes of it. */
export interface HeldOut {
  readonly sample: FactSample;
  readonly fold: number;
  /** Undefined where the run abstained before the reader was asked. */
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
    decision: sample.met && decide(sample.met.prepared, models[fold[index]!]!),
  }));
}

/** The answer, where it is refused below a threshold. */
export function answerAt(
  { sample: { met, trace }, decision }: HeldOut,
  rule: AbstentionRule,
): Answer {
  return met && decision ? answerOf(met.prepared, decision, met.evidence, rule) : trace.answer;
}

/** The scores that are asked for here read traces alone. */
const NO_RECORDS: Records = { text: () => '' };

export function figuresOf(held: readonly HeldOut[], rule: AbstentionRule): FactFigures {
  const traces = held.map(one => ({
    example: one.sample.example,
    trace: { ...one.sample.trace, answer: answerAt(one, rule) },
  }));
  const value = (one: Measure): number | undefined =>
    valueOfScores(
      one,
      traces.map(({ example, trace }) => one.score(example, trace, NO_RECORDS)),
    )?.value;
  return Object.fromEntries(
    FACT_MEASURES.flatMap(name => [[name, value(measure(name))]]).filter(
      ([, found]) => found !== undefined,
    ),
  );
}

/**
 * The control that knows as much of the type as the reader: the most frequent gold answer of the
 * other folds' questions that the reader took for the same.
 */
export function majorityOfReadTypes(held: readonly HeldOut[], rule: AbstentionRule): FactFigures {
  const examples = held.map(({ sample }) => sample.example);
  const types = held.map(one => answerAt(one, rule).questionType ?? one.sample.trace.predictedType);
  const said = majorityByType(examples, types);
  const right = (rule: string): number =>
    held.reduce((sum, { sample: { example, trace } }, index) => {
      const text = said[index]!;
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

/** Thresholds and what they would refuse. */
export const thresholdCurve = (
  held: readonly HeldOut[],
  thresholds: readonly number[],
): (ReturnType<typeof refusals> & { readonly threshold: number })[] =>
  thresholds.map(threshold => ({ threshold, ...refusals(supportsOf(held), threshold) }));

/**
 * Where to refuse: the highest hundredth at which no more than this share of answerable questions
 * is refused. Half of the 3 % that a user is asked to bear, as the share differs from sample to
 * sample.
 */
export const REFUSED_AT_MOST = 0.015;

/** Chosen on the other folds for each; the median is what to ship. */
export function chosenThresholds(
  held: readonly HeldOut[],
  folds: number,
): { readonly threshold: number; readonly folds: readonly FoldOutcome[] } {
  const supports = supportsOf(held);
  const outcomes = Array.from({ length: folds }, (_, fold): FoldOutcome => {
    const threshold = highestThreshold(supports.filter((_, index) => held[index]!.fold !== fold));
    return {
      threshold,
      ...refusals(
        supports.filter((_, index) => held[index]!.fold === fold),
        threshold,
      ),
    };
  });
  const sorted = outcomes.map(({ threshold }) => threshold).sort((a, b) => a - b);
  return { threshold: sorted[Math.floor(sorted.length / 2)]!, folds: outcomes };
}

function highestThreshold(supports: readonly Supported[]): number {
  for (let step = STEPS; step > 0; step--)
    if (refusals(supports, step / STEPS).refusedAnswerable <= REFUSED_AT_MOST) return step / STEPS;
  return 0;
}

const STEPS = 100;
