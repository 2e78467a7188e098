/**
 * Turns the share of an answer among the candidates of its question into the probability that it is
 * right, by one logistic curve for each form of answer (Platt, 1999: probabilities from scores).
 */
import type { Confidence } from '../../core/trace/trace.ts';
import {
  badCheckpoint,
  checkpointFields,
  finiteField,
  type Provenance,
  recordField,
  rounded,
} from '../checked-fields.ts';

const bad = badCheckpoint('answer probabilities');

export const PROBABILITY_FORMAT = 'multihop answer-probability 1';

/** The forms of answers that have a curve; the share of a `value` is its probability. */
export const ANSWER_FORMS = ['choice', 'verdict', 'span'] as const;

/** A logistic curve over the log-odds of the share. */
export interface Curve {
  readonly bias: number;
  readonly slope: number;
}
export type ProbabilityModel = Readonly<Record<(typeof ANSWER_FORMS)[number], Curve>>;

export interface ProbabilityCheckpoint {
  readonly model: ProbabilityModel;
  readonly provenance: Provenance;
}

/** Shares closer to 0 or 1 count as this close: log-odds stay finite. */
const EDGE = 1e-4;

/** Returns the log-odds of a share. */
export function shareLogit(share: number): number {
  const kept = Math.min(1 - EDGE, Math.max(EDGE, share));
  return Math.log(kept / (1 - kept));
}

/** Returns the probability, from 0 to 1, that an answer of this share is right. */
export function answerProbability({ form, share }: Confidence, model: ProbabilityModel): number {
  if (form === 'value') return share;
  const { bias, slope } = model[form];
  return 1 / (1 + Math.exp(-(bias + slope * shareLogit(share))));
}

export function writeProbability({ model, provenance }: ProbabilityCheckpoint): string {
  const curves = Object.fromEntries(
    ANSWER_FORMS.map(form => {
      const { bias, slope } = model[form];
      return [form, { bias: rounded(bias), slope: rounded(slope) }];
    }),
  );
  return `${JSON.stringify({ format: PROBABILITY_FORMAT, provenance, curves }, undefined, 2)}\n`;
}

/** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
export function readProbability(json: unknown): ProbabilityCheckpoint {
  const { all, provenance } = checkpointFields(json, PROBABILITY_FORMAT, bad);
  const curves = recordField(all['curves'], 'curves', bad);
  const curveOf = (form: string): Curve => {
    const row = recordField(curves[form], `curves.${form}`, bad);
    return {
      bias: finiteField(row['bias'], `curves.${form}.bias`, bad),
      slope: finiteField(row['slope'], `curves.${form}.slope`, bad),
    };
  };
  return {
    model: Object.fromEntries(ANSWER_FORMS.map(form => [form, curveOf(form)])) as Record<
      Confidence['form'],
      Curve
    >,
    provenance,
  };
}
