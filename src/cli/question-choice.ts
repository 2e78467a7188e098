/** The options that choose questions of a data set: the first ones, or a seeded sample. */
import { InputError } from '../core/errors.ts';
import type { DataSet } from '../evaluation/example.ts';
import {
  SAMPLE_SEED,
  type SampleDescription,
  sampleQuestions,
} from '../evaluation/question-sample.ts';
import type { Option, OptionValues } from './option.ts';

export const SAMPLE_OPTIONS: readonly Option[] = [
  {
    name: 'sample',
    value: 'N',
    type: 'integer',
    min: 1,
    summary: 'N random questions, the same for all rows; a larger sample contains a smaller one',
  },
  {
    name: 'seed',
    value: 'N',
    type: 'integer',
    min: 0,
    default: String(SAMPLE_SEED),
    summary: 'seed of the sample',
  },
];

export interface ChosenQuestions {
  readonly dataSet: DataSet;
  readonly sample?: SampleDescription;
}

/** Checks the options, and returns the choice, which throws `InputError('sample-too-large')`. */
export function questionChoice(options: OptionValues): (dataSet: DataSet) => ChosenQuestions {
  const [limit, size, seed] = ['limit', 'sample', 'seed'].map(name => options.text(name));
  if (size !== undefined && limit !== undefined)
    throw new InputError('sample-and-limit', 'Which questions to ask', {
      expected: '--sample or --limit',
      received: 'both',
    });
  if (size === undefined && seed !== undefined)
    throw new InputError('seed-without-sample', 'A seed', {
      expected: '--sample N beside --seed',
      received: 'no sample',
    });
  return dataSet => {
    if (size !== undefined) {
      const { examples, description } = sampleQuestions(
        dataSet.examples,
        Number(size),
        seed === undefined ? SAMPLE_SEED : Number(seed),
      );
      return { dataSet: { ...dataSet, examples }, sample: description };
    }
    return {
      dataSet:
        limit === undefined
          ? dataSet
          : { ...dataSet, examples: dataSet.examples.slice(0, Number(limit)) },
    };
  };
}
