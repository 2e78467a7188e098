/** Declares the parameters of `fact-lanes`: each idea of it has a switch. */
import type { LanguageModel } from '../../models/language-model.ts';
import { type OptionalNeed, optional, type RequiredNeed, required } from '../../models/port.ts';
import { languageModel, reranker } from '../../models/ports.ts';
import type { Reranker } from '../../models/reranker.ts';
import type { SettingsOf } from '../../naming/family.ts';
import { type Name, printName } from '../../naming/name.ts';

/** The reranker's name where there is none. */
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
    summary: 'what is kept: sentences, or whole documents, each by its best sentence',
  },
  {
    name: 'per-document',
    type: 'integer',
    default: 8,
    min: 1,
    max: 10_000,
    summary: 'sentences kept of a document while others have any; more where tokens are left over',
  },
  {
    name: 'depth',
    type: 'integer',
    default: 60,
    min: 30,
    max: 10_000,
    summary: 'how deep each search goes',
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
      'who cuts the question: rules, or the run’s language model (rules where there is none)',
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
    summary: 'use the vectors of the retriever, where it has some',
  },
  {
    name: 'bridge',
    type: 'text',
    default: 'auto',
    choices: ['auto', 'search', 'rank', 'off'],
    summary:
      'names that the best sentences say and the question leaves open: searched for and ranked by, only ranked by, or not used; auto: searched for where the question names no source',
  },
  {
    name: 'rounds',
    type: 'integer',
    default: 2,
    min: 1,
    max: 100,
    summary: 'how often such names are searched for: hops after the first',
  },
  {
    name: 'ranker',
    type: 'text',
    default: 'learned',
    choices: ['learned', 'sum'],
    summary: 'the weights that ship, or the plain sum of words, vectors, document and source',
  },
  {
    name: 'fill',
    type: 'flag',
    default: true,
    summary:
      'each lane gets its best sentence before any gets a second helping (not where documents are kept)',
  },
  {
    name: 'duplicates',
    type: 'number',
    default: 0.8,
    min: 0,
    max: 1.01,
    summary:
      'a sentence that shares this part of its words with a kept one of another document is left out; above 1: none is',
  },
  {
    name: 'margin',
    type: 'number',
    default: 0,
    min: 0,
    max: 1000,
    summary:
      'stop at sentences whose odds are e to this times below the best one’s; 0: fill the tokens',
  },
  {
    name: 'reranker',
    type: 'member',
    default: { name: NO_RERANKER as typeof NO_RERANKER, args: [] },
    canonical: (name: Name): string => printName(name),
    port: 'reranker',
    summary:
      'the name of a reranker that the run was given, such as ms-marco-MiniLM-L-12-v2, which reads clause and sentence together',
  },
  {
    name: 'pairs',
    type: 'integer',
    default: 12,
    min: 1,
    max: 1000,
    summary: 'sentences of each lane that the reranker reads, asked with the clause',
  },
] as const;

export type FactLanesSettings = SettingsOf<typeof FACT_LANES_PARAMETERS>;

/** Returns the need of the model that cuts the question into lanes, if the settings ask for one. */
export const modelNeed = ({ lanes }: FactLanesSettings): OptionalNeed<LanguageModel> | undefined =>
  lanes === 'model' ? optional(languageModel) : undefined;

/** Returns the need of the reranker that the settings name, if any. */
export function rerankerNeed(settings: FactLanesSettings): RequiredNeed<Reranker> | undefined {
  const id = printName(settings.reranker);
  return id === NO_RERANKER ? undefined : required(reranker, id);
}
