/** Fits the fact reader's four models to questions with their evidence and their gold answers. */
import { isRight } from '../../evaluation/answer-rules.ts';
import type { Example } from '../../evaluation/example.ts';
import { isNull } from '../../evaluation/gold-evidence.ts';
import { type FactModel, QUESTION_TYPES } from '../../models/fact-reader/fact-checkpoint.ts';
import type { Prepared } from '../../reading/fact-reader/prepare.ts';
import { normHotpot } from '../../text/normalise.ts';
import type { Evidence, Trace } from '../../trace/trace.ts';
import { type FitSettings, fitLinear, fitRanker, type Group } from './fit-linear.ts';

/** A question as the reader met it. */
export interface FactSample {
  readonly example: Example;
  /** What the reader was given; undefined where the run abstained before it was asked. */
  readonly met: { readonly prepared: Prepared; readonly evidence: readonly Evidence[] } | undefined;
  /** The run: its answer counts where no reader was asked. */
  readonly trace: Trace;
}

/** Words of a question are many and each is rare, so their weights are held down more. */
export const FACT_SETTINGS: Readonly<Record<keyof FactModel, FitSettings>> = {
  type: { l2: 3, least: 10 },
  answerable: { l2: 1, least: 5 },
  form: { l2: 10, least: 20 },
  verdict: { l2: 50, least: 10 },
  entity: { l2: 1, least: 20 },
};

const TYPES: readonly string[] = QUESTION_TYPES;

export function fitFacts(samples: readonly FactSample[]): FactModel {
  const settings = settingsFor(samples);
  const met = samples.flatMap(({ example, met: given }) =>
    given ? [{ example, prepared: given.prepared }] : [],
  );
  const typed = met.filter(({ example }) => TYPES.includes(example.type ?? ''));
  const verdicts = met.filter(
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
      met.map(({ example, prepared }) => ({
        features: prepared.answerable,
        label: Number(isNull(example)),
      })),
      ['answerable'],
      settings.answerable,
    ),
    form: fitLinear(
      met.map(({ example, prepared }) => ({
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
    entity: fitRanker(
      met
        .filter(({ example }) => !isNull(example))
        .map(({ example, prepared }) => groupOf(example, prepared)),
      'answer',
      settings.entity,
    ),
  };
}

/** A question that is there with several kinds of evidence says no more of its words than once. */
function settingsFor(samples: readonly FactSample[]): typeof FACT_SETTINGS {
  const times =
    samples.length / Math.max(1, new Set(samples.map(({ example }) => example.id)).size);
  const scaled = ({ l2, least }: FitSettings): FitSettings => ({
    l2: l2 * times,
    least: least * times,
  });
  const { type, answerable, form, verdict, entity } = FACT_SETTINGS;
  return {
    type: scaled(type),
    answerable: scaled(answerable),
    form: scaled(form),
    verdict: scaled(verdict),
    entity: scaled(entity),
  };
}

/** The gold verdict; other words ("consistent") are none. */
export function verdictOf({ answers }: Example): 'yes' | 'no' | undefined {
  return answers
    .map(normHotpot)
    .find((answer): answer is 'yes' | 'no' => answer === 'yes' || answer === 'no');
}

/** Right is the name that gold writes; where no candidate is written so, those that hold it. */
function groupOf({ answers }: Example, { candidates }: Prepared): Group {
  const gold = new Set(answers.map(normHotpot));
  const same = candidates.map(({ name }) => gold.has(normHotpot(name.text)));
  const right = same.includes(true)
    ? same
    : candidates.map(({ name }) => isRight('strict', name.text, answers));
  return { features: candidates.map(({ features }) => features), right };
}
