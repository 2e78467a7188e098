/** Loads the shipped weights: `section-reader.json`, written by `npm run fit:documents`. */
import { type SectionModel, sectionLogit } from './section-checkpoint.ts';
import written from './section-reader.json' with { type: 'json' };

let model: SectionModel | undefined;

/** Returns the shipped weights, parsed at the first use. */
export function shippedSections(): SectionModel {
  model ??= sectionLogit.read(written).model;
  return model;
}
