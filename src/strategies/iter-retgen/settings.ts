/** Declares the parameters of Iter-RetGen. */
import type { SettingsOf } from '../../core/naming/family.ts';
import { ANSWER_PARAMETER, THOUGHTS_PARAMETER } from '../../planning/thoughts.ts';
import { DEMONSTRATIONS_AT_MOST } from './generation.ts';

export const ITER_RETGEN_PARAMETERS = [
  {
    name: 'iterations',
    type: 'integer',
    default: 2,
    min: 1,
    max: 20,
    shown: true,
    summary: 'retrievals; the comparison runs 2 and 3',
  },
  {
    name: 'k',
    type: 'integer',
    default: 5,
    min: 1,
    max: 1000,
    shown: true,
    summary: 'passages of an iteration',
  },
  {
    name: 'order',
    type: 'text',
    default: 'question-first',
    choices: ['question-first', 'generation-first'],
    summary:
      'order of question and generation in a query: the paper puts the generation first, EfficientRAG’s script the question',
  },
  {
    name: 'field',
    type: 'text',
    default: 'thought',
    choices: ['thought', 'full'],
    summary:
      'part of a generation that enters the next query: its thought, or thought and answer (the whole text if it cannot be parsed)',
  },
  {
    name: 'accumulate',
    type: 'text',
    default: 'union',
    choices: ['union', 'last'],
    summary: 'order of the evidence: as found, or the last iteration’s passages first',
  },
  {
    name: 'demonstrations',
    type: 'integer',
    default: DEMONSTRATIONS_AT_MOST as number,
    min: 0,
    max: DEMONSTRATIONS_AT_MOST as number,
    summary: 'worked examples in the prompt',
  },
  {
    name: 'words',
    type: 'integer',
    default: 350,
    min: 1,
    max: 100_000,
    summary: 'words of a passage that the prompt shows',
  },
  {
    name: 'prompt',
    type: 'integer',
    default: 8000,
    min: 1,
    max: 1e6,
    summary: 'tokens of the longest prompt: passages are shortened until it fits',
  },
  ANSWER_PARAMETER as typeof ANSWER_PARAMETER,
  THOUGHTS_PARAMETER as typeof THOUGHTS_PARAMETER,
] as const;

export type IterRetGenSettings = SettingsOf<typeof ITER_RETGEN_PARAMETERS>;
