/** Declares the parameters of `fact-lanes`; each of its parts can be switched off. */

import type { SettingsOf } from '../../core/naming/family.ts';
import { type Name, printName } from '../../core/naming/name.ts';

export const FACT_LANES_PARAMETERS = [
  { name: 'tokens', type: 'integer', default: 510, shown: true, summary: 'context tokens' },
  {
    name: 'unit',
    type: 'text',
    default: 'sentence',
    choices: ['sentence', 'document'],
    summary: 'unit of evidence: sentences, or whole documents ranked by their best sentence',
  },
  {
    name: 'per-document',
    type: 'integer',
    default: 8,
    min: 1,
    max: 10_000,
    summary: 'sentences kept of one document; more if tokens are left over',
  },
  {
    name: 'depth',
    type: 'integer',
    default: 60,
    min: 30,
    max: 10_000,
    summary: 'hits of each search',
  },
  {
    name: 'clauses',
    type: 'flag',
    default: true,
    summary: 'a lane for each clause of the question; off: the whole question alone',
  },
  {
    name: 'sources',
    type: 'flag',
    default: true,
    summary: 'lanes also search within the sources and days that the question names',
  },
  {
    name: 'vectors',
    type: 'flag',
    default: true,
    summary: 'use the vectors of the retriever, if it has any',
  },
  {
    name: 'bridge',
    type: 'text',
    default: 'auto',
    choices: ['auto', 'rank', 'off'],
    summary:
      'names that the best sentences mention and the question leaves open: only ranked by, or not used; auto: also searched if a third of the candidates say their own title in their text, as entries of an encyclopedia do, and over short articles if the question has one clause and names no source',
  },
  {
    name: 'ranker',
    type: 'text',
    default: 'learned',
    choices: ['learned', 'sum'],
    summary: 'the shipped weights, or the sum of words, vectors, document and source',
  },
  {
    name: 'duplicates',
    type: 'number',
    default: 0.8,
    min: 0,
    max: 1.01,
    summary:
      'refuse a sentence that shares this part of its words (Jaccard) with a kept one of another document; above 1: only equal texts',
  },
  {
    name: 'reranker',
    type: 'member',
    default: { name: 'auto', args: [] },
    canonical: (id: Name): string => printName(id),
    port: 'reranker',
    summary:
      'what orders sections of documents with headings, and short documents: none: words; auto: the ranker of @multihop/ranker if it is installed and the question is English, else words; or the id of a reranker of the run, such as ms-marco-MiniLM-L-12-v2',
  },
  {
    name: 'candidates',
    type: 'integer',
    default: 100,
    min: 1,
    max: 1000,
    summary:
      'sections or short documents that the reranker reads of one text; 200 of a question, at most',
  },
  {
    name: 'plan',
    type: 'text',
    default: 'none',
    choices: ['none', 'model', 'replayed'],
    summary:
      'of documents with headings: search also for what the run’s model writes in place of the question, up to three lines of which a later one may need the answer of an earlier one; over entries of an encyclopedia: once more for the question with what the model says of its best six; replayed: for the lines of an earlier run',
  },
] as const;

export type FactLanesSettings = SettingsOf<typeof FACT_LANES_PARAMETERS>;
