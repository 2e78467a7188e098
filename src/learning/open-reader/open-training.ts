/**
 * Fits the open reader's weights, and scores its answers by weights of other questions: every fold
 * by the other folds, every data set by the other data sets.
 */
import { answerF1, exactMatch } from '../../evaluation/token-overlap.ts';
import { mulberry32 } from '../../indexes/mulberry32.ts';
import type { Features } from '../../models/fact-reader/linear-model.ts';
import type { OpenModel } from '../../models/open-reader/open-checkpoint.ts';
import {
  type AnswerModel,
  candidatesOf,
  decideOpen,
  type OpenCandidates,
} from '../../reading/open/decide.ts';
import { readOpen } from '../../reading/open/passages.ts';
import {
  type FitSettings,
  fitLinear,
  fitRanker,
  type Group,
  type Labelled,
} from '../fact-reader/fit-linear.ts';
import { ANSWERABLE_SETTINGS, answerCases, fitAnswerable } from './open-answerable.ts';
import type { OpenSample } from './open-sample.ts';

export type { OpenSample } from './open-sample.ts';

export const OPEN_SETTINGS: Readonly<Record<keyof OpenModel, FitSettings>> = {
  span: { l2: 3, least: 15, iterations: 80 },
  choice: { l2: 1, least: 5 },
  verdict: { l2: 1, least: 5 },
  answerable: ANSWERABLE_SETTINGS,
};

/** Wrong spans of a question that are learnt from; the rest adds time and no information. */
const WRONG_SPANS = 50;
/** Least F1 at which the best candidate counts as right. */
const RIGHT = 0.5;
const SEED = 1;

type Item =
  | ({ readonly part: 'span' | 'choice' } & Group)
  | ({ readonly part: 'verdict' } & Labelled);

/** Questions as features, some without any that can be learnt from. */
export class OpenLessons {
  readonly samples: readonly OpenSample[];
  private readonly items: readonly (Item | undefined)[];

  constructor(samples: readonly OpenSample[]) {
    const random = mulberry32(SEED);
    this.samples = samples;
    this.items = samples.map(sample => itemOf(sample, candidatesIn(sample), random));
  }

  /** Fits on the samples that `use` selects by index. */
  fit(use: (index: number) => boolean): OpenModel {
    const answers = this.fitAnswers(use);
    return { ...answers, answerable: fitAnswerable(answerCases(this.samples, use), answers) };
  }

  /** Fits the models that draft answers, without that which abstains. */
  fitAnswers(use: (index: number) => boolean): AnswerModel {
    const used = this.items.filter((item, index) => item !== undefined && use(index)) as Item[];
    const groups = (part: 'span' | 'choice'): Group[] =>
      used.flatMap(item => (item.part === part ? [item as Group] : []));
    return {
      span: fitRanker(groups('span'), 'span', OPEN_SETTINGS.span),
      choice: fitRanker(groups('choice'), 'choice', OPEN_SETTINGS.choice),
      verdict: fitLinear(
        used.flatMap(item => (item.part === 'verdict' ? [item] : [])),
        ['verdict'],
        OPEN_SETTINGS.verdict,
      ),
    };
  }
}

export function candidatesIn({ question, titles, sentences }: OpenSample): OpenCandidates {
  return candidatesOf(readOpen(question, titles, sentences));
}

function itemOf(
  { answers }: OpenSample,
  { choice, verdict, spans }: OpenCandidates,
  random: () => number,
): Item | undefined {
  const best = (texts: readonly string[]): { right: boolean[]; scores: number[] } | undefined => {
    const scores = texts.map(text => bestOf(answers, answer => answerF1(text, answer, 'hotpot')));
    const most = Math.max(0, ...scores);
    return most < RIGHT ? undefined : { right: scores.map(score => score === most), scores };
  };
  if (choice) {
    const scored = best(choice.options.map(({ text }) => text));
    return scored && { part: 'choice', features: featuresOf(choice.options), right: scored.right };
  }
  if (verdict) {
    const label = /^(?:yes|no)$/i.test(answers[0]!) ? Number(/^no$/i.test(answers[0]!)) : undefined;
    return label === undefined || verdict.features.size === 0
      ? undefined
      : { part: 'verdict', features: verdict.features, label };
  }
  const scored = best(spans.map(({ text }) => text));
  if (!scored) return undefined;
  const { right, scores } = scored;
  const kept = [...spans.keys()].filter(
    at => right[at] || (scores[at]! < RIGHT && random() * spans.length < WRONG_SPANS),
  );
  return {
    part: 'span',
    features: featuresOf(kept.map(at => spans[at]!)),
    right: kept.map(at => right[at]!),
  };
}

const featuresOf = (all: readonly { readonly features: Features }[]): Features[] =>
  all.map(({ features }) => features);

const bestOf = (answers: readonly string[], score: (answer: string) => number): number =>
  Math.max(0, ...answers.map(score));

export interface OpenFigures {
  readonly questions: number;
  readonly F1: number;
  readonly EM: number;
  /** Share of questions that are answered. */
  readonly answered: number;
}

/** Returns the mean figures of the samples under each choice of models. */
export function openFigures(
  samples: readonly OpenSample[],
  modelsOf: readonly ((sample: OpenSample) => AnswerModel)[],
): OpenFigures[] {
  const sums = modelsOf.map(() => ({ F1: 0, EM: 0, answered: 0 }));
  for (const sample of samples) {
    const candidates = candidatesIn(sample);
    for (const [index, modelOf] of modelsOf.entries()) {
      const decision = decideOpen(candidates, modelOf(sample));
      if (!decision) continue;
      const sum = sums[index]!;
      sum.answered++;
      sum.F1 += bestOf(sample.answers, answer => answerF1(decision.text, answer, 'hotpot'));
      sum.EM += bestOf(sample.answers, answer => exactMatch(decision.text, answer, 'hotpot'));
    }
  }
  const questions = samples.length;
  return sums.map(({ F1, EM, answered }) => ({
    questions,
    F1: F1 / Math.max(1, questions),
    EM: EM / Math.max(1, questions),
    answered: answered / Math.max(1, questions),
  }));
}
