/**
 * A conditional logit (McFadden, Conditional Logit Analysis of Qualitative Choice Behavior, 1974):
 * which candidate of a question is right, or that none is, from named features of each.
 */
import {
  badCheckpoint,
  checkpointFields,
  finiteField,
  type Provenance,
  recordField,
  rounded,
} from './checked-fields.ts';
import { softmax } from './linear-model.ts';

export type LogitFeatures<Name extends string> = Readonly<Record<Name, number>>;

export interface LogitModel<Name extends string> {
  readonly weights: LogitFeatures<Name>;
  /** Score of the case that no candidate is right. */
  readonly none: number;
}

export interface LogitCheckpoint<Name extends string> {
  readonly model: LogitModel<Name>;
  readonly provenance: Provenance;
}

/** The features of one kind of candidates, and the file of its weights. */
export interface ConditionalLogit<Name extends string> {
  readonly features: readonly Name[];
  /** Returns the probability of each candidate; they sum to 1 with that of none. */
  shares(model: LogitModel<Name>, all: readonly LogitFeatures<Name>[]): number[];
  write(checkpoint: LogitCheckpoint<Name>): string;
  /** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
  read(json: unknown): LogitCheckpoint<Name>;
}

/** `whose`: for errors, as "the section reader". */
export function conditionalLogit<Name extends string>(
  format: string,
  features: readonly Name[],
  whose: string,
): ConditionalLogit<Name> {
  const bad = badCheckpoint(whose);
  const valuesOf = (value: (name: Name) => number): LogitFeatures<Name> =>
    Object.fromEntries(features.map(name => [name, value(name)])) as Record<Name, number>;
  return {
    features,
    shares({ weights, none }, all) {
      const scoreOf = (of: LogitFeatures<Name>): number =>
        features.reduce((sum, name) => sum + weights[name] * of[name], 0);
      return softmax([...all.map(scoreOf), none]).slice(0, -1);
    },
    write({ model, provenance }) {
      const weights = valuesOf(name => rounded(model.weights[name]));
      const written = { format, provenance, weights, none: rounded(model.none) };
      return `${JSON.stringify(written, undefined, 2)}\n`;
    },
    read(json) {
      const { all, provenance } = checkpointFields(json, format, bad);
      const row = recordField(all['weights'], 'weights', bad);
      const weights = valuesOf(name => finiteField(row[name], `weights.${name}`, bad));
      return { model: { weights, none: finiteField(all['none'], 'none', bad) }, provenance };
    },
  };
}
