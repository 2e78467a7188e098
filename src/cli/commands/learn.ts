/**
 * `multihop learn`: fits the constants and weights that ship by cross-validation, and prints every
 * figure.
 */
import { InputError } from '../../core/errors.ts';
import { didYouMean } from '../../core/naming/nearest.ts';
import type { Command, CommandContext } from '../command.ts';
import { DATA_NOTE, DATA_OPTIONS } from '../data-options.ts';
import { answerProbabilityTask, RUNS_OPTION } from '../learn-answer-probability.ts';
import { chainRankerTask, TRAIN_OPTION } from '../learn-chain-ranker.ts';
import { factRankerTask } from '../learn-fact-ranker.ts';
import { factReaderTask } from '../learn-fact-reader.ts';
import { openReaderTask, SAMPLES_OPTION } from '../learn-open-reader.ts';
import { LEARN_RERANKER_OPTIONS } from '../learn-reranker.ts';
import { supportThresholdTask } from '../learn-support-threshold.ts';
import type { LearnTask } from '../learn-task.ts';
import {
  BASE_URL_OPTION,
  EMBEDDER_OPTION,
  QUERY_UPDATER_OPTION,
  RERANKER_URL_OPTION,
} from '../model-options.ts';
import { KEPT, WRITTEN_WEIGHTS } from '../written-files.ts';

const TASKS: readonly LearnTask[] = [
  supportThresholdTask,
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
    ...DATA_OPTIONS,
    {
      name: 'strategy',
      value: 'NAME',
      repeatable: true,
      summary: 'strategy whose evidence is learnt from',
    },
    { name: 'retriever', value: 'NAME', repeatable: true, summary: 'retriever of the strategy' },
    { name: 'context', value: 'NAME', repeatable: true, summary: 'context of the reader' },
    {
      name: 'row',
      value: 'ROW',
      repeatable: true,
      summary: 'one more source of evidence: "strategy=NAME; context=NAME; ..."',
    },
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
      access: WRITTEN_WEIGHTS,
      summary: 'write the fitted weights there, with their provenance',
    },
    EMBEDDER_OPTION,
    BASE_URL_OPTION,
    RERANKER_URL_OPTION,
    ...LEARN_RERANKER_OPTIONS,
    QUERY_UPDATER_OPTION,
    {
      name: 'cache',
      value: 'DIR',
      access: KEPT,
      summary: 'cache of vectors, scores and completions',
    },
  ],
  notes: [DATA_NOTE],
  examples: [
    {
      line: 'multihop learn support-threshold multihop-rag',
      says: 'the shipped constant, for budgeted-agent and lead',
    },
    {
      line: 'multihop learn support-threshold multihop-rag --retriever "dense(bge-small-en-v1.5, unit=passage)" --embedder bge-small-en-v1.5 --cache vectors',
      says: 'a constant for evidence found by vectors',
    },
    {
      line: 'multihop learn fact-reader multihop-rag --strategy multi-meta-rag --context whole --out fact-reader.json',
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
