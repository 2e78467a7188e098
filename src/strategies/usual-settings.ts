/**
 * Declares the settings that several strategies share, and the needs that follow from them. A
 * strategy states its meaning of a setting if that differs.
 */
import type { Parameter } from '../core/naming/family.ts';
import { type Name, printName } from '../core/naming/name.ts';
import { type Need, optional, required } from '../core/port.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { languageModel, reranker } from '../models/ports.ts';
import type { Reranker } from '../models/reranker.ts';
import { planners } from '../planning/planners.ts';

/** A setting as a strategy declares it: what is usual of its name is left out. */
export type Declared = Partial<Parameter> & Pick<Parameter, 'name' | 'type'>;

/** Usual parts of a setting, by its name. */
const USUAL: Readonly<Record<string, Partial<Parameter>>> = {
  k: { default: 5, min: 1, max: 1000, shown: true },
  // Documents, passages or sentences of a search that a further choice is made from.
  candidates: { default: 100, min: 1, max: 1000 },
  documents: { default: 6, min: 1, max: 1000, summary: 'documents kept, at most' },
  tokens: { default: 620, min: 1, max: 10_000_000 },
  words: { default: 350, min: 1, max: 100_000, summary: 'words of a passage that a prompt shows' },
  prompt: {
    default: 8000,
    min: 1,
    max: 1e6,
    summary: 'tokens of the longest prompt: passages are shortened until it fits',
  },
  parts: { default: 3, min: 1, max: 10 },
  demonstrations: { default: 3, min: 0, max: 3, summary: 'worked examples in the prompt' },
  damping: {
    default: 0.5,
    min: 0,
    max: 0.99,
    summary: 'probability that the walk follows an edge',
  },
  synonyms: { builds: true, default: true, summary: 'joins names that may mean one entity' },
  hubs: {
    builds: true,
    default: 0,
    min: 0,
    max: 1,
    summary: 'leaves out entities in a greater share of passages, and in more than 50',
  },
  planner: {
    default: { name: 'source-anchored', args: [] },
    canonical: name => planners.canonical(name),
  },
  // Says whose answer ends a run.
  answer: {
    default: 'own',
    summary:
      'own: the strategy’s answer if its evidence supports it, otherwise the reader’s; reader: always the reader’s',
  },
  // Says whose thoughts lead a run.
  thoughts: {
    default: 'any',
    summary:
      'any: by the run’s model, or by a rule without one; model: by the model only; extracted: by the rule only, a lower bound',
  },
  // Says who does the work of a language model.
  by: { default: 'any' },
};

/** The value of a setting that names no resource. */
const NONE = 'none';

/** Usual parts of a setting whose value is the id of a resource of the run. */
const RESOURCE: Partial<Parameter> = {
  default: { name: NONE, args: [] },
  canonical: id => printName(id),
};

/** Returns the settings with what is usual of them. */
export const completed = <const P extends readonly Declared[]>(declared: P): Completed<P> =>
  declared.map(setting => ({
    ...(setting.port === undefined ? USUAL[setting.name] : RESOURCE),
    ...setting,
  })) as Completed<P>;
type Completed<P extends readonly Declared[]> = {
  readonly [I in keyof P]: P[I] & Pick<Parameter, 'default' | 'summary'>;
};

/** Returns the id of the resource that a setting names, if any. */
export const idOf = (named: Name): string | undefined =>
  printName(named) === NONE ? undefined : printName(named);

/** The value of a setting that uses the shipped ranker where its package is installed. */
export const AUTO = 'auto';
const SHIPPED_RANKER = 'ranker';

/** Returns the need of the reranker that a setting names, if any; an optional one of `auto`. */
export function rerankerNeed(named: Name): Need<Reranker> | undefined {
  const id = idOf(named);
  if (id === AUTO) return optional(reranker, SHIPPED_RANKER);
  return id === undefined ? undefined : required(reranker, id);
}

/** Returns the need of the model of a strategy; none if rules do its work. */
export function modelNeed(
  from: 'any' | 'model' | 'rules' | 'extracted',
): Need<LanguageModel> | undefined {
  if (from === 'rules' || from === 'extracted') return undefined;
  return from === 'model' ? required(languageModel) : optional(languageModel);
}
