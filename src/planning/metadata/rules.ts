/**
 * `rules`: the filter by the engine's own catalogue of values, without a model (Multi-Meta-RAG
 * sheet, section 8).
 */
import { type Member, member } from '../../naming/family.ts';
import { extractByRules } from './extract-by-rules.ts';
import type { MetadataExtractor } from './extractor.ts';

export const rules: Member<MetadataExtractor> = member({
  name: 'rules',
  summary: 'Names and aliases of the catalogue, long and ISO dates, months, ranges; no model',
  paper: 'Multi-Meta-RAG sheet, section 8',
  cost: '0 model calls',
  create: (_settings, name) => ({
    name,
    extract: async (question, catalogue) => extractByRules(question, catalogue),
  }),
});
