/** Fits the fact reader's six models to questions with their evidence and gold answers. */

import { normHotpot } from '../../../src/core/text/normalise.ts';
import type { Evidence, Trace } from '../../../src/core/trace/trace.ts';
import { isRight } from '../../../src/evaluation/answer-rules.ts';
import type { Example } from '../../../src/evaluation/example.ts';
import {
  type FitSettings,
  fitLinear,
  fitRanker,
  type Group,
  type Labelled,
} from '../../../src/evaluation/fitting/fit-linear.ts';
import { isNull } from '../../../src/evaluation/gold-evidence.ts';
import { type FactModel, QUESTION_TYPES } from '../../../src/models/fact-reader/fact-checkpoint.ts';
import type { LinearModel } from '../../../src/models/fact-reader/linear-model.ts';
import { askedRelation } from '../../../src/readers/fact-reader/asked-relation.ts';
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
  /** True if the evidence is that of another question: only claims are learnt from it. */
  readonly swapped?: boolean;
}

/** Words of questions are many and rare, so that their weights are penalised more. */
export const FACT_SETTINGS: Readonly<Record<keyof FactModel, FitSettings>> = {
  type: { l2: 3, least: 10 },
  answerable: { l2: 1, least: 5 },
  form: { l2: 10, least: 20 },
  verdict: { l2: 50, least: 10 },
  claim: { l2: 20, least: 10 },
  entity: { l2: 1, least: 20 },
};

const TYPES: readonly string[] = QUESTION_TYPES;

export function fitFacts(samples: readonly FactSample[]): FactModel {
  const own = samples.filter(({ extra, swapped }) => extra === undefined && !swapped);
  const times = samplesPerQuestion(own);
  const settings = settingsFor(times);
  const all = preparedOf(samples.filter(({ swapped }) => !swapped));
  const inputs = preparedOf(own);
  const typed = inputs.filter(({ example }) => TYPES.includes(example.type ?? ''));
  const verdicts = inputs.filter(
    ({ example, prepared }) => prepared.form === 'verdict' && verdictOf(example) !== undefined,
  );
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
    verdict: fitLinear(
      verdicts.map(({ example, prepared }) => ({
        features: prepared.verdict,
        label: Number(verdictOf(example) === 'no'),
      })),
      ['yes'],
      settings.verdict,
    ),
    claim: fitClaims(verdicts, contrastsOf(samples, times), settings.claim),
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

const samplesPerQuestion = (own: readonly FactSample[]): number =>
  own.length / Math.max(1, new Set(own.map(({ example }) => example.id)).size);

/**
 * Scales the settings by the number of samples per question: a question with several kinds of
 * evidence carries no more information about its words.
 */
function settingsFor(times: number): typeof FACT_SETTINGS {
  const scaled = ({ l2, least }: FitSettings): FitSettings => ({
    l2: l2 * times,
    least: least * times,
  });
  const { type, answerable, form, verdict, claim, entity } = FACT_SETTINGS;
  return {
    type: scaled(type),
    answerable: scaled(answerable),
    form: scaled(form),
    verdict: scaled(verdict),
    claim: scaled(claim),
    entity: scaled(entity),
  };
}

/** Claims under their own evidence for each one under that of another question. */
const OWN_PER_CONTRAST = 4;

/** Returns a share of the samples with swapped evidence, evenly spread. */
function contrastsOf(samples: readonly FactSample[], times: number): Prepared[] {
  const swapped = samples.filter(
    ({ swapped, example, input }) =>
      swapped && input?.prepared.form === 'verdict' && verdictOf(example) !== undefined,
  );
  const step = Math.max(1, Math.round(OWN_PER_CONTRAST / times));
  return preparedOf(swapped.filter((_, index) => index % step === 0)).map(
    ({ prepared }) => prepared,
  );
}

/**
 * Fits yes by the evidence alone. Evidence of another question supports no claim: a no, or a yes to
 * a question that asks for the opposite. Each item has its mirror image, so that there is no bias
 * for either answer.
 */
function fitClaims(
  verdicts: readonly { readonly example: Example; readonly prepared: Prepared }[],
  contrasts: readonly Prepared[],
  settings: FitSettings,
): LinearModel {
  const things: readonly Labelled[] = [
    ...verdicts.map(({ example, prepared: { claim } }) => ({
      features: claim,
      label: Number(verdictOf(example) === 'no'),
    })),
    ...contrasts.map(({ claim, reading }) => ({
      features: claim,
      label: Number(askedRelation(reading.question).sign === 1),
    })),
  ];
  const mirrored = things.map(({ features, label }) => ({
    features: new Map([...features].map(([name, value]) => [name, -value])),
    label: 1 - label,
  }));
  return { ...fitLinear([...things, ...mirrored], ['yes'], settings), bias: [0] };
}

/** Returns the gold verdict; undefined for other words ("consistent"). */
export function verdictOf({ answers }: Example): 'yes' | 'no' | undefined {
  return answers
    .map(normHotpot)
    .find((answer): answer is 'yes' | 'no' => answer === 'yes' || answer === 'no');
}

/** Labels the candidates that equal a gold answer; if there are none, those that contain one. */
function groupOf({ answers }: Example, { candidates }: Prepared): Group {
  const gold = new Set(answers.map(normHotpot));
  const same = candidates.map(({ name }) => gold.has(normHotpot(name.text)));
  const right = same.includes(true)
    ? same
    : candidates.map(({ name }) => isRight('strict', name.text, answers));
  return { features: candidates.map(({ features }) => features), right };
}
