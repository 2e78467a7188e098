/** What can be set of Iter-RetGen (its sheet, sections 2, 4 and 6). */
import type { SettingsOf } from '../naming/family.ts';
import { ANSWER_PARAMETER, THOUGHTS_PARAMETER } from '../planning/thoughts.ts';
import { DEMONSTRATIONS_AT_MOST } from './iter-retgen-generation.ts';

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
      'of question and generation in a query; the paper has the generation first, EfficientRAG’s script the question',
  },
  {
    name: 'field',
    type: 'text',
    default: 'thought',
    choices: ['thought', 'full'],
    summary:
      'what of a generation goes into the next query: its thought, or its answer too (of what cannot be read, everything)',
  },
  {
    name: 'accumulate',
    type: 'text',
    default: 'union',
    choices: ['union', 'last'],
    summary:
      'the evidence in the order in which it was found, or the last iteration’s passages before all others',
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
    summary: 'tokens of the longest prompt: less is shown until it fits',
  },
  ANSWER_PARAMETER as typeof ANSWER_PARAMETER,
  THOUGHTS_PARAMETER as typeof THOUGHTS_PARAMETER,
] as const;

export type IterRetGenSettings = SettingsOf<typeof ITER_RETGEN_PARAMETERS>;
