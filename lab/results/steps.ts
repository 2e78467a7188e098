/**
 * Runs the steps of a report by the command line, each in a separate process, and keeps what they
 * print, so that a report that was interrupted resumes.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EvaluationResult } from '../../src/evaluation/evaluation-result.ts';
import type { Columns } from './equal-k.ts';

export const ROOT: string = fileURLToPath(new URL('../..', import.meta.url));
/**
 * `@huggingface/transformers` is installed there: a command finds it in its working folder. Another
 * folder of packages, by RESULTS_PACKAGES, may have `node-llama-cpp` too.
 */
export const MODELS_TEST: string = process.env['RESULTS_PACKAGES'] ?? join(ROOT, 'models-test');
export const EMBEDDERS: readonly string[] = ['all-MiniLM-L6-v2', 'bge-small-en-v1.5'];

export interface Step {
  readonly name: string;
  /** The words after `multihop`, or after `npm run lab --` for `learn`. */
  readonly words: readonly string[];
  /** Files and folders of `eval --out` to keep; undefined for what `--json` prints alone. */
  readonly keeps?: readonly string[];
}

export interface Kept {
  readonly result: EvaluationResult;
  /** By row and measure, one score a question. */
  readonly scores: Readonly<Record<string, Columns>>;
  /** The cluster of each question, where questions share gold articles. */
  readonly clusters?: readonly number[];
  /** The ids of the questions, in the order of the scores. */
  readonly questions?: readonly string[];
  readonly folder: string;
}

const hashOf = (words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 8);

const pathOf = ({ name, words, keeps }: Step, work: string): string =>
  join(work, `${name}-${hashOf(keeps ? [...words, '--out', ...keeps] : words)}`);

/** Returns a finished evaluation. */
export function finished(step: Step, work: string): Kept | undefined {
  const path = pathOf(step, work);
  if (!existsSync(`${path}.json`)) return undefined;
  const read = (end: string): unknown => JSON.parse(readFileSync(`${path}${end}`, 'utf8'));
  const scores = existsSync(`${path}.scores.json`) ? read('.scores.json') : { scores: {} };
  return {
    result: read('.json') as EvaluationResult,
    ...(scores as Pick<Kept, 'scores' | 'clusters' | 'questions'>),
    folder: `${path}.kept`,
  };
}

/** Evaluates a step unless it is finished. Ends the process if the evaluation fails. */
export function evaluate(step: Step, work: string, cache: string): void {
  const path = pathOf(step, work);
  if (existsSync(`${path}.json`)) return;
  begin(step.name, path);
  const words = ['eval', ...step.words];
  if (!step.keeps) {
    writeFileSync(`${path}.part`, command([...words, '--json'], cache));
    renameSync(`${path}.part`, `${path}.json`);
    return;
  }
  const folder = resolve(`${path}.out`);
  rmSync(folder, { recursive: true, force: true });
  command([...words, '--out', folder], cache);
  renameSync(join(folder, 'scores.json'), `${path}.scores.json`);
  rmSync(`${path}.kept`, { recursive: true, force: true });
  mkdirSync(`${path}.kept`);
  for (const name of step.keeps) renameSync(join(folder, name), join(`${path}.kept`, name));
  renameSync(join(folder, 'result.json'), `${path}.json`);
  rmSync(folder, { recursive: true });
}

/** Returns what a command other than `eval` printed, if it is finished. */
export function printed(step: Step, work: string): string | undefined {
  const path = `${pathOf(step, work)}.txt`;
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Runs a command other than `eval` unless it is finished. Ends the process if it fails. */
export function print(step: Step, work: string, cache: string): void {
  const path = pathOf(step, work);
  if (existsSync(`${path}.txt`)) return;
  begin(step.name, path);
  writeFileSync(`${path}.part`, command(step.words, cache));
  renameSync(`${path}.part`, `${path}.txt`);
}

function begin(name: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  console.error(`${new Date().toISOString()} ${name}`);
}

/** Returns the output; embedders and the cache. */
export function command(words: readonly string[], cache: string): string {
  const models = EMBEDDERS.filter(
    model => words.some(word => word.includes(model)) && !words.includes(model),
  ).flatMap(model => ['--embedder', model]);
  const main = join(ROOT, words[0] === 'learn' ? 'lab/main.ts' : 'src/cli/main.ts');
  const all = [main, ...words, ...models, '--cache', resolve(cache)];
  const { status, stdout } = spawnSync(process.execPath, all, {
    cwd: existsSync(join(MODELS_TEST, 'node_modules')) ? MODELS_TEST : ROOT,
    // Without the folder where npm was called, to which the lab changes.
    env: {
      ...process.env,
      INIT_CWD: undefined,
      ...absolute('MULTIHOP_DATA'),
      ...absolute('MULTIHOP_MODELS'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

/** Paths are given from where the command was typed; the evaluation runs elsewhere. */
function absolute(name: string): Record<string, string> {
  const path = process.env[name];
  return path === undefined ? {} : { [name]: resolve(path) };
}
