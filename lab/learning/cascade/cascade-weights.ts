/**
 * The weights by which `cascade` chooses between the answers of a reader without a model and of a
 * language model, with one for "none of them is right": a conditional logit (McFadden, 1974) over
 * the candidates of a question.
 */
import {
  badCheckpoint,
  checkpointFields,
  finiteField,
  type Provenance,
  recordField,
  rounded,
} from '../../../src/models/checked-fields.ts';
import { softmax } from '../../../src/models/linear-model.ts';

const bad = badCheckpoint('the cascade');

export const CASCADE_FORMAT = 'multihop cascade 1';

/**
 * Features of a candidate. `rules` is the log-odds of its probability by the reader without a
 * model, 0 if that reader does not have it; `unfound` is 1 then. `model` is 1 if the language model
 * answers it, `verdict` if it does by yes or no, and `support` is the share of its words that the
 * cited passages hold, from 0 to 1. `holds` is the log-odds that the evidence holds an answer, as
 * the reader without a model judges it.
 */
export const CASCADE_FEATURES = [
  'rules',
  'unfound',
  'model',
  'verdict',
  'support',
  'holds',
] as const;
export type CascadeFeatures = Readonly<Record<(typeof CASCADE_FEATURES)[number], number>>;

export interface CascadeModel {
  readonly weights: CascadeFeatures;
  /** Score of the case that no candidate is right. */
  readonly none: number;
}

export interface CascadeCheckpoint {
  readonly model: CascadeModel;
  readonly provenance: Provenance;
}

/** Returns the probability of each candidate; they sum to 1 with that of none. */
export function cascadeShares(
  { weights, none }: CascadeModel,
  all: readonly CascadeFeatures[],
): number[] {
  const scores = all.map(features =>
    CASCADE_FEATURES.reduce((sum, name) => sum + weights[name] * features[name], 0),
  );
  return softmax([...scores, none]).slice(0, -1);
}

export function writeCascade({ model, provenance }: CascadeCheckpoint): string {
  const weights = Object.fromEntries(
    CASCADE_FEATURES.map(name => [name, rounded(model.weights[name])]),
  );
  const written = { format: CASCADE_FORMAT, provenance, weights, none: rounded(model.none) };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

/** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
export function readCascade(json: unknown): CascadeCheckpoint {
  const { all, provenance } = checkpointFields(json, CASCADE_FORMAT, bad);
  const row = recordField(all['weights'], 'weights', bad);
  const weights = Object.fromEntries(
    CASCADE_FEATURES.map(name => [name, finiteField(row[name], `weights.${name}`, bad)]),
  ) as Record<(typeof CASCADE_FEATURES)[number], number>;
  return {
    model: { weights, none: finiteField(all['none'], 'none', bad) },
    provenance,
  };
}
