/**
 * Declares the settings that several strategies have, each once; a strategy says what a setting
 * means there, and what differs. Needs that follow from them stand here too.
 */
import type { Parameter } from '../core/naming/family.ts';
import { type Name, printName } from '../core/naming/name.ts';
import { type Need, optional, type RequiredNeed, required } from '../core/port.ts';
import type { LanguageModel } from '../models/language-model.ts';
import { languageModel, reranker } from '../models/ports.ts';
import type { Reranker } from '../models/reranker.ts';
import { planners } from '../planning/planners.ts';

/** A setting by its name and type. */
export type Setting<N extends string, T extends Parameter['type'] = 'integer'> = Parameter & {
  readonly name: N;
  readonly type: T;
};

type Bounds = Partial<Pick<Parameter, 'default' | 'min' | 'max' | 'shown'>>;

export const topK = (summary: string, differs: Bounds = {}): Setting<'k'> => ({
  name: 'k',
  type: 'integer',
  default: 5,
  min: 1,
  max: 1000,
  shown: true,
  ...differs,
  summary,
});

/** Documents, passages or sentences of a search that a further choice is made from. */
export const candidates = (summary: string): Setting<'candidates'> => ({
  name: 'candidates',
  type: 'integer',
  default: 100,
  min: 1,
  max: 1000,
  summary,
});

export const mostDocuments = (
  summary = 'documents kept, at most',
  differs: Bounds = {},
): Setting<'documents'> => ({
  name: 'documents',
  type: 'integer',
  default: 6,
  min: 1,
  max: 1000,
  ...differs,
  summary,
});

export const tokens = (summary: string, differs: Bounds): Setting<'tokens'> => ({
  name: 'tokens',
  type: 'integer',
  default: 620,
  min: 1,
  max: 10_000_000,
  ...differs,
  summary,
});

/** Words of what a prompt shows. */
export const words = (
  summary = 'words of a passage that a prompt shows',
  differs: Bounds = {},
): Setting<'words'> => ({
  name: 'words',
  type: 'integer',
  default: 350,
  min: 1,
  max: 100_000,
  ...differs,
  summary,
});

/** The longest prompt. */
export const prompt = (
  most = 8000,
  summary = 'tokens of the longest prompt: passages are shortened until it fits',
): Setting<'prompt'> => ({
  name: 'prompt',
  type: 'integer',
  default: most,
  min: 1,
  max: 1e6,
  summary,
});

export const parts = (summary: string, differs: Bounds = {}): Setting<'parts'> => ({
  name: 'parts',
  type: 'integer',
  default: 3,
  min: 1,
  max: 10,
  ...differs,
  summary,
});

/** Worked examples of a prompt: strategies have three. */
export const DEMONSTRATIONS: Setting<'demonstrations'> = {
  name: 'demonstrations',
  type: 'integer',
  default: 3,
  min: 0,
  max: 3,
  summary: 'worked examples in the prompt',
};

export const DAMPING: Setting<'damping', 'number'> = {
  name: 'damping',
  type: 'number',
  default: 0.5,
  min: 0,
  max: 0.99,
  summary: 'probability that the walk follows an edge',
};

export const SYNONYMS: Setting<'synonyms', 'flag'> = {
  name: 'synonyms',
  builds: true,
  type: 'flag',
  default: true,
  summary: 'joins names that may mean one entity',
};

export const hubs = (summary: string, differs: Bounds): Setting<'hubs', 'number'> => ({
  name: 'hubs',
  builds: true,
  type: 'number',
  default: 0,
  min: 0,
  max: 1,
  ...differs,
  summary: `leaves out entities in a greater share of passages, and in more than 50${summary}`,
});

export const planner = (summary: string): Setting<'planner', 'member'> => ({
  name: 'planner',
  type: 'member',
  default: { name: 'source-anchored', args: [] },
  canonical: name => planners.canonical(name),
  summary,
});

/** The value of a setting that names no resource. */
const NONE = 'none';

/** The id of a resource of the run. */
export const resource = <const N extends string>(
  name: N,
  port: string,
  summary: string,
): Setting<N, 'member'> => ({
  name,
  type: 'member',
  default: { name: NONE, args: [] },
  port,
  summary,
  canonical: id => printName(id),
});

/** Returns the id of the resource that a setting names, if any. */
export const idOf = (named: Name): string | undefined =>
  printName(named) === NONE ? undefined : printName(named);

/** Returns the need of the reranker that a setting names, if any. */
export function rerankerNeed(named: Name): RequiredNeed<Reranker> | undefined {
  const id = idOf(named);
  return id === undefined ? undefined : required(reranker, id);
}

/** Says whose answer ends a run. */
export const ANSWER = {
  name: 'answer',
  type: 'text',
  default: 'own',
  choices: ['own', 'reader'],
  summary:
    'own: the strategy’s answer if its evidence supports it, otherwise the reader’s; reader: always the reader’s',
} as const;

/** Says whose thoughts lead a run. */
export const THOUGHTS = {
  name: 'thoughts',
  type: 'text',
  default: 'any',
  choices: ['any', 'model', 'extracted'],
  summary:
    'any: by the run’s model, or by a rule without one; model: by the model only; extracted: by the rule only, a lower bound',
} as const;

/** Says who does the work of a language model. */
export const by = (summary: string): By => ({
  name: 'by',
  type: 'text',
  default: 'any',
  choices: ['any', 'model', 'rules'],
  summary,
});
interface By extends Parameter {
  readonly name: 'by';
  readonly type: 'text';
  readonly choices: readonly ('any' | 'model' | 'rules')[];
}

/** Returns the need of the model of a strategy; none if rules do its work. */
export function modelNeed(
  from: 'any' | 'model' | 'rules' | 'extracted',
): Need<LanguageModel> | undefined {
  if (from === 'rules' || from === 'extracted') return undefined;
  return from === 'model' ? required(languageModel) : optional(languageModel);
}
