/**
 * Fits the open reader's weights on questions that are read once, and scores its answers by weights
 * of other questions.
 */

import { mulberry32 } from '../../../src/core/mulberry32.ts';
import {
  type FitSettings,
  fitLinear,
  fitRanker,
  type Group,
  type Labelled,
} from '../../../src/evaluation/fitting/fit-linear.ts';
import type { Supported } from '../../../src/evaluation/fitting/support-threshold.ts';
import { answerF1, exactMatch } from '../../../src/evaluation/token-overlap.ts';
import type { Features } from '../../../src/models/linear-model.ts';
import type { OpenModel } from '../../../src/models/open-reader/open-checkpoint.ts';
import {
  type AnswerModel,
  decideScored,
  type OpenDecision,
} from '../../../src/readers/open/decide.ts';
import { FeatureTable } from './feature-table.ts';
import { fitNetwork, type NetworkSettings, type SpanGroup } from './fit-network.ts';
import {
  ANSWERABLE_SETTINGS,
  type AnswerCase,
  answerCases,
  caseSupport,
  fitAnswerable,
} from './open-answerable.ts';
import { type OpenRead, readSample } from './open-read.ts';
import type { OpenSample } from './open-sample.ts';
import { RowScores } from './row-scores.ts';

export type { OpenSample } from './open-sample.ts';

export const OPEN_SETTINGS: {
  readonly span: NetworkSettings;
  readonly choice: FitSettings;
  readonly verdict: FitSettings;
  readonly answerable: FitSettings;
} = {
  span: {
    units: 16,
    epochs: 12,
    rate: 0.004,
    l2: 0.0005,
    dropout: 0.2,
    batch: 16,
    least: 15,
    members: 2,
  },
  choice: { l2: 1, least: 5 },
  verdict: { l2: 1, least: 5 },
  answerable: ANSWERABLE_SETTINGS,
};

/** Features of single words beside a span, which are too many for the network's units. */
const isLexical = (name: string): boolean => /^[LR]:/.test(name);
/** Wrong spans of a question that are learnt from; the rest adds time and no information. */
const WRONG_SPANS = 50;
/** Least F1 at which the best candidate counts as right. */
const RIGHT = 0.5;
const SEED = 1;

type Item =
  | ({ readonly part: 'span' } & SpanGroup)
  | ({ readonly part: 'choice' } & Group)
  | ({ readonly part: 'verdict' } & Labelled);

/** Questions that were read, and what each teaches; some nothing. */
export class OpenLessons {
  readonly samples: readonly OpenSample[];
  private readonly table = new FeatureTable();
  private readonly reads: readonly OpenRead[];
  private readonly items: readonly (Item | undefined)[];
  private readonly cases: readonly AnswerCase[];
  private readonly scores: RowScores;

  constructor(samples: readonly OpenSample[]) {
    const random = mulberry32(SEED);
    this.samples = samples;
    this.reads = samples.map(sample => readSample(sample, this.table));
    this.items = samples.map((sample, at) => itemOf(sample, this.reads[at]!, random));
    this.cases = answerCases(samples, this.reads, this.table).filter(
      ({ index }) => samples[index]!.headlines !== true,
    );
    this.scores = new RowScores(this.table);
  }

  /** Fits on the samples that `use` selects by index. */
  fit(use: (index: number) => boolean): OpenModel {
    const answers = this.fitAnswers(use);
    const cases = this.cases.filter(({ index }) => use(index));
    return { ...answers, answerable: fitAnswerable(cases, read => this.draft(read, answers)) };
  }

  /** Fits the models that draft answers, without that which abstains. */
  fitAnswers(use: (index: number) => boolean): AnswerModel {
    // Choices and verdicts are learnt from documents as they are: with headlines they transferred
    // worse to a domain that was left out.
    const used = this.items.filter(
      (item, index) =>
        item !== undefined &&
        (item.part === 'span' || this.samples[index]!.headlines !== true) &&
        use(index),
    ) as Item[];
    const { span, choice, verdict } = OPEN_SETTINGS;
    return {
      span: fitNetwork(
        used.flatMap(item => (item.part === 'span' ? [item] : [])),
        this.table.names,
        name => !isLexical(name),
        span,
      ),
      choice: fitRanker(
        used.flatMap(item => (item.part === 'choice' ? [item] : [])),
        'choice',
        choice,
      ),
      verdict: fitLinear(
        used.flatMap(item => (item.part === 'verdict' ? [item] : [])),
        ['verdict'],
        verdict,
      ),
    };
  }

  /** Returns the decision about a sample. */
  decide(index: number, model: AnswerModel): OpenDecision | undefined {
    return this.draft(this.reads[index]!, model);
  }

  /** Returns the support of every case by the model for its question. */
  supports(modelOf: (index: number) => OpenModel): Supported[] {
    return this.cases.map(each => {
      const model = modelOf(each.index);
      return caseSupport(each, read => this.draft(read, model), model.answerable);
    });
  }

  private draft({ candidates, rows }: OpenRead, model: AnswerModel): OpenDecision | undefined {
    return decideScored(candidates, model, this.scores.of(rows, model.span));
  }
}

function itemOf(
  { answers }: OpenSample,
  { candidates: { choice, verdict, spans }, rows }: OpenRead,
  random: () => number,
): Item | undefined {
  const scored = (texts: readonly string[]): { right: boolean[]; scores: number[] } | undefined => {
    const scores = texts.map(text => bestOf(answers, answer => answerF1(text, answer, 'hotpot')));
    const most = Math.max(0, ...scores);
    return most < RIGHT ? undefined : { right: scores.map(score => score === most), scores };
  };
  if (choice) {
    const best = scored(choice.options.map(({ text }) => text));
    return best && { part: 'choice', features: featuresOf(choice.options), right: best.right };
  }
  if (verdict) {
    const label = /^(?:yes|no)$/i.test(answers[0]!) ? Number(/^no$/i.test(answers[0]!)) : undefined;
    return label === undefined || verdict.features.size === 0
      ? undefined
      : { part: 'verdict', features: verdict.features, label };
  }
  const best = scored(spans.map(({ text }) => text));
  if (!best) return undefined;
  const { right, scores } = best;
  const kept = [...spans.keys()].filter(
    at => right[at] || (scores[at]! < RIGHT && random() * spans.length < WRONG_SPANS),
  );
  return { part: 'span', rows: kept.map(at => rows[at]!), right: kept.map(at => right[at]!) };
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

/** A data set as it is, or with headlines instead of names as titles. */
export interface OpenSet {
  readonly set: string;
  readonly headlines: boolean;
}

/** Returns the mean figures of a data set, each question answered by the model for it. */
export function openFigures(
  lessons: OpenLessons,
  { set, headlines }: OpenSet,
  modelOf: (index: number) => AnswerModel,
): OpenFigures {
  const sum = { F1: 0, EM: 0, answered: 0 };
  let questions = 0;
  for (const [index, { answers, ...lesson }] of lessons.samples.entries()) {
    if (lesson.set !== set || (lesson.headlines === true) !== headlines) continue;
    questions++;
    const decision = lessons.decide(index, modelOf(index));
    if (!decision) continue;
    sum.answered++;
    sum.F1 += bestOf(answers, answer => answerF1(decision.text, answer, 'hotpot'));
    sum.EM += bestOf(answers, answer => exactMatch(decision.text, answer, 'hotpot'));
  }
  const share = (total: number): number => total / Math.max(1, questions);
  return { questions, F1: share(sum.F1), EM: share(sum.EM), answered: share(sum.answered) };
}
