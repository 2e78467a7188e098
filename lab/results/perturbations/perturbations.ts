/** The perturbations by name; a new perturbation is one function and one line here. */
import { deletedGold, keptGold, noMetadata } from './corpora.ts';
import type { Perturbation } from './perturbation.ts';
import { knownOutlets, noSourceNames } from './sources.ts';
import { entityTypo, sourceTypos } from './typos.ts';
import { lowerCase, naturalWording, noQuestionMark, politeOpening } from './wording.ts';

/** The seed of every perturbation, as of samples and of the bootstrap. */
export const PERTURBATION_SEED = 20231226;

export const PERTURBATIONS: readonly Perturbation[] = [
  ...[sourceTypos, politeOpening, lowerCase, noQuestionMark, entityTypo],
  ...[noMetadata, noSourceNames, naturalWording, deletedGold, keptGold, knownOutlets],
];
