/** Declares the parameters of Iter-RetGen. */
import type { SettingsOf } from '../../core/naming/family.ts';

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
  { name: 'k', type: 'integer', summary: 'passages of an iteration' },
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
  { name: 'demonstrations', type: 'integer' },
  { name: 'words', type: 'integer' },
  { name: 'prompt', type: 'integer' },
  { name: 'answer', type: 'text', choices: ['own', 'reader'] },
  { name: 'thoughts', type: 'text', choices: ['any', 'model', 'extracted'] },
] as const;

export type IterRetGenSettings = SettingsOf<typeof ITER_RETGEN_PARAMETERS>;
