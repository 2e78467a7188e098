/**
 * `learn cascade`: fits how `cascade` chooses between the answers of the rules and of a language
 * model, on answers that `models read --reader cascade --sure 1.01` wrote, and prints what the
 * choice gives on the domains left out, beside either side alone.
 */
import type { CommandContext } from '../../../src/cli/command.ts';
import { percent } from '../../../src/cli/learn-rows.ts';
import type { Option } from '../../../src/cli/option.ts';
import { InputError } from '../../../src/core/errors.ts';
import type { Answer } from '../../../src/core/trace/trace.ts';
import {
  type CascadeFeatures,
  type CascadeModel,
  cascadeLogit,
} from '../../../src/models/cascade/cascade-checkpoint.ts';
import { replaceFile } from '../../../src/platform/replace-file.ts';
import { cascadeCandidates, isEligible } from '../../../src/readers/cascade/candidates.ts';
import { isSure } from '../../../src/readers/cascade/sure-answer.ts';
import type { Answered } from '../../../src/readers/draft.ts';
import {
  type Reliability,
  reliabilityOf,
  shownAt,
} from '../../learning/answer-probability/reliability.ts';
import { fitLogit, type GradedQuestion } from '../../learning/conditional-logit/fit-logit.ts';
import { answersIn, type ReadAnswer } from '../../models/read-answers.ts';
import { type LearnTask, learnTask, trainedBy } from './task.ts';

/** Probability that an answer needs by default, at which figures are printed. */
const SHOWN_AT = 0.7;
/** Score from which an answer counts as right. */
const RIGHT = 0.5;

type Graded = GradedQuestion<keyof CascadeFeatures>;

/** One question with the scores of its candidates. */
interface Read extends Graded {
  readonly domain: string;
  /** Scores of the candidates, from 0 to 1, and which the reader may answer. */
  readonly scores: readonly number[];
  readonly eligible: readonly boolean[];
  /** Probability of the answer of the rules, where it stands and no weights choose. */
  readonly sure?: number | undefined;
  /** Scores of what the rules and the model answer alone. */
  readonly rules: number;
  readonly model: number;
}

interface Figures extends Reliability {
  readonly domain: string;
  readonly questions: number;
  /** Mean scores: of the rules, of the model, of the choice, of the better one. */
  readonly means: readonly number[];
  readonly shown: ReturnType<typeof shownAt>;
}

interface Learnt {
  readonly fittedTo: string;
  readonly reads: readonly Read[];
  readonly figures: readonly Figures[];
}

const ANSWERS_OPTION: Option = {
  name: 'answers',
  value: 'FILE',
  access: 'read',
  repeatable: true,
  summary:
    'cascade learns from these answers of models read --reader cascade --sure 1.01; each set is a domain',
};

const FITTED_TO_OPTION: Option = {
  name: 'fitted-to',
  value: 'NAME',
  summary: 'cascade states probabilities for language models whose id holds this name',
};

export const cascadeTask: LearnTask = learnTask<Learnt>({
  name: 'cascade',
  summary: 'how to choose between the answers of the rules and of a language model',
  options: [ANSWERS_OPTION, FITTED_TO_OPTION],
  learn: async context => learnCascade(context),
  object: ({ figures }) => ({ domains: figures }),
  lines: ({ figures }) => [
    'Each domain by weights that were fitted on the others; mean scores of the rules, the model, the choice, the better of both:',
    ...figures.map(lineOf),
  ],
  write(out, { reads, figures, fittedTo }) {
    const leftOut = figures.map(({ domain, questions, means }) => {
      const [rules, model, choice, best] = means.map(mean => Number(mean.toFixed(3)));
      return { domain, questions, rules, model, choice, best };
    });
    const provenance = { trainedBy: trainedBy('cascade'), fittedTo, leftOut };
    replaceFile(out, cascadeLogit.write({ model: fitted(reads), provenance }));
  },
});

function learnCascade({ options }: CommandContext): Learnt {
  const reads = options.texts('answers').flatMap(file => answersIn(file).flatMap(readOf));
  const domains = [...new Set(reads.map(({ domain }) => domain))];
  if (domains.length < 2)
    throw new InputError('missing-option', 'Too few domains to learn the choice from', {
      expected: '--answers FILE with answers to two sets or more',
      received: `${domains.length}`,
    });
  const chosen = domains.flatMap(held => {
    const model = fitted(reads.filter(({ domain }) => domain !== held));
    return reads.filter(({ domain }) => domain === held).map(read => choiceOf(read, model));
  });
  const figures = [...domains, 'all'].map(domain =>
    figuresOf(
      domain,
      chosen.filter(each => domain === 'all' || each.read.domain === domain),
    ),
  );
  return { reads, figures, fittedTo: options.text('fitted-to') ?? '' };
}

/** Fits the weights where the rules are not sure; every domain weighs the same. */
function fitted(reads: readonly Read[]): CascadeModel {
  const chosen = reads.filter(({ sure }) => sure === undefined);
  const sizes = Map.groupBy(chosen, ({ domain }) => domain);
  const mean = chosen.length / Math.max(1, sizes.size);
  const weighted = chosen.map((read): Graded => {
    const weight = mean / sizes.get(read.domain)!.length;
    return { candidates: read.candidates, weight };
  });
  return fitLogit(cascadeLogit.features, weighted);
}

/** Returns the question, if the rules were recorded beside the model. */
function readOf({ set, rules, said, scored = {}, answerable }: ReadAnswer): Read[] {
  if (!rules || !said) return [];
  const candidates = cascadeCandidates(rules, said as Answered, '');
  const scores = candidates.map(({ text }) => (answerable ? (scored[text] ?? 0) : 0));
  const scoreOf = (fits: (at: number) => boolean): number =>
    scores[candidates.findIndex((_, at) => fits(at))] ?? 0;
  return [
    {
      domain: set,
      candidates: candidates.map(({ features }, at) => ({
        features,
        right: scores[at]! >= RIGHT,
      })),
      scores,
      eligible: candidates.map(isEligible),
      sure: sureOf(rules),
      rules: scoreOf(at => candidates[at]!.first),
      model: scoreOf(at => candidates[at]!.byModel),
    },
  ];
}

const sureOf = (rules: Answer): number | undefined =>
  rules.kind === 'answered' && isSure(rules, SHOWN_AT) ? rules.probability : undefined;

interface Choice {
  readonly read: Read;
  readonly score: number;
  readonly probability: number;
}

function choiceOf(read: Read, model: CascadeModel): Choice {
  if (read.sure !== undefined) return { read, score: read.rules, probability: read.sure };
  const features = read.candidates.map(each => each.features);
  const shares = cascadeLogit.shares(model, features);
  const order = [...shares.keys()].filter(at => read.eligible[at]);
  const best = order.sort((a, b) => shares[b]! - shares[a]!)[0];
  if (best === undefined) return { read, score: 0, probability: 0 };
  return { read, score: read.scores[best]!, probability: shares[best]! };
}

function figuresOf(domain: string, choices: readonly Choice[]): Figures {
  const mean = (value: (choice: Choice) => number): number =>
    choices.reduce((sum, choice) => sum + value(choice), 0) / Math.max(1, choices.length);
  const stated = choices
    .filter(({ probability }) => probability > 0)
    .map(({ score, probability }) => ({ domain, probability, right: score >= RIGHT }));
  return {
    domain,
    questions: choices.length,
    means: [
      mean(({ read }) => read.rules),
      mean(({ read }) => read.model),
      mean(({ score }) => score),
      mean(({ read }) => Math.max(read.rules, read.model)),
    ],
    ...reliabilityOf(stated),
    shown: shownAt(stated, SHOWN_AT),
  };
}

const lineOf = ({ domain, questions, means, said, right, error, shown }: Figures): string =>
  `  ${domain}: ${questions} questions, ${means.map(percent).join(' / ')}; said ${percent(said)}, right ${percent(right)}, calibration error ${percent(error)}; from ${SHOWN_AT} on ${shown.answers} answers, said ${percent(shown.said)}, right ${percent(shown.right)}`;
