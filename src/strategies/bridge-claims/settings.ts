/** Declares the parameters of `bridge-claims`, the limits of its profiles and its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { repairable } from '../../models/repairable-calls.ts';
import { FURTHER_TARGETS } from '../../planning/claims/write-claim.ts';
import { answerPrompt } from './answer-prompt.ts';
import { claimPrompt, claimTargetsPrompt, targetsPrompt, verifyPrompt } from './prompts.ts';

export const BRIDGE_CLAIMS_PARAMETERS = [
  {
    name: 'profile',
    type: 'text',
    default: 'any',
    choices: ['any', 'paper', 'aware'],
    summary:
      'paper: targets alone find claims, and a model regenerates the targets of each; aware (ours): the question is a target too, and ranks the claims that name a target; any: paper with a model, aware without one',
  },
  {
    name: 'targets',
    type: 'integer',
    default: 4,
    min: 1,
    max: 20,
    summary: 'bridge targets of the question, at most',
  },
  {
    name: 'claims',
    type: 'integer',
    default: 8,
    min: 1,
    max: 100,
    summary: 'claims of the first hop, at most; each brings up to two targets more',
  },
  {
    name: 'bridges',
    type: 'integer',
    default: 20,
    min: 0,
    max: 200,
    summary: 'targets of the second hop, at most; each brings one claim; 0: no bridges',
  },
  {
    name: 'cap',
    type: 'integer',
    default: 0,
    min: 0,
    max: 300,
    summary: 'claims in all; 0: 28, in paper 20, those of the second hop first',
  },
  {
    name: 'answerK',
    type: 'integer',
    default: 0,
    min: 0,
    max: 300,
    summary: 'claims that are read, nearest to the question first; 0: all, in paper 8',
  },
  {
    name: 'minTokens',
    type: 'integer',
    default: 18,
    min: 1,
    max: 1000,
    summary: 'tokens of a fact, at least: words and marks',
  },
  {
    name: 'over',
    type: 'text',
    default: 'any',
    choices: ['any', 'sentences'],
    summary:
      'any: the claims of the store’s claim base, or sentences where it has none; sentences: always these',
  },
  {
    name: 'join',
    type: 'text',
    default: 'none',
    choices: ['none', 'target'],
    summary: 'target (ours): the second hop takes claims about a target, not those that mention it',
  },
  {
    name: 'by',
    type: 'text',
    choices: ['any', 'model', 'rules'],
    summary:
      'any: claims and targets by the run’s model, or by rules without one; model: by the model only; rules: by rules only',
  },
  {
    name: 'verify',
    type: 'text',
    default: 'words',
    choices: ['words', 'model'],
    summary: 'a model’s claims are checked by their words, or by a further call',
  },
  {
    name: 'answer',
    type: 'text',
    default: 'own',
    choices: ['own', 'reader', 'rules'],
    summary:
      'own: the model’s, without one the reader’s; reader: always the reader’s; rules: the name or the yes or no that the claims speak for, low in accuracy',
  },
  {
    name: 'depth',
    type: 'integer',
    default: 100,
    min: 30,
    max: 1000,
    summary: 'sentences of each search that become claims',
  },
  {
    name: 'prompt',
    type: 'integer',
    default: 6000,
    summary: 'tokens of the longest prompt: what it shows is shortened until it fits',
  },
] as const;

type Stated = SettingsOf<typeof BRIDGE_CLAIMS_PARAMETERS>;
/** Settings of a run, whose profile is decided. */
export type BridgeClaimsSettings = Stated & { readonly profile: 'paper' | 'aware' };

/** Decides the profile. */
export const settingsOf = (stated: Stated, hasModel: boolean): BridgeClaimsSettings => {
  const { profile } = stated;
  return { ...stated, profile: profile === 'any' ? (hasModel ? 'paper' : 'aware') : profile };
};

export interface ClaimLimits {
  readonly cap: number;
  readonly answerK: number;
}

/** Caps of the profiles: the paper has 20 claims and reads 8; ours is 8 and 20. */
const CAP = { aware: 28, paper: 20 } as const;
const PAPER_ANSWER_K = 8;

export function limitsOf({ profile, cap, answerK }: BridgeClaimsSettings): ClaimLimits {
  const most = cap || CAP[profile];
  return { cap: most, answerK: answerK || (profile === 'paper' ? PAPER_ANSWER_K : most) };
}

/** A claim that its words do not support is written once again. */
const WRITINGS = 2;
/** Length of a long question in characters. */
const LONG_QUESTION = 500;

/** Returns the number of claims that a model writes for one question, at most. */
function writtenClaims(settings: BridgeClaimsSettings): number {
  const { profile, claims, bridges } = settings;
  const { cap, answerK } = limitsOf(settings);
  return profile === 'paper' ? claims + Math.min(bridges, cap, answerK) : Math.max(claims, cap);
}

/** Plans the calls that write as many claims. */
export const writingCalls = (claims: number, prompt: number): PlannedCalls =>
  repairable(claimPrompt(EXAMPLE, prompt), WRITINGS * claims, prompt);

/** Plans the calls of one question: prompts are as long as the setting `prompt` lets them be. */
export function plannedCalls(stated: Stated): PlannedCalls[] {
  const settings = settingsOf(stated, true);
  const { by, profile, verify, answer, claims, targets, prompt } = settings;
  if (by === 'rules') return [];
  const question = 'q'.repeat(LONG_QUESTION);
  const written = writtenClaims(settings);
  const plans = [repairable(targetsPrompt(question, targets), 1), writingCalls(written, prompt)];
  if (verify === 'model')
    plans.push(
      repairable(verifyPrompt(EXAMPLE, EXAMPLE.sentence, prompt), WRITINGS * written, prompt),
    );
  if (profile === 'paper')
    plans.push(
      repairable(claimTargetsPrompt(EXAMPLE.sentence, FURTHER_TARGETS, prompt), claims, prompt),
    );
  if (answer === 'own') plans.push(repairable(answerPrompt(question, [], prompt), 1, prompt));
  return plans;
}

/** A sentence of usual length, for the tokens that a call is expected to take. */
const EXAMPLE = {
  sentence: 'word '.repeat(28),
  before: 'word '.repeat(84),
  after: 'word '.repeat(84),
  title: 'word '.repeat(12),
  about: 'Source, 2023-11-18',
};
