/** Runs the steps of a report and writes it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined } from '../../src/core/defined.ts';
import { isControl } from '../../src/evaluation/controls.ts';
import { findData } from '../../src/experiments/find-data.ts';
import type { Evaluation, Given, Measured, Report, Results } from './report.ts';
import { rowText } from './report.ts';
import { evaluate, finished, print, printed, type Step } from './steps.ts';
import { writeReport } from './write-report.ts';

export interface RunOptions {
  readonly given: Given;
  readonly cache: string;
  readonly out: string;
  /** Beginnings of the names of steps; all steps if empty. */
  readonly steps: readonly string[];
  /** Asks so many questions of each evaluation, to try a report. */
  readonly sample?: number | undefined;
  /** Runs the steps that embed a corpus of their own too. */
  readonly embed: boolean;
  /** Keeps what `out` has of steps that are not finished. */
  readonly keep: boolean;
  /** Runs no step. */
  readonly renderOnly: boolean;
}

/** Runs the chosen steps and renders what is finished. Throws `Error` for a wrong step. */
export async function runReport(report: Report, options: RunOptions): Promise<void> {
  const { given, cache, steps: starts } = options;
  const evaluations = report.evaluations.map(evaluation => ({
    evaluation,
    step: stepOf(evaluation, options),
  }));
  const commands = Object.entries(report.commands ?? {}).map(
    ([name, words]): Step => ({ name, words }),
  );
  const names = [...evaluations.map(({ step }) => step.name), ...commands.map(({ name }) => name)];
  const unknown = starts.find(start => !names.some(name => name.startsWith(start)));
  if (unknown !== undefined)
    throw new Error(`No step begins with "${unknown}". Steps: ${names.join(', ')}`);
  const isWanted = (name: string): boolean =>
    !options.renderOnly && (starts.length === 0 || starts.some(start => name.startsWith(start)));
  for (const { evaluation, step } of evaluations)
    if (isWanted(step.name) && (!evaluation.embeds || options.embed))
      evaluate(step, given.work, cache);
  for (const step of options.sample === undefined ? commands : [])
    if (isWanted(step.name)) print(step, given.work, cache);
  const measured = evaluations.flatMap(({ evaluation, step }) =>
    measuredOf(evaluation, step, given.work),
  );
  const results: Results = {
    measured: new Map(measured.map(entry => [entry.name, entry])),
    printed: new Map(
      commands.flatMap((step): [string, string][] => {
        const text = printed(step, given.work);
        return text === undefined ? [] : [[step.name, text]];
      }),
    ),
  };
  await writeReport({ report, results, out: options.out, keep: options.keep });
}

/** Returns the step of an evaluation. */
export function stepOf(
  evaluation: Evaluation,
  { given, sample: tried }: Pick<RunOptions, 'given' | 'sample'>,
): Step {
  const { name, rows, measures, words = [], keeps = [], timed = false } = evaluation;
  const sample = evaluation.whole ? undefined : (tried ?? evaluation.sample);
  return defined({
    name,
    words: [
      ...[evaluation.dataSet, ...filesOf(evaluation, given), ...words],
      ...(sample === undefined ? [] : ['--sample', String(sample)]),
      ...rows.flatMap(row => ['--row', rowText(row)]),
      ...measures.flatMap(measure => ['--measure', measure]),
    ],
    keeps: timed ? undefined : keeps,
  });
}

/** Writes the evaluation's own files, or the questions of its type to the work folder. */
function filesOf({ dataSet, type, files }: Evaluation, { data, work }: Given): string[] {
  if (files) return files();
  if (type === undefined) return [];
  const { corpus, questions } = findData(dataSet, {}, resolve(data));
  const all = JSON.parse(readFileSync(questions, 'utf8')) as { readonly question_type?: string }[];
  const path = join(work, `${type}.json`);
  mkdirSync(work, { recursive: true });
  writeFileSync(path, JSON.stringify(all.filter(question => question.question_type === type)));
  return ['--questions', path, ...(corpus === undefined ? [] : ['--corpus', corpus])];
}

/** Results name rows canonically: they are matched by their order. */
export function measuredOf({ name, rows }: Evaluation, step: Step, work: string): Measured[] {
  const kept = finished(step, work);
  if (!kept) return [];
  const { result, scores, clusters, questions, folder } = kept;
  const failed = result.rows.find(row => row.failed > 0);
  if (failed)
    console.error(`${name}: ${failed.failed} questions of ${failed.id} failed, scored as empty`);
  const measuredRows = result.rows.filter(row => !isControl(row));
  return [
    {
      name,
      rows: measuredRows.map((row, index) => ({
        ...rows[index]!,
        result: row,
        scores: scores[row.id] ?? {},
        clusters,
        questions,
      })),
      controls: result.rows.filter(isControl),
      result,
      kept: folder,
    },
  ];
}
