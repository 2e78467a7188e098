/** Declares the parameters of `longrag-units` and plans its model calls. */

import type { SettingsOf } from '../../core/naming/family.ts';
import { type OptionalNeed, optional } from '../../core/port.ts';
import type { LanguageModel } from '../../models/language-model.ts';
import type { PlannedCalls } from '../../models/planned-calls.ts';
import { languageModel } from '../../models/ports.ts';
import { promptTokens } from '../../models/prompt-tokens.ts';
import { LONG_ANSWER, LONG_TOKENS, SHORT_ANSWER, shortAnswerPrompt } from './reader.ts';

export const LONGRAG_UNITS_PARAMETERS = [
  {
    name: 'units',
    type: 'integer',
    default: 4,
    min: 1,
    max: 100,
    shown: true,
    summary: 'units that are kept; the paper keeps 4 to 8',
  },
  {
    name: 'size',
    type: 'integer',
    default: 4000,
    min: 1,
    max: 1_000_000,
    shown: true,
    summary: 'tokens of a unit, at most; a longer document is a unit by itself',
  },
  {
    name: 'candidates',
    type: 'integer',
    summary: 'first documents of the search, which are grouped',
  },
  {
    name: 'links',
    type: 'text',
    default: 'any',
    choices: ['any', 'stated', 'alike'],
    summary:
      'links that join documents: those that the documents state, those between documents that are alike, or stated ones where there are any and alike ones otherwise',
  },
  {
    name: 'neighbours',
    type: 'integer',
    default: 5,
    min: 1,
    max: 1000,
    summary: 'alike: documents that one is linked with',
  },
  {
    name: 'cosine',
    type: 'number',
    default: 0.2,
    min: 0,
    max: 1,
    summary: 'alike: least cosine of TF-IDF vectors',
  },
  {
    name: 'days',
    type: 'integer',
    default: 14,
    min: 0,
    max: 100_000,
    summary: 'alike: most days between two documents that have a date',
  },
  {
    name: 'tokens',
    type: 'integer',
    default: 30_000,
    summary: 'tokens of all kept units; the last units that do not fit are dropped',
  },
  {
    name: 'order',
    type: 'text',
    default: 'score',
    choices: ['score', 'unit'],
    summary: 'order of the evidence: documents by their own score, or unit by unit',
  },
  {
    name: 'prompt',
    type: 'integer',
    default: 40_000,
    summary: 'tokens of the longest prompt: units are dropped from the last until it fits',
  },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
] as const;

export type LongragUnitsSettings = SettingsOf<typeof LONGRAG_UNITS_PARAMETERS>;

/**
 * Usual tokens of four units, as prompts estimate them: measured 600 words over 2WikiMultiHopQA and
 * 10,300 over MultiHop-RAG.
 */
const USUAL_UNITS = 13_000;

/** Returns the need of the model that reads the units. */
export const unitsModel = ({
  answer,
}: LongragUnitsSettings): OptionalNeed<LanguageModel> | undefined =>
  answer === 'own' ? optional(languageModel) : undefined;

/** Plans the two calls of the reader. */
export function unitsCalls({ answer, prompt }: LongragUnitsSettings): PlannedCalls[] {
  if (answer === 'reader') return [];
  const short = shortAnswerPrompt('q'.repeat(500), 'w'.repeat(5 * LONG_TOKENS));
  return [
    {
      role: LONG_ANSWER,
      atMost: 1,
      promptTokens: prompt,
      completionTokens: LONG_TOKENS,
      expected: { promptTokens: Math.min(USUAL_UNITS, prompt) },
    },
    {
      role: SHORT_ANSWER,
      atMost: 1,
      promptTokens: promptTokens(short),
      completionTokens: short.maxTokens,
    },
  ];
}
