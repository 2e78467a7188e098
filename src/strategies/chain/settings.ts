/** Declares the parameters of `chain`, the limits of its profiles, its needs and model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import { type RequiredNeed, required } from '../../core/port.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { questionAnswerer } from '../../models/ports.ts';
import type { QuestionAnswerer } from '../../models/question-answerer.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { LONG_QUESTION, longParagraphs, plannedAnswer } from '../../planning/passages-answer.ts';
import { integrationPrompt, LONGEST_SUB_ANSWER } from '../../planning/sub-answers.ts';
import { subAnswerPrompt } from '../../planning/sub-questions/model-sub-answer.ts';
import {
  decomposePrompt,
  type SplitSettings,
} from '../../planning/sub-questions/model-sub-questions.ts';
import { idOf } from '../usual-settings.ts';
import { judgePrompt, rewritePrompt, summarisePrompt } from './prompts.ts';

export const CHAIN_PARAMETERS = [
  {
    name: 'integration',
    type: 'text',
    default: 'answers',
    choices: ['answers', 'contexts'],
    shown: true,
    summary: 'answer from the sub-answers alone (AnsInt), or from all sentences alone (CxtInt)',
  },
  {
    name: 'profile',
    type: 'text',
    default: 'paper',
    choices: ['paper', 'code'],
    summary:
      'paper: 3 seeds, all their neighbours, then more until they suffice; code: 7 seeds, and only if these do not suffice the 5 best neighbours of the first 3',
  },
  { name: 'parts', type: 'integer', default: 4, summary: 'sub-questions, at most' },
  {
    name: 'k',
    type: 'integer',
    default: 0,
    min: 0,
    shown: false,
    summary: 'seed sentences of a sub-question; 0: 3, in code 7',
  },
  {
    name: 'candidates',
    type: 'integer',
    summary: 'sentences of a search from which seeds are chosen, and neighbours of a round',
  },
  {
    name: 'words',
    type: 'integer',
    default: 3000,
    max: 1_000_000,
    summary: 'words of the sentences of a sub-question, at most',
  },
  {
    name: 'rounds',
    type: 'integer',
    default: 3,
    min: 1,
    max: 20,
    summary: 'rounds of expansion of a sub-question, at most',
  },
  {
    name: 'rewriting',
    type: 'flag',
    default: true,
    summary: 'complete sub-questions that lack an entity by earlier answers',
  },
  { name: 'graph', type: 'flag', default: true, summary: 'follow edges from the seeds' },
  {
    name: 'adjacent',
    type: 'flag',
    default: true,
    summary: 'follow edges between sentences up to 3 apart (SA)',
  },
  {
    name: 'entity',
    type: 'flag',
    default: true,
    summary: 'follow edges between sentences that share a key entity (EC)',
  },
  {
    name: 'semantic',
    type: 'flag',
    default: true,
    summary:
      'follow edges between the nearest sentences in the spaces that the retriever searches (SS)',
  },
  {
    name: 'judgeMultiHop',
    type: 'flag',
    default: false,
    summary: 'ask the model first if the question needs several facts',
  },
  {
    name: 'split',
    type: 'text',
    default: 'model',
    choices: ['model', 'rules', 'replayed'],
    summary: 'source of the sub-questions: the model, rules, or those of an earlier run',
  },
  {
    name: 'by',
    type: 'text',
    choices: ['any', 'model', 'rules'],
    summary:
      'any: by the run’s model, or by rules without one; model: by the model only; rules: by rules only',
  },
  {
    name: 'planner',
    type: 'member',
    summary: 'planner of the sub-questions of a question that names sources, without a model',
  },
  {
    name: 'documents',
    type: 'integer',
    default: 10,
    min: 0,
    summary:
      'without a model: first documents of the pooled searches that are evidence in any case',
  },
  {
    name: 'reranker',
    type: 'member',
    port: 'reranker',
    summary:
      'id of a reranker of the run, such as ms-marco-MiniLM-L-12-v2, that orders candidates and neighbours; without one the retriever orders them',
  },
  {
    name: 'answerer',
    type: 'member',
    port: 'question-answerer',
    summary:
      'without a model: id of a question answerer of the run that answers sub-questions; without one the name nearest to the asked relation',
  },
  {
    name: 'probe',
    type: 'flag',
    default: false,
    summary:
      'search passages for each sub-question before and after it is completed, for SubQuestionRecall',
  },
  {
    name: 'prompt',
    type: 'integer',
    default: 12_000,
    summary: 'tokens of the longest prompt: what it shows is shortened until it fits',
  },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
] as const;

export type ChainSettings = SettingsOf<typeof CHAIN_PARAMETERS>;

/** Returns the need of the question answerer that the settings name, if any. */
export function answererNeed({
  answerer,
}: ChainSettings): RequiredNeed<QuestionAnswerer> | undefined {
  const id = idOf(answerer);
  return id === undefined ? undefined : required(questionAnswerer, id);
}

export interface ChainLimits {
  readonly seeds: number;
  /** Seeds whose neighbours are added. */
  readonly expanded: number;
  readonly rounds: number;
  /** Neighbours that a round adds, at most. */
  readonly added: number;
  /** True if seeds that suffice have no neighbours added. */
  readonly checksSeeds: boolean;
}

/** The released code shows 7 seeds, expands 3, and adds 5 neighbours once. */
export function limitsOf({ profile, k, rounds }: ChainSettings): ChainLimits {
  if (profile === 'code')
    return { seeds: k || 7, expanded: 3, rounds: 1, added: 5, checksSeeds: true };
  const seeds = k || 3;
  return { seeds, expanded: seeds, rounds, added: Number.POSITIVE_INFINITY, checksSeeds: false };
}

/** Returns the settings of the split. */
export const splitOf = ({ parts }: ChainSettings): SplitSettings => ({
  parts,
  chained: false,
  minimal: true,
});

/** Words of the sentences of a sub-question that its prompt usually shows. */
const USUAL_WORDS = 1500;

/** Plans the calls of one question: prompts are as long as the setting `prompt` lets them be. */
export function chainCalls(settings: ChainSettings): PlannedCalls[] {
  const { by, parts, integration, words, prompt, answer, split, rewriting, judgeMultiHop } =
    settings;
  if (by === 'rules') return [];
  const { rounds, checksSeeds } = limitsOf(settings);
  const checks = parts * (checksSeeds ? rounds : rounds - 1);
  const usual = longParagraphs(1, Math.min(USUAL_WORDS, words, prompt)).map(paragraph => ({
    ...paragraph,
  }));
  const pairs = Array.from({ length: parts }, () => ({
    question: LONG_QUESTION,
    answer: 'a'.repeat(LONGEST_SUB_ANSWER),
  }));
  const calls: PlannedCalls[] = [];
  if (judgeMultiHop) calls.push(repairable(judgePrompt(LONG_QUESTION), 1));
  if (split === 'model')
    calls.push(repairable(decomposePrompt(LONG_QUESTION, splitOf(settings)), 1));
  if (rewriting && parts > 1)
    calls.push(
      repairable(rewritePrompt(LONG_QUESTION, pairs, prompt), parts - 1, prompt),
      repairable(summarisePrompt(LONG_QUESTION, usual, prompt), parts - 1, prompt),
    );
  // An answer says whether the sentences suffice.
  const answers = parts + (settings.graph ? checks : 0);
  calls.push(repairable(subAnswerPrompt(LONG_QUESTION, usual), answers, prompt));
  if (answer === 'own')
    calls.push(
      integration === 'answers'
        ? repairable(integrationPrompt(LONG_QUESTION, pairs), 1)
        : plannedAnswer(parts, { words, prompt }),
    );
  return calls;
}
