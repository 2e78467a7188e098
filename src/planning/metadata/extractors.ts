/** The family of metadata extractors, from name to factory. */
import { type Family, family } from '../../naming/family.ts';
import type { MetadataExtractor } from './extractor.ts';
import { rules } from './rules.ts';

export const metadataExtractors: Family<MetadataExtractor> = family('extractor', [rules]);
