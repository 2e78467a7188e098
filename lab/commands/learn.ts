/** `learn TASK`: fits the weights that ship by cross-validation, and prints every figure. */

import type { Command, CommandContext } from '../../src/cli/command.ts';
import { DATA_NOTE } from '../../src/cli/data-options.ts';
import { LEARN_OPTIONS } from '../../src/cli/learn-rows.ts';
import { InputError } from '../../src/core/errors.ts';
import { didYouMean } from '../../src/core/naming/nearest.ts';
import { answerProbabilityTask, RUNS_OPTION } from './learn/answer-probability.ts';
import { chainRankerTask, TRAIN_OPTION } from './learn/chain-ranker.ts';
import { factRankerTask } from './learn/fact-ranker.ts';
import { factReaderTask } from './learn/fact-reader.ts';
import { openReaderTask, SAMPLES_OPTION } from './learn/open-reader.ts';
import type { LearnTask } from './learn/task.ts';

const TASKS: readonly LearnTask[] = [
  factRankerTask,
  chainRankerTask,
  factReaderTask,
  openReaderTask,
  answerProbabilityTask,
];

export const command: Command = {
  positionals: [
    { name: 'TASK', summary: TASKS.map(({ name, summary }) => `${name}: ${summary}`).join('; ') },
    { name: 'DATASET', summary: 'a data set with null questions: multihop-rag', optional: true },
  ],
  options: [
    ...LEARN_OPTIONS,
    TRAIN_OPTION,
    SAMPLES_OPTION,
    RUNS_OPTION,
    {
      name: 'limit',
      value: 'N',
      type: 'integer',
      min: 1,
      summary:
        'chain-ranker learns from the first N questions of each file, open-reader of each data set',
    },
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
  if (task) {
    checkOptions(task, context);
    return task.run(context);
  }
  const names = TASKS.map(each => each.name);
  const near = didYouMean(name!, names);
  throw new InputError('unknown-task', `Unknown learn task "${name}"`, {
    expected: names.join(', '),
    ...(near ? { hint: near } : {}),
  });
}

/** Refuses an option that the task would ignore. Throws `InputError('unread-option')`. */
function checkOptions(task: LearnTask, { options }: CommandContext): void {
  for (const option of new Set(TASKS.flatMap(({ own = [] }) => own))) {
    const readers = TASKS.filter(({ own = [] }) => own.includes(option));
    if (!readers.includes(task) && options.texts(option).length > 0)
      throw new InputError('unread-option', `learn ${task.name} does not read --${option}`, {
        expected: `it with learn ${readers.map(({ name }) => name).join(' or ')} alone`,
      });
  }
}
