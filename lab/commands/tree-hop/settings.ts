/**
 * The settings of a training run as options: what the help says of each, and how it is read. Their
 * defaults are the published ones.
 */
import type { Option, OptionValues } from '../../../src/cli/option.ts';
import { InputError } from '../../../src/core/errors.ts';
import { didYouMean } from '../../../src/core/naming/nearest.ts';
import { publishedShape, TREE_HOP_VARIANTS } from '../../../src/models/tree-hop/shape.ts';
import { SCHEDULES } from '../../learning/tree-hop/rate-schedule.ts';
import { NEGATIVE_CHOICES } from '../../learning/tree-hop/training-batches.ts';
import {
  checkSettings,
  PUBLISHED_TRAINING,
  type TrainingSettings,
} from '../../learning/tree-hop/training-settings.ts';

type Chosen = Omit<TrainingSettings, 'shape'>;
/** An option without its name and its default. */
type Setting<T> = Omit<Option<T>, 'name' | 'default'>;

const whole = (summary: string, min = 1): Setting<number> => ({
  value: 'N',
  type: 'integer',
  min,
  summary,
  read: Number,
});

interface Range {
  readonly expected: string;
  holds(value: number): boolean;
}
const AT_LEAST_0: Range = { expected: 'a number of at least 0', holds: value => value >= 0 };
const ABOVE_0: Range = { expected: 'a number above 0', holds: value => value > 0 };
const BELOW_1: Range = {
  expected: 'a share from 0 to below 1',
  holds: value => value >= 0 && value < 1,
};
const UP_TO_HALF: Range = {
  expected: 'a share from 0 to 0.5',
  holds: value => value >= 0 && value <= 0.5,
};

const number = (summary: string, { expected, holds }: Range): Setting<number> => ({
  value: 'NUMBER',
  summary,
  read(text) {
    const isNumber = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text);
    if (isNumber && Number.isFinite(Number(text)) && holds(Number(text))) return Number(text);
    throw new InputError('bad-value', summary, { expected, received: `"${text}"` });
  },
});

const choice = <T extends string>(choices: readonly T[], summary = ''): Setting<T> => ({
  value: 'NAME',
  summary: `${choices.join(', ')}${summary}`,
  read(text) {
    const chosen = choices.find(each => each === text);
    if (chosen !== undefined) return chosen;
    throw new InputError('bad-value', 'The name', {
      expected: `one of ${choices.join(', ')}`,
      received: `"${text}"`,
      hint: didYouMean(text, choices),
    });
  },
});

/** By the name of the setting; `lossNegatives` is `--loss-negatives`. */
const SETTINGS: { readonly [K in keyof Chosen]: Setting<Chosen[K]> } = {
  epochs: whole('at most so many'),
  batch: whole('questions a step'),
  rate: number('learning rate of AdamW', ABOVE_0),
  schedule: choice(SCHEDULES, ': of the rate, to 0 over all --epochs'),
  dropout: number('share of what the residual blocks add, in training alone', BELOW_1),
  weightDecay: number('of AdamW; the published one is none in effect', AT_LEAST_0),
  temperature: number('of the InfoNCE loss', ABOVE_0),
  variant: choice(TREE_HOP_VARIANTS),
  patience: whole('epochs without a better one before the end; 0: never', 0),
  k: whole('cut-off of the held-out recalls'),
  lossNegatives: choice(NEGATIVE_CHOICES, ': of the update, or all paragraphs'),
  outputScale: number('shrinks the last map at the beginning; 1 is as published', AT_LEAST_0),
  valueScale: number(
    'multiplies W_V at the beginning; 1 is as published, with the size of the gate more is learnt',
    AT_LEAST_0,
  ),
  seed: whole('for negatives, held-out questions, weights and order', 0),
};

const nameOf = (setting: string): string =>
  setting.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

const CHOSEN = Object.entries(SETTINGS).map(
  ([setting, option]) =>
    [setting, { name: nameOf(setting), ...option } as Option<unknown>] as const,
);
const SHAPE = {
  g: { name: 'g', ...whole("size of the gate; twice the embedder's dimensions") },
  mlp: { name: 'mlp', ...whole('size of the residual blocks; as the gate') },
  blocks: { name: 'blocks', default: '3', ...whole('residual blocks', 0) },
  heads: { name: 'heads', default: '1', ...whole('heads') },
} as const;

export const HELD_OUT: Option<number> = {
  name: 'held-out',
  default: '0.1',
  ...number('share of the questions, for early stopping; 0: none', UP_TO_HALF),
};

export const SETTING_OPTIONS: readonly Option[] = [
  ...CHOSEN.map(([setting, option]) => ({
    ...option,
    default: String(PUBLISHED_TRAINING[setting as keyof Chosen]),
  })),
  ...Object.values(SHAPE),
];

/**
 * Checks every option before anything is read or embedded, and returns the settings for vectors of
 * so many dimensions. Throws `InputError`: 'bad-value', 'bad-setting', 'bad-shape'.
 */
export function settingsOf(options: OptionValues): (dimensions: number) => TrainingSettings {
  const chosen = Object.fromEntries(
    CHOSEN.map(([setting, option]) => [
      setting,
      options.get(option) ?? PUBLISHED_TRAINING[setting as keyof Chosen],
    ]),
  ) as unknown as Chosen;
  const settings = (d: number): TrainingSettings => {
    const g = options.get(SHAPE.g) ?? publishedShape(d).g;
    const [m, nMlp, heads] = [
      options.get(SHAPE.mlp) ?? g,
      options.get(SHAPE.blocks) ?? 3,
      options.get(SHAPE.heads) ?? 1,
    ];
    return { ...chosen, shape: { d, g, m, nMlp, heads } };
  };
  // A wrong setting is wrong for any number of dimensions.
  checkSettings(settings(1));
  return settings;
}
