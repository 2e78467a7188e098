/**
 * The options of `tree-hop`, which of them each task takes, and training settings read from
 * them.
 */

import { BASE_URL_OPTION, EMBEDDER_OPTION } from '../../../src/cli/model-options.ts';
import type { Option, OptionValues } from '../../../src/cli/option.ts';
import { GLOBAL_OPTIONS } from '../../../src/cli/option.ts';
import { KEPT, type Written } from '../../../src/cli/written-files.ts';
import { InputError } from '../../../src/core/errors.ts';
import { didYouMean } from '../../../src/core/naming/nearest.ts';
import { publishedShape, TREE_HOP_VARIANTS } from '../../../src/models/tree-hop/shape.ts';
import { SCHEDULES } from '../../learning/tree-hop/rate-schedule.ts';
import { NEGATIVE_CHOICES } from '../../learning/tree-hop/training-batches.ts';
import {
  checkSettings,
  PUBLISHED_TRAINING,
  SELECTIONS,
  type TrainingSettings,
} from '../../learning/tree-hop/training-settings.ts';
import { treeHopFiles } from './run-files.ts';

export const TREE_HOP_TASKS = ['data', 'train', 'ablate'] as const;
export type TreeHopTask = (typeof TREE_HOP_TASKS)[number];

const whole = (name: string, summary: string, fallback?: number, min = 1): Option => ({
  ...{ name, summary, min, value: 'N', type: 'integer' },
  ...(fallback === undefined ? {} : { default: String(fallback) }),
});
const text = (name: string, value: string, summary: string, fallback?: string): Option => ({
  ...{ name, value, summary },
  ...(fallback === undefined ? {} : { default: fallback }),
});

const {
  epochs,
  batch,
  rate,
  weightDecay,
  temperature,
  patience,
  seed,
  variant,
  select,
  lossNegatives,
  outputScale,
  valueScale,
  schedule,
  dropout,
  k,
} = PUBLISHED_TRAINING;

const DATA: readonly Option[] = [
  {
    name: 'data',
    value: 'PATH',
    access: 'read',
    repeatable: true,
    summary:
      'train files of 2WikiMultiHopQA, MuSiQue, HotpotQA and gold_chains.jsonl, or a folder of them',
  },
  whole('negatives', 'negatives of each positive', 5),
  whole(
    'mentions',
    'questions written by English rules for each paragraph and one that it names; learnt, never held out',
    0,
    0,
  ),
  whole('seed', 'for negatives, held-out questions, weights and order', seed, 0),
];
const CHECKPOINT: Written = { file: /^[\s\S]{8}\{"__metadata__":\{[\s\S]*"format":"treehop/ };
const OUT: Option = {
  name: 'out',
  value: 'PATH',
  access: {
    ...CHECKPOINT,
    beside(path) {
      const { state, curve, picture } = treeHopFiles(path);
      return [
        [state, CHECKPOINT],
        [curve, { file: /^\{\s*"title": "/ }],
        [picture, { file: /^<svg [^>]*; epoch \d+ was kept">/ }],
      ];
    },
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
  text('template', 'NAME', 'what the embedder reads of a paragraph', 'title-context'),
  {
    ...text('cache', 'DIR', 'vectors that were computed, so that they are not computed again'),
    access: KEPT,
  },
  whole('epochs', 'at most so many', epochs),
  whole('batch', 'questions a step', batch),
  text('rate', 'NUMBER', 'learning rate of AdamW', String(rate)),
  text(
    'schedule',
    'NAME',
    `${SCHEDULES.join(', ')}: of the rate, to 0 over all --epochs`,
    schedule,
  ),
  text('dropout', 'SHARE', 'of what the residual blocks add, in training alone', String(dropout)),
  text(
    'weight-decay',
    'NUMBER',
    'of AdamW; the published one is none in effect',
    String(weightDecay),
  ),
  text('temperature', 'NUMBER', 'of the InfoNCE loss', String(temperature)),
  whole('g', "size of the gate; twice the embedder's dimensions when missing"),
  whole('mlp', 'size of the residual blocks; as the gate when missing'),
  whole('blocks', 'residual blocks', 3, 0),
  whole('heads', 'heads', 1),
  text('variant', 'NAME', TREE_HOP_VARIANTS.join(', '), variant),
  text('held-out', 'SHARE', 'of the questions, for early stopping; 0: none', '0.1'),
  whole(
    'folds',
    'cross-validate, then train on all questions for the median of the best epochs',
    undefined,
    2,
  ),
  whole('patience', 'epochs without a better one before the end; 0: never', patience, 0),
  text('select', 'NAME', 'the best epoch by held-out recall after two hops, or by loss', select),
  whole('k', 'cut-off of the held-out recalls', k),
  text(
    'loss-negatives',
    'NAME',
    `${NEGATIVE_CHOICES.join(', ')}: redrawn is the released code's way, batch adds the positives of the others, pool is all paragraphs`,
    lossNegatives,
  ),
  whole(
    'hard-negatives',
    'more negatives of each update: the paragraphs nearest to its question',
    0,
    0,
  ),
  text(
    'output-scale',
    'NUMBER',
    'shrinks the last map at the beginning; 1 is as published',
    String(outputScale),
  ),
  text(
    'value-scale',
    'NUMBER',
    'multiplies W_V at the beginning; 1 is as published, with the size of the gate more is learnt',
    String(valueScale),
  ),
  {
    name: 'resume',
    summary: 'go on where a run of the same data and settings stopped; begin where there is none',
  },
];

const TASK_OPTIONS: Readonly<Record<TreeHopTask, readonly Option[]>> = {
  data: DATA,
  train: TRAINING,
  ablate: TRAINING.filter(({ name }) => name !== 'variant' && name !== 'folds'),
};

/** Those of all tasks; the help says of one that few take whose it is. */
export const TREE_HOP_OPTIONS: readonly Option[] = [
  ...new Map(
    Object.values(TASK_OPTIONS).flatMap(options =>
      options.map(option => [option.name, option] as const),
    ),
  ).values(),
];

/**
 * Throws `InputError`: 'unknown-task', or 'option-not-for-task' naming the first option that the
 * task does not take.
 */
export function taskOf(word: string, options: OptionValues): TreeHopTask {
  const task = TREE_HOP_TASKS.find(name => name === word);
  if (task === undefined) {
    const near = didYouMean(word, TREE_HOP_TASKS);
    throw new InputError('unknown-task', `There is nothing to do with TreeHop called "${word}"`, {
      expected: TREE_HOP_TASKS.join(', '),
      ...(near ? { hint: near } : {}),
    });
  }
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

/** Throws `InputError('bad-value')`. */
export function numberOf(
  options: OptionValues,
  name: string,
  fallback: number,
  isRight: (value: number) => boolean,
  expected: string,
): number {
  const given = options.text(name);
  if (given === undefined) return fallback;
  const value = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(given)
    ? Number(given)
    : Number.NaN;
  if (Number.isFinite(value) && isRight(value)) return value;
  throw new InputError('bad-value', `The option --${name}`, { expected, received: `"${given}"` });
}

/** Throws `InputError('bad-value')` that names the nearest. */
export function choiceOf<T extends string>(
  options: OptionValues,
  name: string,
  choices: readonly T[],
  fallback: T,
): T {
  const given = options.text(name) ?? fallback;
  const choice = choices.find(each => each === given);
  if (choice !== undefined) return choice;
  const near = didYouMean(given, choices);
  throw new InputError('bad-value', `The option --${name}`, {
    ...{ expected: `one of ${choices.join(', ')}`, received: `"${given}"` },
    ...(near ? { hint: near } : {}),
  });
}

/** Everything but what the embedder decides. */
export interface TrainingChoices {
  readonly heldOut: number;
  readonly folds: number | undefined;
  settings(dimensions: number): TrainingSettings;
}

const AT_LEAST_0 = [(value: number): boolean => value >= 0, 'a number of at least 0'] as const;
const ABOVE_0 = [(value: number): boolean => value > 0, 'a number above 0'] as const;
const DROPOUT = [
  (value: number): boolean => value >= 0 && value < 1,
  'a share from 0 to below 1',
] as const;
const HELD_OUT = [
  (value: number): boolean => value >= 0 && value <= 0.5,
  'a share from 0 to 0.5',
] as const;

/** Returns the settings that do not depend on the dimensions. Throws `InputError('bad-value')`. */
function chosenSettings(options: OptionValues): Omit<TrainingSettings, 'shape'> {
  const whole = (name: string, fallback: number): number => options.integer(name, fallback);
  return {
    variant: choiceOf(options, 'variant', TREE_HOP_VARIANTS, variant),
    epochs: whole('epochs', epochs),
    batch: whole('batch', batch),
    patience: whole('patience', patience),
    seed: whole('seed', seed),
    rate: numberOf(options, 'rate', rate, ...ABOVE_0),
    temperature: numberOf(options, 'temperature', temperature, ...ABOVE_0),
    weightDecay: numberOf(options, 'weight-decay', weightDecay, ...AT_LEAST_0),
    lossNegatives: choiceOf(options, 'loss-negatives', NEGATIVE_CHOICES, lossNegatives),
    hardNegatives: whole('hard-negatives', 0),
    outputScale: numberOf(options, 'output-scale', outputScale, ...AT_LEAST_0),
    valueScale: numberOf(options, 'value-scale', valueScale, ...AT_LEAST_0),
    schedule: choiceOf(options, 'schedule', SCHEDULES, schedule),
    dropout: numberOf(options, 'dropout', dropout, ...DROPOUT),
    select: choiceOf(options, 'select', SELECTIONS, select),
    k: whole('k', k),
  };
}

/**
 * Checks every option before anything is read or embedded. Throws `InputError`: 'bad-value',
 * 'bad-setting', 'bad-shape'.
 */
export function trainingChoices(options: OptionValues): TrainingChoices {
  const whole = (name: string, fallback: number): number => options.integer(name, fallback);
  const heldOut = numberOf(options, 'held-out', 0.1, ...HELD_OUT);
  const chosen = chosenSettings(options);
  const settings = (d: number): TrainingSettings => {
    const g = whole('g', publishedShape(d).g);
    return {
      ...chosen,
      shape: { d, g, m: whole('mlp', g), nMlp: whole('blocks', 3), heads: whole('heads', 1) },
    };
  };
  // A wrong setting is wrong for any number of dimensions.
  checkSettings(settings(1));
  return {
    heldOut,
    folds: options.text('folds') === undefined ? undefined : whole('folds', 5),
    settings,
  };
}
