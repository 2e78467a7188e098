/** `rules`: filters by the catalogue's own names, without a model. */
import { type Member, member } from '../../core/naming/family.ts';
import { plainQuestion } from '../plain-question.ts';
import { extractByRules } from './extract-by-rules.ts';
import type { MetadataExtractor } from './extractor.ts';

export const rules: Member<MetadataExtractor> = member({
  name: 'rules',
  summary: 'Names and aliases of the catalogue, long and ISO dates, months, ranges; no model',
  paper: 'Poliakov and Shvai, Multi-Meta-RAG, 2024; rules of our own in place of its model',
  cost: '0 model calls',
  create: (_settings, name) => ({
    name,
    extract: async (question, catalogue) =>
      extractByRules(plainQuestion(question, catalogue), catalogue),
  }),
});
