/**
 * The weights by which `cascade` chooses between the answers of a reader without a model and of a
 * language model, with one for "none of them is right".
 */
import {
  type ConditionalLogit,
  conditionalLogit,
  type LogitCheckpoint,
  type LogitFeatures,
  type LogitModel,
} from '../conditional-logit.ts';

/**
 * Features of a candidate. `rules` is the log-odds of its probability by the reader without a
 * model, 0 if that reader does not have it; `unfound` is 1 then. `model` is 1 if the language model
 * answers it, `verdict` if it does by yes or no.
 */
const FEATURES = ['rules', 'unfound', 'model', 'verdict'] as const;
type Name = (typeof FEATURES)[number];

export type CascadeFeatures = LogitFeatures<Name>;
export type CascadeModel = LogitModel<Name>;
export type CascadeCheckpoint = LogitCheckpoint<Name>;

export const cascadeLogit: ConditionalLogit<Name> = conditionalLogit(
  'multihop cascade 1',
  FEATURES,
  'the cascade',
);
