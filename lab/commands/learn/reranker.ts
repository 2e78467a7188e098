/** The options that name the reranker of `learn` and its questions. */

import type { Option } from '../../../src/cli/command.ts';
import type { OptionValues } from '../../../src/cli/option-values.ts';
import { InputError } from '../../../src/core/errors.ts';
import { SAMPLE_SEED, sampleQuestions } from '../../../src/evaluation/question-sample.ts';
import { required } from '../../../src/models/port.ts';
import { reranker } from '../../../src/models/ports.ts';
import type { Reranker } from '../../../src/models/reranker.ts';
import type { Models } from '../../../src/session/models.ts';
import { openedOf } from '../../../src/session/opened-resources.ts';

/**
 * A reranker takes a second a question, so it may read a sample while the stages before it learn
 * from all questions.
 */
export const LEARN_RERANKER_OPTIONS: readonly Option[] = [
  {
    name: 'reranker',
    value: 'MODEL',
    summary:
      'fact-ranker also fits the weight of this model’s scores, for fact-lanes(reranker=MODEL)',
  },
  {
    name: 'sample',
    value: 'N',
    type: 'integer',
    min: 1,
    summary:
      'N random questions that the reranker reads; the other weights are fitted on all questions',
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

/** Selects among a number of questions those that the reranker reads. */
export type ReadQuestions = (questions: number) => (at: number) => boolean;

/** Checks the options before any work. */
export function readQuestions(options: OptionValues): ReadQuestions {
  const [reranker, size, seed] = ['reranker', 'sample', 'seed'].map(name => options.text(name));
  if (size !== undefined && reranker === undefined)
    throw new InputError('sample-without-reranker', 'A sample', {
      expected: '--reranker MODEL beside --sample N',
      received: 'no reranker',
    });
  if (size === undefined && seed !== undefined)
    throw new InputError('seed-without-sample', 'A seed', {
      expected: '--sample N beside --seed',
      received: 'no sample',
    });
  if (size === undefined) return () => () => true;
  return questions => {
    const places = Array.from({ length: questions }, (_, at) => at);
    const drawn = new Set(
      sampleQuestions(
        places,
        Math.min(Number(size), questions),
        options.integer('seed', SAMPLE_SEED),
      ).examples,
    );
    return at => drawn.has(at);
  };
}

export async function openReranker(
  models: Models,
  name: string | undefined,
): Promise<Reranker | undefined> {
  if (name === undefined) return undefined;
  const opened = await models.forNeeds([required(reranker, name)]);
  return openedOf(opened, reranker)[0];
}
