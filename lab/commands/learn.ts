/** `learn TASK`: fits the weights that ship by cross-validation, and prints every figure. */

import type { Command, CommandContext } from '../../src/cli/command.ts';
import { DATA_NOTE } from '../../src/cli/data-options.ts';
import { LEARN_OPTIONS } from '../../src/cli/learn-rows.ts';
import { InputError } from '../../src/core/errors.ts';
import { didYouMean } from '../../src/core/naming/nearest.ts';
import { answerProbabilityTask } from './learn/answer-probability.ts';
import { cascadeTask } from './learn/cascade.ts';
import { chainRankerTask } from './learn/chain-ranker.ts';
import { factRankerTask } from './learn/fact-ranker.ts';
import { factReaderTask } from './learn/fact-reader.ts';
import { openReaderTask } from './learn/open-reader.ts';
import type { LearnTask } from './learn/task.ts';

const TASKS: readonly LearnTask[] = [
  factRankerTask,
  chainRankerTask,
  factReaderTask,
  openReaderTask,
  answerProbabilityTask,
  cascadeTask,
];

export const command: Command = {
  positionals: [
    { name: 'TASK', summary: TASKS.map(({ name, summary }) => `${name}: ${summary}`).join('; ') },
    { name: 'DATASET', summary: 'a data set with null questions: multihop-rag', optional: true },
  ],
  options: [
    ...LEARN_OPTIONS,
    ...new Set(TASKS.flatMap(({ options = [] }) => options)),
    {
      name: 'out',
      value: 'FILE',
      access: 'writes',
      summary: 'write the fitted weights there, with their provenance',
    },
  ],
  notes: [DATA_NOTE],
  examples: [
    {
      line: 'learn fact-reader multihop-rag --strategy multi-meta-rag --context whole --out fact-reader.json',
      says: 'weights for the fact reader, with figures on held-out questions',
    },
  ],
  run: runLearn,
};

async function runLearn(context: CommandContext): Promise<number> {
  const [name] = context.positionals;
  const task = TASKS.find(each => each.name === name);
  const names = TASKS.map(each => each.name);
  if (!task)
    throw new InputError('unknown-task', `Unknown learn task "${name}"`, {
      expected: names.join(', '),
      hint: didYouMean(name!, names),
    });
  checkOptions(task, context);
  return task.run(context);
}

/** Refuses an option that the task would ignore. Throws `InputError('unread-option')`. */
function checkOptions(task: LearnTask, { options }: CommandContext): void {
  for (const option of TASKS.flatMap(({ options: declared = [] }) => declared)) {
    const readers = TASKS.filter(({ options: declared = [] }) => declared.includes(option));
    if (!readers.includes(task) && options.texts(option.name).length > 0)
      throw new InputError('unread-option', `learn ${task.name} does not read --${option.name}`, {
        expected: `it with learn ${readers.map(({ name }) => name).join(' or ')} alone`,
      });
  }
}
