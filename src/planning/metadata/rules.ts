/** `rules`: filters by the catalogue's own names, without a model. */
import { type Member, member } from '../../core/naming/family.ts';
import { extractByRules } from '../../language/english/question/extract-by-rules.ts';
import { plainQuestion } from '../../language/english/question/plain-question.ts';
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
