/**
 * The weights by which the section reader ranks values, with one for "none of them is the answer":
 * a conditional logit (McFadden, 1974) over the candidates of a question.
 */
import {
  badCheckpoint,
  checkpointFields,
  finiteField,
  type Provenance,
  recordField,
  rounded,
} from '../checked-fields.ts';
import { softmax } from '../linear-model.ts';

const bad = badCheckpoint('the section reader');

export const SECTION_FORMAT = 'multihop section-reader 1';

/**
 * Each from 0 to 1: `clause` and `whole` are the shares of the question's words in the sentence
 * with its heading, and in the section with its place; `names` that of its names; `form` how
 * clearly the text has the form that is asked for; `default` how clearly it is stated as a default;
 * `found` the score of the search.
 */
export const SECTION_FEATURES = ['clause', 'whole', 'names', 'form', 'default', 'found'] as const;
export type SectionFeatures = Readonly<Record<(typeof SECTION_FEATURES)[number], number>>;

export interface SectionModel {
  readonly weights: SectionFeatures;
  /** Score of the case that no candidate is the answer. */
  readonly none: number;
}

export interface SectionCheckpoint {
  readonly model: SectionModel;
  readonly provenance: Provenance;
}

const sectionScore = ({ weights }: SectionModel, features: SectionFeatures): number =>
  SECTION_FEATURES.reduce((sum, name) => sum + weights[name] * features[name], 0);

/** Returns the probability of each candidate; they sum to 1 with that of none. */
export function sectionShares(model: SectionModel, all: readonly SectionFeatures[]): number[] {
  const scores = all.map(features => sectionScore(model, features));
  return softmax([...scores, model.none]).slice(0, -1);
}

export function writeSections({ model, provenance }: SectionCheckpoint): string {
  const weights = Object.fromEntries(
    SECTION_FEATURES.map(name => [name, rounded(model.weights[name])]),
  );
  const written = { format: SECTION_FORMAT, provenance, weights, none: rounded(model.none) };
  return `${JSON.stringify(written, undefined, 2)}\n`;
}

/** Parses a checkpoint. Throws `InputError('bad-checkpoint')` that names the invalid field. */
export function readSectionWeights(json: unknown): SectionCheckpoint {
  const { all, provenance } = checkpointFields(json, SECTION_FORMAT, bad);
  const row = recordField(all['weights'], 'weights', bad);
  const weights = Object.fromEntries(
    SECTION_FEATURES.map(name => [name, finiteField(row[name], `weights.${name}`, bad)]),
  ) as Record<(typeof SECTION_FEATURES)[number], number>;
  return {
    model: { weights, none: finiteField(all['none'], 'none', bad) },
    provenance,
  };
}
