/**
 * A folder of results: `result.json` (what `eval --json` prints), `scores.json` (one score a
 * question), `questions.json` (their texts, gold, answers and evidence), `curves.json`, a judge's
 * `verdicts.json`, and sealed traces.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError, PortError } from '../core/errors.ts';
import { parseJson } from '../core/text/bounded-json.ts';
import {
  abstentionCurve,
  type CurvePoint,
  judgedOutcomes,
} from '../evaluation/abstention-curve.ts';
import { clustersOf } from '../evaluation/clusters.ts';
import { isControl } from '../evaluation/controls.ts';
import type { DataSet, Verdict } from '../evaluation/example.ts';
import { type Baseline, baselineOf } from '../evaluation/gate.ts';
import { measure } from '../evaluation/measures.ts';
import type { QuestionRecorder, QuestionRecords } from '../evaluation/question-records.ts';
import type { ScoredQuestions } from '../evaluation/report/scored-questions.ts';
import type { EvaluationResult, Scores } from '../evaluation/run.ts';
import { replaceFile } from '../platform/replace-file.ts';
import type { EvaluationRun } from './evaluation-run.ts';
import { recordsOf } from './stored-records.ts';

/**
 * Thresholds of a printed curve: every twentieth, so that files stay small and curves of different
 * rows can be laid side by side.
 */
const CURVE_STEPS = 20;

/** Stands in a folder whose traces are of an evaluation that has not ended. */
const UNFINISHED = 'unfinished.json';

/**
 * Marks the folder before traces are written there: until the evaluation ends, results in it are of
 * an earlier one.
 */
export function beginResults(out: string): void {
  writing(out, () => writeJson(join(out, UNFINISHED), { began: new Date().toISOString() }));
}

/** Writes everything but the traces, which are there already, and takes the mark away. */
export function writeResults(
  out: string,
  run: EvaluationRun,
  dataSet: DataSet,
  questions: QuestionRecorder,
): void {
  writing(out, () => {
    writeJson(join(out, 'scores.json'), {
      ...clustersIn(dataSet),
      ...baselineOf(dataSet.examples, run.scores),
    });
    writeJson(join(out, 'questions.json'), questions.finished(run.outcomes));
    writeJson(join(out, 'curves.json'), curvesOf(run, dataSet));
    writeJson(join(out, 'traces.json'), run.traces);
    if (run.verdicts) writeJson(join(out, 'verdicts.json'), run.verdicts);
    writeJson(join(out, 'result.json'), run.result);
    rmSync(join(out, UNFINISHED), { force: true });
  });
}

/** Makes the folder, and turns what its files refuse into `PortError`. */
function writing(out: string, work: () => void): void {
  try {
    mkdirSync(out, { recursive: true });
    work();
  } catch (error) {
    if (PortError.is(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    throw new PortError(
      'store',
      isFull ? 'store-full' : 'store-not-writable',
      `Cannot write ${out}: ${message}`,
      { cause: error },
    );
  }
}

/** The cluster of each question, if questions share gold articles: for paired differences. */
function clustersIn({ examples }: DataSet): { readonly clusters?: readonly number[] } {
  const clusters = [...clustersOf(examples)];
  return new Set(clusters).size === examples.length ? {} : { clusters };
}

/** Makes a folder before any work. Throws `PortError`. */
export const makeFolder = (folder: string): void => writing(folder, () => {});

function writeJson(path: string, value: unknown): void {
  replaceFile(path, `${JSON.stringify(value)}\n`);
}

/** For each row whose answers carry support: its abstention curve on an even grid of thresholds. */
function curvesOf(run: EvaluationRun, dataSet: DataSet): Record<string, CurvePoint[]> {
  const records = recordsOf(dataSet);
  const curves: Record<string, CurvePoint[]> = {};
  for (const row of run.result.rows) {
    if (isControl(row)) continue;
    const judged = judgedOutcomes(
      dataSet.examples,
      run.outcomes[row.id]!,
      measure('QaAccuracy(strict)'),
      records,
    );
    if (judged.length > 0) curves[row.id] = onGrid(abstentionCurve(judged));
  }
  return curves;
}

function onGrid(points: readonly CurvePoint[]): CurvePoint[] {
  return Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
    const threshold = step / CURVE_STEPS;
    // The first point whose threshold reaches this one refuses exactly what lies below it.
    const at = points.find(point => point.threshold === null || point.threshold >= threshold)!;
    return { ...at, threshold };
  });
}

/**
 * Reads what `eval --out` wrote; `questions` is missing if an earlier version wrote it. Throws
 * `InputError`: `no-results`, `bad-results`, or `unfinished-results` for the results of an earlier
 * evaluation beside the traces of a later one.
 */
export function readResults(folder: string): {
  readonly result: EvaluationResult;
  readonly curves: Readonly<Record<string, readonly CurvePoint[]>>;
  readonly questions?: ScoredQuestions;
} {
  const path = join(folder, 'result.json');
  checkFinished(folder);
  if (!existsSync(path))
    throw new InputError('no-results', `There are no results in ${folder}`, {
      expected: 'a folder written by multihop eval --out DIR',
    });
  const result = readJson(path) as EvaluationResult;
  if (!Array.isArray(result?.rows) || typeof result.dataset !== 'string')
    throw new InputError('bad-results', `${path} is not the result of an evaluation`);
  const curves = join(folder, 'curves.json');
  return {
    result,
    curves: existsSync(curves) ? (readJson(curves) as Record<string, CurvePoint[]>) : {},
    ...readQuestions(folder),
  };
}

/** Files of results are of an earlier evaluation until this one ends. */
function checkFinished(folder: string): void {
  if (!existsSync(join(folder, UNFINISHED))) return;
  throw new InputError('unfinished-results', `An evaluation into ${folder} has not ended`, {
    expected: 'results of the evaluation whose traces are there',
    received: existsSync(join(folder, 'result.json')) ? 'those of an earlier one' : 'none',
    hint: 'Run it again to its end, or give the folder of another one.',
  });
}

function readQuestions(folder: string): { readonly questions?: ScoredQuestions } {
  const [path, scored] = [join(folder, 'questions.json'), join(folder, 'scores.json')];
  if (!existsSync(path) || !existsSync(scored)) return {};
  const records = readJson(path) as Partial<QuestionRecords> | null;
  const { scores } = (readJson(scored) ?? {}) as { readonly scores?: Scores };
  const lists = [records?.questions, records?.passages];
  if (!lists.every(Array.isArray) || typeof records?.rows !== 'object' || !scores)
    throw new InputError('bad-results', `${path} holds no questions of an evaluation`);
  return { questions: { records: records as QuestionRecords, scores } };
}

/**
 * Reads the scores of single questions that `eval --out` wrote, from its folder or from the file
 * `scores.json` itself. Throws `InputError`.
 */
export function readScores(path: string): Baseline {
  if (!existsSync(path)) throw new InputError('missing-file', `There is no file or folder ${path}`);
  const isFolder = statSync(path).isDirectory();
  if (isFolder) checkFinished(path);
  const file = isFolder ? join(path, 'scores.json') : path;
  const read = readJson(file) as Partial<Baseline> | null;
  const { questions, names = questions, scores } = read ?? {};
  const series = Object.values(scores ?? {}).flatMap(row => Object.values(row ?? {}));
  const length = Array.isArray(questions) ? questions.length : 0;
  if (length === 0 || ![names, ...series].every(one => Array.isArray(one) && one.length === length))
    throw new InputError('bad-results', `${file} holds no scores of questions`, {
      expected: 'a folder written by multihop eval --out DIR, or its scores.json',
    });
  return { questions: questions!, names: names!, scores: scores ?? {} };
}

/** Returns the files of traces by row; none if the evaluation wrote none. Throws `InputError`. */
export function readTraceFiles(folder: string): { readonly id: string; readonly file: string }[] {
  const path = join(folder, 'traces.json');
  const traces = existsSync(path) ? readJson(path) : {};
  if (typeof traces !== 'object' || traces === null) return [];
  return Object.entries(traces as Readonly<Record<string, { readonly file?: unknown } | null>>).map(
    // A name, so that no file of results leads out of their folder.
    ([id, row]) => ({ id, file: join(folder, 'traces', basename(String(row?.file))) }),
  );
}

/**
 * Returns the verdicts of the evaluation whose traces are in the folder; none if it had no judge.
 * Throws `InputError`.
 */
export function readVerdicts(folder: string): readonly Verdict[] {
  const path = join(folder, 'verdicts.json');
  if (!existsSync(path)) return [];
  checkFinished(folder);
  const verdicts = readJson(path);
  if (!Array.isArray(verdicts) || !verdicts.every(isVerdict))
    throw new InputError('bad-results', `${path} holds no verdicts of a judge`);
  return verdicts;
}

function isVerdict(value: unknown): value is Verdict {
  const { judge, question, answer, match } = (value ?? {}) as Partial<
    Record<keyof Verdict, unknown>
  >;
  return (
    [judge, question, answer].every(text => typeof text === 'string') &&
    (match === undefined || typeof match === 'boolean')
  );
}

function readJson(path: string): unknown {
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new InputError('bad-results', `Cannot read ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
