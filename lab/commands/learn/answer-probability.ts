/**
 * `learn answer-probability`: fits how probable an answer is by its share among the
 * candidates, on the results of evaluations, and prints the reliability on the domains left out.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CommandContext } from '../../../src/cli/command.ts';
import { percent } from '../../../src/cli/learn-rows.ts';
import type { Option } from '../../../src/cli/option.ts';
import { InputError } from '../../../src/core/errors.ts';
import { writeProbability } from '../../../src/models/answer-probability/answer-probability.ts';
import { thisPackage } from '../../../src/platform/package-root.ts';
import { replaceFile } from '../../../src/platform/replace-file.ts';
import { GRADED_BY, GRADED_FILE, gradedAnswers } from '../../data/graded-answers.ts';
import { fitCurves, type GradedAnswer } from '../../learning/answer-probability/fit-curves.ts';
import {
  type Reliability,
  type ReliabilityBin,
  reliabilityOf,
  type StatedAnswer,
  shownAt,
  statedByOthers,
} from '../../learning/answer-probability/reliability.ts';
import type { LearnTask } from './task.ts';

export const answerProbabilityTask: LearnTask = {
  name: 'answer-probability',
  summary: 'how probable an answer is by its share among the candidates, from evaluated answers',
  own: ['runs'],
  run: learnAnswerProbability,
};

export const RUNS_OPTION: Option = {
  name: 'runs',
  value: 'DIR',
  access: 'read',
  repeatable: true,
  summary:
    'answer-probability learns from these folders, each a domain, that eval --out wrote with the measure QaAccuracy(strict)',
};

/** Probability that an answer needs by default, at which figures are printed. */
const SHOWN_AT = 0.7;

interface DomainFigures extends Reliability {
  readonly domain: string;
  /** Questions that have an answer. */
  readonly questions: number;
  readonly shown: ReliabilityBin;
}

interface Learnt {
  /** Each domain by the curves of the others. */
  readonly domains: readonly DomainFigures[];
  readonly all: DomainFigures;
}

async function learnAnswerProbability({ options, output }: CommandContext): Promise<number> {
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
  const learnt = figuresOf(statedByOthers(answers), questions);
  const out = options.text('out');
  if (out !== undefined) {
    const trainedBy = `multihop ${thisPackage().version} learn answer-probability`;
    const runs = folders.map(folder => [basename(folder), runOf(folder)]);
    const provenance = {
      ...{ trainedBy, runs: Object.fromEntries(runs) },
      leftOut: [...learnt.domains, learnt.all].map(provenanceOf),
    };
    replaceFile(out, writeProbability({ model: fitCurves(answers), provenance }));
  }
  if (output.json) output.object({ ...learnt, ...(out === undefined ? {} : { out }) });
  else for (const line of linesOf(learnt, out)) output.line(line);
  return 0;
}

/** Returns the figures of a domain in short. */
const provenanceOf = ({ domain, answers, said, right, error }: DomainFigures): object => ({
  ...{ domain, answers },
  ...{ said: rounded(said), right: rounded(right), error: rounded(error) },
});

const rounded = (value: number): number => Number(value.toFixed(3));

/**
 * Returns what made the answers of a folder: data set, number of questions and members of the row.
 * Another reader gives answers to other questions, so counts without it cannot be compared.
 */
function runOf(folder: string): object {
  const graded = join(folder, GRADED_FILE);
  const file = existsSync(graded) ? graded : join(folder, 'result.json');
  const { manifest, dataset, questions, rows } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly manifest?: { readonly dataset?: unknown };
    readonly dataset?: unknown;
    readonly questions?: number;
    readonly rows?: readonly RunRow[];
  };
  // A row of another measure is no run of answers; see `gradedAnswers`.
  const row = rows?.find(({ measures }) => Object.hasOwn(measures, GRADED_BY));
  return {
    dataset: manifest?.dataset ?? dataset ?? null,
    ...(questions === undefined ? {} : { questions }),
    ...(row ? { row: [row.strategy, row.retriever, row.context, row.reader].join('; ') } : {}),
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
): Learnt {
  const figures = (domain: string, own: readonly StatedAnswer[], asked: number): DomainFigures => ({
    ...{ domain, questions: asked, ...reliabilityOf(own), shown: shownAt(own, SHOWN_AT) },
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

function linesOf({ domains, all }: Learnt, out: string | undefined): string[] {
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
    ...(out === undefined ? [] : [`Curves are in ${out}`]),
  ];
}
