/** The weights by which the section reader ranks values, with one for "none is the answer". */
import {
  type ConditionalLogit,
  conditionalLogit,
  type LogitFeatures,
  type LogitModel,
} from '../conditional-logit.ts';

/**
 * Each from 0 to 1: `clause` and `whole` are the shares of the question's words in the sentence
 * with its heading, and in the section with its place; `names` that of its names; `form` how
 * clearly the text has the form that is asked for; `default` how clearly it is stated as a default;
 * `found` the score of the search; `verdict` is 1 for yes and no.
 */
const FEATURES = ['clause', 'whole', 'names', 'form', 'default', 'found', 'verdict'] as const;
type Name = (typeof FEATURES)[number];

export type SectionFeatures = LogitFeatures<Name>;
export type SectionModel = LogitModel<Name>;

export const sectionLogit: ConditionalLogit<Name> = conditionalLogit(
  'multihop section-reader 1',
  FEATURES,
  'the section reader',
);
