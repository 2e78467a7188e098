/**
 * `learn open-reader`: fits the open reader's weights on train questions, and prints its
 * figures by weights of other questions and of other data sets.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { CommandContext } from '../../../src/cli/command.ts';
import { percent } from '../../../src/cli/learn-rows.ts';
import type { Option } from '../../../src/cli/option.ts';
import { Progress } from '../../../src/cli/progress.ts';
import { InputError } from '../../../src/core/errors.ts';
import { mulberry32 } from '../../../src/core/mulberry32.ts';
import { writeOpen } from '../../../src/models/open-reader/open-checkpoint.ts';
import { takeTurns } from '../../../src/platform/clock.ts';
import { replaceFile } from '../../../src/platform/replace-file.ts';
import { sha256 } from '../../../src/platform/sha256.ts';
import { type OpenRun, openSamples } from '../../data/open-reader-data.ts';
import { readTrainingQuestions } from '../../data/training-questions.ts';
import { type OpenThreshold, openThreshold } from '../../learning/open-reader/open-answerable.ts';
import {
  OPEN_SETTINGS,
  type OpenFigures,
  OpenLessons,
  type OpenSample,
  type OpenSet,
  openFigures,
} from '../../learning/open-reader/open-training.ts';
import { LIMIT_OPTION, TRAIN_OPTION } from './chain-ranker.ts';
import { type LearnTask, learnTask, trainedBy } from './task.ts';

const FOLDS = 3;
const SEED = 1;

interface Figured extends OpenFigures, OpenSet {}

interface Figures {
  /** By weights of the other folds. */
  readonly heldOut: readonly Figured[];
  /** By weights of the other data sets. */
  readonly elsewhere: readonly Figured[];
  /** Threshold of support, by weights of the other folds. */
  readonly abstention: OpenThreshold;
}

interface Learnt {
  readonly files: readonly string[];
  readonly run: OpenRun;
  readonly lessons: OpenLessons;
  readonly figures: Figures;
}

/** Option of a file that keeps the samples between runs. */
const SAMPLES_OPTION: Option = {
  name: 'samples',
  value: 'FILE',
  access: 'keeps',
  summary:
    'open-reader reads the questions with their evidence from this file; if it does not exist, it is written',
};

export const openReaderTask: LearnTask = learnTask<Learnt>({
  name: 'open-reader',
  summary: 'the weights of the open reader, from training questions with answers',
  options: [TRAIN_OPTION, LIMIT_OPTION, SAMPLES_OPTION],
  learn: learnOpenReader,
  object: ({ figures }) => figures,
  lines: linesOf,
  write(out, { files, run, lessons, figures }) {
    const questions = lessons.samples.filter(({ headlines }) => headlines !== true).length;
    const provenance = {
      trainedBy: trainedBy('open-reader'),
      run,
      questions,
      settings: OPEN_SETTINGS,
      folds: FOLDS,
      ...figures,
      train: files.map(path => sha256(readFileSync(path))),
    };
    const { threshold: support } = figures.abstention;
    replaceFile(out, writeOpen({ model: lessons.fit(() => true), support, provenance }));
  },
});

async function learnOpenReader(context: CommandContext): Promise<Learnt> {
  const { options, signal } = context;
  const files = options.texts('train');
  if (files.length === 0)
    throw new InputError('missing-option', 'No training questions', {
      expected: '--train FILE, once or several times',
    });
  const run: OpenRun = {
    strategy: options.texts('strategy')[0] ?? 'fact-lanes(tokens=510)',
    retriever: options.texts('retriever')[0] ?? 'lexical',
    context: options.texts('context')[0] ?? 'whole',
  };
  const samples = await keptSamples(options.text('samples'), () =>
    readSamples(context, files, run, signal),
  );
  const lessons = new OpenLessons(samples);
  return { files, run, lessons, figures: figuresOf(lessons) };
}

/** Returns the samples in the file, or makes and writes them. */
async function keptSamples(
  path: string | undefined,
  make: () => Promise<OpenSample[]>,
): Promise<OpenSample[]> {
  if (path !== undefined && existsSync(path))
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as OpenSample);
  const samples = await make();
  if (path !== undefined)
    replaceFile(path, `${samples.map(sample => JSON.stringify(sample)).join('\n')}\n`);
  return samples;
}

async function readSamples(
  { options, output }: CommandContext,
  files: readonly string[],
  run: OpenRun,
  signal: AbortSignal,
): Promise<OpenSample[]> {
  const most = options.get(LIMIT_OPTION) ?? Number.POSITIVE_INFINITY;
  const { questions } = await readTrainingQuestions(files);
  const answered = questions.filter(({ answers = [] }) => answers.length > 0);
  const sets = [...Map.groupBy(answered, ({ dataset }) => dataset).values()];
  const used = sets.flatMap(set => set.slice(0, most));
  const progress = new Progress(output, 'questions');
  const samples: OpenSample[] = [];
  const total = 2 * used.length;
  try {
    for (const headlines of [false, true])
      for await (const sample of openSamples(used, run, signal, headlines)) {
        samples.push(sample);
        progress.update({ count: samples.length, done: samples.length, total });
        await takeTurns();
      }
  } finally {
    progress.end();
  }
  if (used.length < FOLDS)
    throw new InputError('too-few-questions', `${used.length} questions with answers`, {
      expected: `at least ${FOLDS}`,
    });
  return samples;
}

function figuresOf(lessons: OpenLessons): Figures {
  const { samples } = lessons;
  const sets = [...new Set(samples.map(({ set }) => set))]
    .sort()
    .flatMap(set => [false, true].map(headlines => ({ set, headlines })))
    .filter(each => samples.some(sample => isOf(sample, each)));
  const fold = foldsOf(samples);
  const models = Array.from({ length: FOLDS }, (_, held) =>
    lessons.fit(index => fold[index] !== held),
  );
  const abstention = openThreshold(lessons.supports(index => models[fold[index]!]!));
  return {
    abstention,
    heldOut: sets.map(each => ({
      ...each,
      ...openFigures(lessons, each, index => models[fold[index]!]!),
    })),
    elsewhere: figuresElsewhere(lessons, sets),
  };
}

const isOf = (sample: OpenSample, { set, headlines }: OpenSet): boolean =>
  sample.set === set && (sample.headlines === true) === headlines;

/** Draws the folds; both readings of a question are in one. */
function foldsOf(samples: readonly OpenSample[]): number[] {
  const random = mulberry32(SEED);
  const folds = new Map<string, number>();
  return samples.map(({ set, question }) => {
    const key = `${set}\0${question}`;
    const fold = folds.get(key) ?? Math.floor(FOLDS * random());
    folds.set(key, fold);
    return fold;
  });
}

/** Returns the figures of every data set by weights of the others. */
function figuresElsewhere(lessons: OpenLessons, sets: readonly OpenSet[]): Figured[] {
  const names = [...new Set(sets.map(({ set }) => set))];
  if (names.length < 2) return [];
  return names.flatMap(name => {
    const model = lessons.fitAnswers(index => lessons.samples[index]!.set !== name);
    return sets
      .filter(({ set }) => set === name)
      .map(each => ({ ...each, ...openFigures(lessons, each, () => model) }));
  });
}

function linesOf({ figures: { heldOut, elsewhere, abstention } }: Learnt): string[] {
  const line = ({ set, headlines, questions, F1, EM, answered }: Figured): string =>
    `  ${set}${headlines ? ' with headlines as titles' : ''}, ${questions} questions  F1 ${percent(F1)}  EM ${percent(EM)}  answered ${percent(answered)}`;
  return [
    `Each question answered by weights that were fitted on the other ${FOLDS - 1} folds:`,
    ...heldOut.map(line),
    'Each data set answered by weights that were fitted on the other data sets alone:',
    ...elsewhere.map(line),
    `Support ${abstention.threshold}: refused ${percent(abstention.abstainedNull)} of questions with another's evidence or none of the answer, ${percent(abstention.refusedAnswerable)} of others`,
  ];
}
