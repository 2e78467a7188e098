/** `none`: extracts nothing; the control for filters. */
import { type Member, member } from '../../core/naming/family.ts';
import type { MetadataExtractor } from './extractor.ts';

export const none: Member<MetadataExtractor> = member({
  name: 'none',
  summary: 'No filter: the control',
  cost: '0 model calls',
  create: (_settings, name) => ({
    name,
    extract: async () => ({ sources: [], excluded: [], unknown: [], days: [] }),
  }),
});
