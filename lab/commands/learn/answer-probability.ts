/**
 * `learn answer-probability`: fits how probable an answer is by its share among the
 * candidates, on the results of evaluations, and prints the reliability on the domains left out.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CommandContext } from '../../../src/cli/command.ts';
import { percent } from '../../../src/cli/learn-rows.ts';
import type { Option } from '../../../src/cli/option.ts';
import { InputError } from '../../../src/core/errors.ts';
import { writeProbability } from '../../../src/models/answer-probability/answer-probability.ts';
import { replaceFile } from '../../../src/platform/replace-file.ts';
import { GRADED_BY, gradedAnswers } from '../../data/graded-answers.ts';
import { fitCurves, type GradedAnswer } from '../../learning/answer-probability/fit-curves.ts';
import {
  type Reliability,
  type ReliabilityBin,
  reliabilityOf,
  type StatedAnswer,
  shownAt,
  statedByOthers,
} from '../../learning/answer-probability/reliability.ts';
import { type LearnTask, learnTask, trainedBy } from './task.ts';

/** Probability that an answer needs by default, at which figures are printed. */
const SHOWN_AT = 0.7;

interface DomainFigures extends Reliability {
  readonly domain: string;
  /** Questions that have an answer. */
  readonly questions: number;
  readonly shown: ReliabilityBin;
}

interface Learnt {
  readonly folders: readonly string[];
  readonly answers: readonly GradedAnswer[];
  /** Each domain by the curves of the others. */
  readonly domains: readonly DomainFigures[];
  readonly all: DomainFigures;
}

const RUNS_OPTION: Option = {
  name: 'runs',
  value: 'DIR',
  access: 'read',
  repeatable: true,
  summary:
    'answer-probability learns from these folders, each a domain, that eval --out wrote with the measure QaAccuracy(strict)',
};

export const answerProbabilityTask: LearnTask = learnTask<Learnt>({
  name: 'answer-probability',
  summary: 'how probable an answer is by its share among the candidates, from evaluated answers',
  options: [RUNS_OPTION],
  learn: learnAnswerProbability,
  object: ({ domains, all }) => ({ domains, all }),
  lines: linesOf,
  write(out, { folders, answers, domains, all }) {
    const provenance = {
      trainedBy: trainedBy('answer-probability'),
      runs: Object.fromEntries(folders.map(folder => [basename(folder), runOf(folder)])),
      leftOut: [...domains, all].map(provenanceOf),
    };
    replaceFile(out, writeProbability({ model: fitCurves(answers), provenance }));
  },
});

async function learnAnswerProbability({ options }: CommandContext): Promise<Learnt> {
  const folders = options.texts('runs');
  if (folders.length < 2)
    throw new InputError('missing-option', 'Too few domains to learn probabilities from', {
      expected: '--runs DIR twice or more, one folder of eval --out a domain',
      received: `${folders.length}`,
    });
  const answers: GradedAnswer[] = [];
  const questions = new Map<string, number>();
  for (const folder of folders) {
    const graded = await gradedAnswers(folder, basename(folder));
    questions.set(basename(folder), graded.questions);
    answers.push(...graded.answers);
  }
  return { folders, answers, ...figuresOf(statedByOthers(answers), questions) };
}

/** Returns the figures of a domain in short. */
const provenanceOf = ({ domain, answers, said, right, error }: DomainFigures): object => ({
  domain,
  answers,
  said: rounded(said),
  right: rounded(right),
  error: rounded(error),
});

const rounded = (value: number): number => Number(value.toFixed(3));

/**
 * Returns what made the answers of a folder: data set, number of questions and members of the row.
 * Another reader gives answers to other questions, so counts without it cannot be compared.
 */
function runOf(folder: string): object {
  const { manifest, questions, rows } = JSON.parse(
    readFileSync(join(folder, 'result.json'), 'utf8'),
  ) as {
    readonly manifest?: { readonly dataset?: unknown };
    readonly questions?: number;
    readonly rows?: readonly RunRow[];
  };
  // A row of another measure is no run of answers; see `gradedAnswers`.
  const row = rows?.find(({ measures }) => Object.hasOwn(measures, GRADED_BY));
  return {
    dataset: manifest?.dataset ?? null,
    questions,
    row: row && [row.strategy, row.retriever, row.context, row.reader].join('; '),
  };
}

interface RunRow {
  readonly strategy: string;
  readonly retriever: string;
  readonly context: string;
  readonly reader: string;
  readonly measures: object;
}

function figuresOf(
  stated: readonly StatedAnswer[],
  questions: ReadonlyMap<string, number>,
): Pick<Learnt, 'domains' | 'all'> {
  const figures = (
    domain: string,
    answers: readonly StatedAnswer[],
    asked: number,
  ): DomainFigures => ({
    domain,
    questions: asked,
    ...reliabilityOf(answers),
    shown: shownAt(answers, SHOWN_AT),
  });
  const total = [...questions.values()].reduce((sum, count) => sum + count, 0);
  return {
    domains: [...questions].map(([domain, asked]) =>
      figures(
        domain,
        stated.filter(each => each.domain === domain),
        asked,
      ),
    ),
    all: figures('all', stated, total),
  };
}

function linesOf({ domains, all }: Learnt): string[] {
  const line = ({ domain, questions, answers, said, right, error, shown }: DomainFigures): string =>
    `  ${domain}: ${answers} answers to ${questions} questions, said ${percent(said)}, right ${percent(right)}, calibration error ${percent(error)}; from ${SHOWN_AT} on ${shown.answers} answers (${percent(shown.answers / Math.max(1, questions))}), said ${percent(shown.said)}, right ${percent(shown.right)}`;
  return [
    'Each domain by curves that were fitted on the others:',
    ...domains.map(line),
    line(all),
    'Bins of equal count:',
    ...all.bins.map(
      ({ answers, said, right }) =>
        `  ${String(answers).padStart(5)} answers  said ${percent(said)}  right ${percent(right)}`,
    ),
  ];
}
