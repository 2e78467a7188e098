/** Runs the command line for tests, as a function or as a process. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from '../src/cli/command.ts';
import { main } from '../src/cli/command-line.ts';
import { defined } from '../src/core/defined.ts';
import { freshFolder } from './fresh-folder.ts';

export { freshFolder } from './fresh-folder.ts';

export const PACKAGE: string = fileURLToPath(new URL('..', import.meta.url));
export const DEMO_CORPUS: string = join(PACKAGE, 'demo', 'corpus.jsonl');
const BIN = join(PACKAGE, 'src', 'cli', 'main.ts');

export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Surrounding {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
  readonly terminal?: boolean;
  /** The working folder, of which configuration and default store are read. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds, by which progress is drawn. */
  readonly clock?: () => number;
  /** Multihop if missing. */
  readonly program?: Program;
}

async function* oneText(text: string): AsyncGenerator<string, void, void> {
  yield text;
}

const allowed: Record<string, string> = {};

/** Consents to the address of a test's own model server, which its stores record, in this file. */
export function allowOrigin(url: string): void {
  allowed['MULTIHOP_ALLOWED_ORIGINS'] = `${allowed['MULTIHOP_ALLOWED_ORIGINS'] ?? ''} ${url}`;
}

/**
 * Splits a command line into its words: `` argv`search ${query} --store ${store}` ``. A value is
 * one word whatever it holds, or several if it is a list.
 */
export function argv(
  texts: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
): string[] {
  const line = texts.reduce((before, text, at) => `${before}\0${at - 1}\0${text}`);
  return line
    .split(/\s+/)
    .filter(Boolean)
    .flatMap(word => {
      const [, at] = /^\0(\d+)\0$/.exec(word) ?? [];
      if (at !== undefined) return values[Number(at)]!;
      return word.replace(/\0(\d+)\0/g, (_, inside: string) => String(values[Number(inside)]));
    });
}

/** Runs `multihop ...argv` in this process. */
export async function run(words: readonly string[], around: Surrounding = {}): Promise<Result> {
  let out = '';
  let err = '';
  const terminal = around.terminal ?? false;
  const code = await main(
    words,
    defined({
      stdout: { write: (text: string) => (out += text), isTTY: terminal, columns: 80 },
      stderr: { write: (text: string) => (err += text), isTTY: terminal, columns: 80 },
      env: { ...allowed, ...around.env },
      program: around.program,
      stdin: around.stdin === undefined ? undefined : oneText(around.stdin),
      folder: around.folder,
      signal: around.signal,
      clock: around.clock,
    }),
  );
  return { code, out, err };
}

/** Runs a command that is expected to end with 0. */
export async function succeeds(words: readonly string[], around?: Surrounding): Promise<Result> {
  const result = await run(words, around);
  assert.equal(result.code, 0, `${words.join(' ')}: ${result.err}`);
  return result;
}

/** Returns the object that a command prints with `--json`. */
// biome-ignore lint/suspicious/noExplicitAny: tests read fields of any command
export async function printed(words: readonly string[], around?: Surrounding): Promise<any> {
  const { out, err } = await run([...words, '--json'], around);
  assert.notEqual(out, '', `${words.join(' ')}: ${err}`);
  return JSON.parse(out);
}

/** Runs a command that is expected to print nothing but an error that says this. */
export async function refuses(
  words: readonly string[],
  says: RegExp,
  { code = 2, ...around }: Surrounding & { readonly code?: number } = {},
): Promise<void> {
  const result = await run(words, around);
  assert.deepEqual([result.code, result.out], [code, ''], `${words.join(' ')}: ${result.err}`);
  assert.match(result.err, says);
}

export interface Running {
  readonly child: ChildProcess;
  readonly result: Promise<Result>;
  /** Returns the output so far. */
  readonly soFar: () => { out: string; err: string };
}

export interface ChildOptions {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  /** The module that is run; that of multihop if missing. */
  readonly main?: string;
  /** Text of stdin, which is closed after it; null leaves stdin open. */
  readonly stdin?: string | null;
}

/** Starts `multihop ...argv` as a process. */
export function start(words: readonly string[], options: ChildOptions = {}): Running {
  const { stdin, main: file = BIN, ...rest } = options;
  const env = { PATH: process.env['PATH'] ?? '', ...allowed, ...options.env };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...words], {
    ...rest,
    env,
    stdio: 'pipe',
  });
  let out = '';
  let err = '';
  child.stdout.on('data', data => (out += data));
  child.stderr.on('data', data => (err += data));
  child.stdin.on('error', () => {});
  if (stdin !== null) child.stdin.end(stdin ?? '');
  const result = new Promise<Result>(resolve =>
    child.on('close', code => resolve({ code, out, err })),
  );
  return { child, result, soFar: () => ({ out, err }) };
}

/** Creates a store with the demo corpus. */
export async function demoStore(): Promise<string> {
  const store = join(freshFolder(), 'store');
  await succeeds(['ingest', DEMO_CORPUS, '--store', store]);
  return store;
}

/** Writes the demo corpus in the layout of MultiHop-RAG, and returns the options that name it. */
export function demoDataSet(folder: string): string[] {
  const corpus = readFileSync(DEMO_CORPUS, 'utf8')
    .trim()
    .split('\n')
    .map(line => {
      const { text, id, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return { ...rest, body: text };
    });
  writeFileSync(join(folder, 'corpus.json'), JSON.stringify(corpus));
  return [
    '--corpus',
    join(folder, 'corpus.json'),
    '--questions',
    join(PACKAGE, 'demo', 'questions.json'),
  ];
}
