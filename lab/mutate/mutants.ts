/** Lists the mutants of source files by Stryker's instrumenter, and draws a seeded sample. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Mutant {
  /** Identifies the mutant across edits elsewhere in its file: a SHA-256. */
  readonly key: string;
  /** Relative to the repository. */
  readonly path: string;
  /** SHA-256 of the file's text. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** UTF-16 offsets of the text that is replaced. */
  readonly start: number;
  readonly end: number;
  readonly operator: string;
  readonly original: string;
  readonly replacement: string;
}

/** The part of `@stryker-mutator/instrumenter` that is used: it is a package of its own here. */
interface Instrumenting {
  readonly Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly { name: string; content: string; mutate: true | readonly Place[] }[],
      options: object,
    ): Promise<{
      readonly mutants: readonly Found[];
      readonly files: readonly { readonly name: string; readonly content: string }[];
    }>;
  };
}
interface Found {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: Place;
}
interface Place {
  readonly start: Position;
  readonly end: Position;
}
/** Line and column, both from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PACKAGE = join(FOLDER, 'node_modules/@stryker-mutator/instrumenter/dist/src/index.js');
const SILENT = new Proxy({}, { get: () => () => false });

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const OPTIONS = { plugins: null, excludedMutations: [], ignorers: [], noHeader: false };

/** Installs the instrumenter if it is missing. */
async function instrumenter(): Promise<InstanceType<Instrumenting['Instrumenter']>> {
  if (!existsSync(PACKAGE)) install();
  const { Instrumenter } = (await import(PACKAGE)) as Instrumenting;
  return new Instrumenter(SILENT);
}

/** Returns all mutants of the files, in order. */
export async function mutantsOf(paths: readonly string[], root: string): Promise<Mutant[]> {
  const texts = new Map(paths.map(path => [path, readFileSync(join(root, path), 'utf8')]));
  const { mutants } = await (await instrumenter()).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    OPTIONS,
  );
  const seen = new Map<string, number>();
  return mutants.flatMap(found => {
    const text = texts.get(found.fileName)!;
    const [start, end] = [offsetOf(text, found.location.start), offsetOf(text, found.location.end)];
    const original = text.slice(start, end);
    if (isProse(found.mutatorName, original)) return [];
    const told = JSON.stringify([found.fileName, original, found.replacement]);
    const nth = seen.get(told) ?? 0;
    seen.set(told, nth + 1);
    return {
      key: sha256(`${told} ${nth}`),
      path: found.fileName,
      file: sha256(text),
      line: found.location.start.line + 1,
      start,
      end,
      operator: found.mutatorName,
      original,
      replacement: found.replacement,
    };
  });
}

export interface InstrumentedSources {
  /** Text by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The number that switches a mutant on, by the mutant's key. */
  readonly numbers: ReadonlyMap<string, string>;
}

/** Returns the files of the mutants, with the mutants and others within their texts in them. */
export async function instrumented(
  drawn: readonly Mutant[],
  root: string,
): Promise<InstrumentedSources> {
  const texts = new Map<string, string>();
  for (const { path } of drawn) texts.set(path, readFileSync(join(root, path), 'utf8'));
  const places = Map.groupBy(drawn, ({ path }) => path);
  const { mutants, files } = await (await instrumenter()).instrument(
    [...texts].map(([name, content]) => ({
      name,
      content,
      mutate: places.get(name)!.map(({ start, end }) => ({
        start: positionOf(content, start),
        end: positionOf(content, end),
      })),
    })),
    OPTIONS,
  );
  const told = (path: string, start: number, end: number, replacement: string): string =>
    JSON.stringify([path, start, end, replacement]);
  const byPlace = new Map(
    mutants.map(({ id, fileName, location, replacement }) => {
      const text = texts.get(fileName)!;
      const [start, end] = [offsetOf(text, location.start), offsetOf(text, location.end)];
      return [told(fileName, start, end, replacement), id];
    }),
  );
  const numbers = drawn.map(({ key, path, start, end, replacement }) => {
    const id = byPlace.get(told(path, start, end, replacement));
    if (id === undefined) throw new Error(`The instrumenter left out ${path}:${start}`);
    return [key, id] as const;
  });
  return {
    texts: new Map(files.map(({ name, content }) => [name, content])),
    numbers: new Map(numbers),
  };
}

/** Orders mutants by a hash of key and seed, so that an edit moves no other mutant. */
export const shuffled = (mutants: readonly Mutant[], seed: number): Mutant[] =>
  mutants
    .map(mutant => ({ mutant, rank: sha256(`${seed} ${mutant.key}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant);

export const applied = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);

/** Excludes texts of at least three words: summaries and messages, which tests need not repeat. */
const isProse = (operator: string, original: string): boolean =>
  operator === 'StringLiteral' && original.trim().split(/\s+/).length >= 3;

function offsetOf(text: string, { line, column }: Position): number {
  let start = 0;
  for (let number = 0; number < line; number++) start = text.indexOf('\n', start) + 1;
  return start + column;
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, column: offset - start };
}

function install(): void {
  const script = process.env['npm_execpath'];
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const [command, argumentsOf] = script ? [process.execPath, [script, ...words]] : ['npm', words];
  const { status, error } = spawnSync(command, argumentsOf, { cwd: FOLDER, stdio: 'inherit' });
  if (error || status !== 0)
    throw new Error(`The instrumenter could not be installed in ${FOLDER}`, { cause: error });
}
