/** The options of `tree-hop`, and which of them each task takes. */
import { BASE_URL_OPTION, EMBEDDER_OPTION } from '../../../src/cli/model-options.ts';
import { GLOBAL_OPTIONS, type Option, type OptionValues } from '../../../src/cli/option.ts';
import { InputError } from '../../../src/core/errors.ts';
import { didYouMean } from '../../../src/core/naming/nearest.ts';
import { treeHopFiles } from './run-files.ts';
import { HELD_OUT, SETTING_OPTIONS } from './settings.ts';

export const TREE_HOP_TASKS = ['data', 'train', 'ablate'] as const;
export type TreeHopTask = (typeof TREE_HOP_TASKS)[number];

const DATA: readonly Option[] = [
  {
    name: 'data',
    value: 'PATH',
    access: 'read',
    repeatable: true,
    summary:
      'train files of 2WikiMultiHopQA, MuSiQue, HotpotQA and gold_chains.jsonl, or a folder of them',
  },
  {
    name: 'negatives',
    value: 'N',
    type: 'integer',
    min: 1,
    default: '5',
    summary: 'negatives of each positive',
  },
  {
    name: 'mentions',
    value: 'N',
    type: 'integer',
    min: 0,
    default: '0',
    summary:
      'questions written by English rules for each paragraph and one that it names; learnt, never held out',
  },
  SETTING_OPTIONS.find(({ name }) => name === 'seed')!,
];
const OUT: Option = {
  name: 'out',
  value: 'PATH',
  access: 'writes',
  beside(path) {
    const { state, curve, picture } = treeHopFiles(path);
    return [state, curve, picture];
  },
  summary: 'the checkpoint; losses and what is needed to go on stand beside it',
};

const TRAINING: readonly Option[] = [
  ...DATA,
  {
    ...EMBEDDER_OPTION,
    repeatable: false,
    summary:
      'whose vectors the model is for: bge-small-en-v1.5, hub:ORG/NAME, openai-compatible:MODEL',
  },
  BASE_URL_OPTION,
  OUT,
  {
    name: 'template',
    value: 'NAME',
    default: 'title-context',
    summary: 'what the embedder reads of a paragraph',
  },
  {
    name: 'cache',
    value: 'DIR',
    access: 'keeps',
    summary: 'vectors that were computed, so that they are not computed again',
  },
  HELD_OUT,
  ...SETTING_OPTIONS.filter(({ name }) => name !== 'seed'),
  {
    name: 'resume',
    summary: 'go on where a run of the same data and settings stopped; begin where there is none',
  },
];

const TASK_OPTIONS: Readonly<Record<TreeHopTask, readonly Option[]>> = {
  data: DATA,
  train: TRAINING,
  ablate: TRAINING.filter(({ name }) => name !== 'variant'),
};

/** Those of all tasks. */
export const TREE_HOP_OPTIONS: readonly Option[] = TRAINING;

/**
 * Throws `InputError`: 'unknown-task', or 'option-not-for-task' naming the first option that the
 * task does not take.
 */
export function taskOf(word: string, options: OptionValues): TreeHopTask {
  const task = TREE_HOP_TASKS.find(name => name === word);
  if (task === undefined)
    throw new InputError('unknown-task', `There is nothing to do with TreeHop called "${word}"`, {
      expected: TREE_HOP_TASKS.join(', '),
      hint: didYouMean(word, TREE_HOP_TASKS),
    });
  const known = [...TASK_OPTIONS[task], ...GLOBAL_OPTIONS].map(({ name }) => name);
  const other = TREE_HOP_OPTIONS.find(({ name }) => options.flag(name) && !known.includes(name));
  if (other)
    throw new InputError('option-not-for-task', `tree-hop ${task} takes no --${other.name}`, {
      expected: known.map(name => `--${name}`).join(', '),
    });
  return task;
}

/** A required option of a task that others do not need. Throws `InputError('missing-option')`. */
export function wanted(options: OptionValues, name: string): string {
  const value = options.text(name);
  if (value !== undefined) return value;
  const { value: placeholder = '', summary = '' } =
    TREE_HOP_OPTIONS.find(option => option.name === name) ?? {};
  throw new InputError('missing-option', `--${name} ${placeholder} is missing`, {
    expected: summary,
  });
}
