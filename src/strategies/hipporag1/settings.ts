/** Declares the parameters of `hipporag1`, what its profiles set, and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import type { Prompt } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import { EXTRACTED_STEPS } from '../../planning/extracted-sentence.ts';
import { LONG_QUESTION, longParagraphs, plannedAnswer } from '../../planning/passages-answer.ts';
import { LONG_TEXT, queryEntityPrompt, thoughtPrompt } from './prompts.ts';

export const HIPPORAG1_PARAMETERS = [
  { name: 'k', type: 'integer', summary: 'passages kept' },
  {
    name: 'profile',
    type: 'text',
    default: 'any',
    choices: ['any', 'paper', 'ours'],
    summary:
      'paper: 4 steps, the walk alone ranks, all entities take part; ours: what steps, blend and hubs say of it; any: paper with a model, ours without one',
  },
  {
    name: 'steps',
    type: 'integer',
    default: 0,
    min: 0,
    max: (EXTRACTED_STEPS + 1) as number,
    summary:
      'rankings that are merged: of the question, and of thoughts after it (paper: 4 on MuSiQue, 2 on HotpotQA and 2WikiMultiHopQA); 0: 4, without a model in profile ours 1',
  },
  {
    name: 'read',
    type: 'integer',
    default: 10,
    min: 1,
    max: 1000,
    summary: 'passages that a thought is made from',
  },
  {
    name: 'blend',
    type: 'text',
    default: 'profile',
    choices: ['profile', 'specific', 'half', 'walk'],
    summary:
      'weight of the walk beside its search: half by the specificity of the most specific name; a half; all; profile: specific, in profile paper walk',
  },
  { name: 'damping', type: 'number' },
  { name: 'synonyms', type: 'flag' },
  {
    name: 'hubs',
    type: 'number',
    summary:
      'leaves out entities in a greater share of passages, and in more than 50; 0: 0.1, in profile paper 1, which keeps all',
  },
  { name: 'words', type: 'integer' },
  { name: 'prompt', type: 'integer' },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
  { name: 'thoughts', type: 'text', choices: ['any', 'model', 'extracted'] },
] as const;

export type Hipporag1Settings = SettingsOf<typeof HIPPORAG1_PARAMETERS>;

/** Steps of the paper on questions of up to four hops; a stated answer ends them earlier. */
const PAPER_STEPS = 4;

export interface Hipporag1Limits {
  readonly steps: number;
  readonly blend: 'specific' | 'half' | 'walk';
  readonly hubs: number;
  /** Passages that a walk does not reach have the least score, 0, as where all are scored. */
  readonly fromZero: boolean;
}

export function limitsOf(
  { profile, steps, blend, hubs }: Hipporag1Settings,
  hasModel: boolean,
): Hipporag1Limits {
  const paper = profile === 'paper' || (profile === 'any' && hasModel);
  return {
    steps: steps || (paper || hasModel ? PAPER_STEPS : 1),
    blend: blend === 'profile' ? (paper ? 'walk' : 'specific') : blend,
    hubs: hubs || (paper ? 1 : 0.1),
    fromZero: paper,
  };
}

/** Plans one list of names a ranking, one thought between two rankings, and one answer. */
export function hipporag1Calls(settings: Hipporag1Settings): PlannedCalls[] {
  const { k, read, words, prompt, answer, thoughts } = settings;
  if (thoughts === 'extracted') return [];
  const { steps } = limitsOf(settings, true);
  const planned = (atMost: number, { role, maxTokens }: Prompt, most: number, usual: number) => ({
    role,
    atMost,
    promptTokens: most,
    completionTokens: maxTokens,
    expected: { promptTokens: Math.min(usual, most) },
  });
  const longest = queryEntityPrompt(LONG_TEXT);
  const question = queryEntityPrompt(LONG_QUESTION);
  const paragraphs = longParagraphs(Math.min(read, prompt), Math.min(words, prompt));
  const thought = thoughtPrompt({ question: LONG_QUESTION, paragraphs, thoughts: [] }, settings);
  return [
    planned(steps, longest, promptTokens(longest), promptTokens(question)),
    ...(steps > 1 ? [planned(steps - 1, thought, prompt, promptTokens(thought))] : []),
    ...(answer === 'own' ? [plannedAnswer(k, settings)] : []),
  ];
}
