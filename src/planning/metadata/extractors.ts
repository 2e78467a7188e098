/** Lists the family of metadata extractors. */
import { type Family, family } from '../../core/naming/family.ts';
import type { MetadataExtractor } from './extractor.ts';
import { model } from './model.ts';
import { none } from './none.ts';
import { type RecordedFilters, replayed } from './replayed.ts';
import { rules } from './rules.ts';

/** Returns the family with recorded filters for its member `replayed`. */
export const extractorsWith = (recorded?: RecordedFilters): Family<MetadataExtractor> =>
  family('extractor', [rules, model, none, replayed(recorded)]);

export const metadataExtractors: Family<MetadataExtractor> = extractorsWith();
