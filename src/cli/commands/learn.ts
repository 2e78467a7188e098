/** `multihop learn`: fits a constant to graded questions by cross-validation. */
import { InputError } from '../../core/errors.ts';
import type { Command } from '../command.ts';
import { DATA_NOTE, DATASET_POSITIONAL } from '../data-options.ts';
import { LEARN_OPTIONS } from '../learn-rows.ts';
import { learnSupportThreshold } from '../learn-support-threshold.ts';

const TASK = 'support-threshold';

export const command: Command = {
  positionals: [
    { name: 'TASK', summary: `${TASK}: the support below which the extractive reader abstains` },
    DATASET_POSITIONAL,
  ],
  options: LEARN_OPTIONS,
  notes: ['The questions need some that have no answer.', DATA_NOTE],
  examples: [
    {
      line: 'multihop learn support-threshold multihop-rag',
      says: 'the shipped threshold, for budgeted-agent and lead',
    },
    {
      line: 'multihop learn support-threshold jsonl --store notes.store --questions FILE',
      says: 'a threshold for your documents, for --reader "extractive(support=...)"',
    },
    {
      line: 'multihop learn support-threshold multihop-rag --retriever "dense(bge-small-en-v1.5, unit=passage)" --embedder bge-small-en-v1.5 --cache vectors',
      says: 'a threshold for evidence found by vectors',
    },
  ],
  async run(context) {
    const [task] = context.positionals;
    if (task !== TASK)
      throw new InputError('unknown-task', `Unknown learn task "${task}"`, { expected: TASK });
    return learnSupportThreshold(context);
  },
};
