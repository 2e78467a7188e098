/** Declares the parameters of `fact-lanes`; each of its parts can be switched off. */

import type { SettingsOf } from '../../core/naming/family.ts';
import { type Name, printName } from '../../core/naming/name.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import { type OptionalNeed, optional, type RequiredNeed, required } from '../../models/port.ts';
import { languageModel, reranker } from '../../models/ports.ts';
import type { Reranker } from '../../models/reranker.ts';

/** The value of `reranker` that names none. */
export const NO_RERANKER = 'none';

export const FACT_LANES_PARAMETERS = [
  {
    name: 'tokens',
    type: 'integer',
    default: 510,
    min: 1,
    max: 10_000_000,
    shown: true,
    summary: 'context tokens',
  },
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
    name: 'lanes',
    type: 'text',
    default: 'clauses',
    choices: ['clauses', 'model'],
    summary:
      'how the question is split: by rules, or by the run’s language model (rules if there is none)',
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
    choices: ['auto', 'search', 'rank', 'off'],
    summary:
      'names that the best sentences mention and the question leaves open: searched and ranked by, only ranked by, or not used; auto: searched if the titles of candidates are names that the question or other candidates mention, and over short articles if the question has one clause and names no source',
  },
  {
    name: 'rounds',
    type: 'integer',
    default: 2,
    min: 1,
    max: 100,
    summary: 'hops after the first, each of which searches such names',
  },
  {
    name: 'ranker',
    type: 'text',
    default: 'learned',
    choices: ['learned', 'sum'],
    summary: 'the shipped weights, or the sum of words, vectors, document and source',
  },
  {
    name: 'fill',
    type: 'flag',
    default: true,
    summary:
      'each lane gets its best sentence before any gets a second one (not with unit=document)',
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
    name: 'margin',
    type: 'number',
    default: 0,
    min: 0,
    max: 1000,
    summary:
      'refuse sentences whose log-odds are this far below the best one’s; 0: fill the tokens',
  },
  {
    name: 'reranker',
    type: 'member',
    default: { name: NO_RERANKER as typeof NO_RERANKER, args: [] },
    canonical: (name: Name): string => printName(name),
    port: 'reranker',
    summary:
      'id of a reranker of the run, such as ms-marco-MiniLM-L-12-v2, that scores sentences against their lane',
  },
  {
    name: 'pairs',
    type: 'integer',
    default: 12,
    min: 1,
    max: 1000,
    summary: 'sentences of each lane that the reranker scores',
  },
] as const;

export type FactLanesSettings = SettingsOf<typeof FACT_LANES_PARAMETERS>;

/** Returns the need of the model that splits the question, if the settings ask for one. */
export const modelNeed = ({ lanes }: FactLanesSettings): OptionalNeed<LanguageModel> | undefined =>
  lanes === 'model' ? optional(languageModel) : undefined;

/** Returns the need of the reranker that the settings name, if any. */
export function rerankerNeed(settings: FactLanesSettings): RequiredNeed<Reranker> | undefined {
  const id = printName(settings.reranker);
  return id === NO_RERANKER ? undefined : required(reranker, id);
}
