/**
 * One evaluation of a published table, run by the command line in a process of its own and kept, so
 * that a table that was cut goes on where it was.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EvaluationResult } from '../src/evaluation/evaluation-result.ts';
import type { Score } from '../src/evaluation/example.ts';

export const ROOT: string = fileURLToPath(new URL('..', import.meta.url));
/** `@huggingface/transformers` is installed there: a command finds it in its working folder. */
export const MODELS_TEST: string = join(ROOT, 'models-test');
export const EMBEDDERS: readonly string[] = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'];

export interface Step {
  /** Begins the name of the file that keeps it. */
  readonly name: string;
  /** What follows `multihop eval`; embedders that they name are given, and the cache. */
  readonly words: readonly string[];
  /** More of them, which say how it is evaluated and not what: they make no other step. */
  readonly means?: readonly string[];
  /**
   * The score of every question is kept too, and the result as `--out` writes it. Traces are
   * written meanwhile: no step to take times from.
   */
  readonly scores?: boolean;
  /** With `scores`: what else of `--out` is kept, by name: `curves.json`, `traces`. */
  readonly keeps?: readonly string[];
}

/**
 * What `eval --out` writes to `scores.json`: by row, by measure, one score a question; null where
 * it has none.
 */
export interface QuestionScores {
  /** Ids. */
  readonly questions: readonly string[];
  readonly scores: Readonly<Record<string, Readonly<Record<string, readonly (Score | null)[]>>>>;
}

/** A step that asks for something else is another one. */
function fileOf({ name, words, scores, keeps = [] }: Step, work: string): string {
  return join(work, `${name}-${hashOf(scores ? [...words, '--out', ...keeps] : words)}.json`);
}

const hashOf = (words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 8);

/** Where what a step `keeps` lies. */
export const keptFolder = (step: Step, work: string): string =>
  fileOf(step, work).replace(/\.json$/, '.kept');

const scoresBeside = (path: string): string => path.replace(/\.json$/, '.scores.json');

/** The result of a step that was evaluated before. */
export function finished(step: Step, work: string): EvaluationResult | undefined {
  const path = fileOf(step, work);
  return existsSync(path)
    ? (JSON.parse(readFileSync(path, 'utf8')) as EvaluationResult)
    : undefined;
}

/** The scores of a step with `scores` that was evaluated before. */
export function finishedScores(step: Step, work: string): QuestionScores | undefined {
  const path = scoresBeside(fileOf(step, work));
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as QuestionScores) : undefined;
}

/**
 * Evaluates a step unless it is finished. `cache` holds vectors and pair scores. Ends the process
 * when the evaluation fails.
 */
export function evaluate(step: Step, work: string, cache: string): void {
  const path = fileOf(step, work);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  console.error(`${new Date().toISOString()} ${step.name}`);
  if (step.scores) {
    const folder = resolve(`${path}.out`);
    rmSync(folder, { recursive: true, force: true });
    run(step, cache, ['--out', folder]);
    renameSync(join(folder, 'scores.json'), scoresBeside(path));
    keep(step, folder, work);
    renameSync(join(folder, 'result.json'), path);
    rmSync(folder, { recursive: true });
  } else {
    writeFileSync(`${path}.part`, run(step, cache, ['--json']));
    renameSync(`${path}.part`, path);
  }
}

function keep(step: Step, from: string, work: string): void {
  if (!step.keeps) return;
  const folder = keptFolder(step, work);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of step.keeps) renameSync(join(from, name), join(folder, name));
}

/** What another command printed, `learn ...`, when it was asked before. */
export function finishedText(
  name: string,
  words: readonly string[],
  work: string,
): string | undefined {
  const path = textFile(name, words, work);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

const textFile = (name: string, words: readonly string[], work: string): string =>
  join(work, `${name}-${hashOf(words)}.txt`);

/**
 * Asks a command other than `eval` and keeps what it prints, unless that is there. Ends the process
 * when it fails.
 */
export function print(name: string, words: readonly string[], work: string, cache: string): void {
  const path = textFile(name, words, work);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  console.error(`${new Date().toISOString()} ${name}`);
  writeFileSync(`${path}.part`, command(words, cache, []));
  renameSync(`${path}.part`, path);
}

/** Returns what is printed. */
const run = ({ words, means = [] }: Step, cache: string, written: readonly string[]): string =>
  command(['eval', ...words, ...means], cache, written);

function command(words: readonly string[], cache: string, written: readonly string[]): string {
  const models = EMBEDDERS.filter(model => words.some(word => word.includes(model))).flatMap(
    model => ['--embedder', model],
  );
  const all = [
    join(ROOT, 'src/edges/cli/main.ts'),
    ...words,
    ...models,
    '--cache',
    resolve(cache),
    ...written,
  ];
  const { status, stdout } = spawnSync(process.execPath, all, {
    cwd: existsSync(join(MODELS_TEST, 'node_modules')) ? MODELS_TEST : ROOT,
    env: { ...process.env, ...absolute('MULTIHOP_DATA'), ...absolute('MULTIHOP_MODELS') },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

/** Paths are given from where the command was typed; the evaluation runs elsewhere. */
function absolute(name: string): Record<string, string> {
  const given = process.env[name];
  return given === undefined ? {} : { [name]: resolve(given) };
}
