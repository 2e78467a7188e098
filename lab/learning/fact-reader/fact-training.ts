/** Fits the fact reader's four models to questions with their evidence and gold answers. */

import { normHotpot } from '../../../src/core/text/normalise.ts';
import type { Evidence, Trace } from '../../../src/core/trace/trace.ts';
import { isRight } from '../../../src/evaluation/answer-rules.ts';
import type { Example } from '../../../src/evaluation/example.ts';
import {
  type FitSettings,
  fitLinear,
  fitRanker,
  type Group,
} from '../../../src/evaluation/fitting/fit-linear.ts';
import { isNull } from '../../../src/evaluation/gold-evidence.ts';
import { type FactModel, QUESTION_TYPES } from '../../../src/models/fact-reader/fact-checkpoint.ts';
import type { Prepared } from '../../../src/readers/fact-reader/prepare.ts';

/** A question with the input of the reader and the trace of its run. */
export interface FactSample {
  readonly example: Example;
  /** Input of the reader; undefined if the run abstained before the reader. */
  readonly input:
    | { readonly prepared: Prepared; readonly evidence: readonly Evidence[] }
    | undefined;
  /** Trace of the run; its answer counts if `input` is undefined. */
  readonly trace: Trace;
  /** Kind of the altered corpus that the question was asked of: only support is learnt from it. */
  readonly extra?: string;
  /** True if the evidence is that of another question: a control, from which nothing is learnt. */
  readonly swapped?: boolean;
}

/** Words of questions are many and rare, so that their weights are penalised more. */
export const FACT_SETTINGS: Readonly<Record<keyof FactModel, FitSettings>> = {
  type: { l2: 3, least: 10 },
  answerable: { l2: 1, least: 5 },
  form: { l2: 10, least: 20 },
  entity: { l2: 1, least: 20 },
};

const TYPES: readonly string[] = QUESTION_TYPES;

export function fitFacts(samples: readonly FactSample[]): FactModel {
  const plain = samples.filter(({ extra, swapped }) => extra === undefined && !swapped);
  const settings = settingsFor(samplesPerQuestion(plain));
  const all = preparedOf(samples.filter(({ swapped }) => !swapped));
  const inputs = preparedOf(plain);
  const typed = inputs.filter(({ example }) => TYPES.includes(example.type ?? ''));
  return {
    type: fitLinear(
      typed.map(({ example, prepared }) => ({
        features: prepared.type,
        label: TYPES.indexOf(example.type!),
      })),
      QUESTION_TYPES,
      settings.type,
    ),
    answerable: fitLinear(
      all.map(({ example, prepared }) => ({
        features: prepared.answerable,
        label: Number(isNull(example)),
      })),
      ['answerable'],
      settings.answerable,
    ),
    form: fitLinear(
      all.map(({ example, prepared }) => ({
        features: prepared.byForm,
        label: Number(isNull(example)),
      })),
      ['answerable'],
      settings.form,
    ),
    entity: fitRanker(
      inputs
        .filter(({ example }) => !isNull(example))
        .map(({ example, prepared }) => groupOf(example, prepared)),
      'answer',
      settings.entity,
    ),
  };
}

const preparedOf = (
  samples: readonly FactSample[],
): { readonly example: Example; readonly prepared: Prepared }[] =>
  samples.flatMap(({ example, input }) => (input ? [{ example, prepared: input.prepared }] : []));

const samplesPerQuestion = (plain: readonly FactSample[]): number =>
  plain.length / Math.max(1, new Set(plain.map(({ example }) => example.id)).size);

/**
 * Scales the settings by the number of samples per question: a question with several kinds of
 * evidence carries no more information about its words.
 */
function settingsFor(times: number): typeof FACT_SETTINGS {
  const scaled = ({ l2, least }: FitSettings): FitSettings => ({
    l2: l2 * times,
    least: least * times,
  });
  const { type, answerable, form, entity } = FACT_SETTINGS;
  return {
    type: scaled(type),
    answerable: scaled(answerable),
    form: scaled(form),
    entity: scaled(entity),
  };
}

/** Labels the candidates that equal a gold answer; if there are none, those that contain it. */
function groupOf({ answers }: Example, { candidates }: Prepared): Group {
  const gold = new Set(answers.map(normHotpot));
  const same = candidates.map(({ name }) => gold.has(normHotpot(name.text)));
  const right = same.includes(true)
    ? same
    : candidates.map(({ name }) => isRight('strict', name.text, answers));
  return { features: candidates.map(({ features }) => features), right };
}
