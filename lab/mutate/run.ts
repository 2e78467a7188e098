/** Draws mutants that compile, and runs tests on each, the quickest first, until one fails. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckoutCopy } from './copy.ts';
import { type Mutant, sha256 } from './mutants.ts';
import type { Nearness } from './nearness.ts';
import type { Outcome, Results } from './results.ts';
import { runNode } from './run-file.ts';

/** Hash of all sources and tests, by which survivors are tried again after a change. */
export function stateOf(root: string, hasData: boolean): string {
  const paths = globSync(['{src,lab}/**/*.{ts,json}', 'test/**/*.ts'], { cwd: root }).sort();
  const texts = paths.map(path => `${path} ${sha256(readFileSync(join(root, path), 'utf8'))}`);
  return sha256([hasData, ...texts].join('\n'));
}

/** So many more mutants are checked at once than are drawn, because some do not compile. */
const MORE = 1.5;

export interface Drawing {
  readonly sample: number;
  readonly copy: CheckoutCopy;
  readonly results: Results;
  readonly against: string;
}

/** Returns the first `sample` mutants that compile; those that do not are noted as such. */
export async function drawCompiled(
  order: readonly Mutant[],
  { sample, copy, results, against }: Drawing,
): Promise<Mutant[]> {
  const drawn: Mutant[] = [];
  for (let next = 0; drawn.length < sample && next < order.length; ) {
    const some = order.slice(next, next + Math.ceil((sample - drawn.length) * MORE));
    next += some.length;
    const unknown = some.filter(mutant => results.compiles(mutant) === undefined);
    const bad = await uncompiled(unknown, copy);
    for (const { key, file } of unknown)
      results.add({ key, file, against, outcome: bad.has(key) ? 'uncompiled' : 'compiled' });
    drawn.push(...some.filter(mutant => results.compiles(mutant)));
  }
  return drawn.slice(0, sample);
}

/** `uncovered`: the test does not run the code of the mutant. */
export type Verdict = 'uncovered' | 'passed' | 'failed';

/** A way of running test files on mutants. */
export interface TestRuns {
  /** Milliseconds of a test file without a mutant; undefined if it fails unchanged. */
  time(path: string): Promise<number | undefined>;
  verdict(path: string, mutant: Mutant): Promise<Verdict>;
  end(): void;
}

export interface MutantResult {
  readonly outcome: Extract<Outcome, 'killed' | 'survived'>;
  /** The test file that killed it. */
  readonly by?: string;
}

/** Says which tests passed on which mutants before. */
export interface Passes {
  has(mutant: Mutant, test: string): boolean;
  add(mutant: Mutant, test: string): void;
}

/** Returns the results of mutants by their tests. */
export class MutationRun {
  private readonly nearness: Nearness;
  private readonly tests: TestRuns;
  private readonly passes: Passes | undefined;

  constructor(nearness: Nearness, tests: TestRuns, passes?: Passes) {
    [this.nearness, this.tests, this.passes] = [nearness, tests, passes];
  }

  /** Runs the tests that reach the mutant, until one fails or does not end. */
  async result(mutant: Mutant): Promise<MutantResult> {
    return (await this.among(mutant, 0, Number.POSITIVE_INFINITY)) ?? { outcome: 'survived' };
  }

  /** Returns undefined if no test kills the mutant that takes `from` to less than `to` ms. */
  async among(mutant: Mutant, from: number, to: number): Promise<MutantResult | undefined> {
    for (const path of await this.ordered(mutant)) {
      const ms = await this.tests.time(path);
      if (ms === undefined || ms < from || ms >= to || this.passes?.has(mutant, path)) continue;
      const verdict = await this.tests.verdict(path, mutant);
      if (verdict === 'failed') return { outcome: 'killed', by: path };
      if (verdict === 'passed') this.passes?.add(mutant, path);
    }
    return undefined;
  }

  /** Returns the tests of the mutant, its file's own first, then the quickest first. */
  async ordered({ path }: Pick<Mutant, 'path'>): Promise<string[]> {
    const ms = new Map<string, number>();
    for (const test of this.nearness.of(path)) ms.set(test, (await this.tests.time(test)) ?? 0);
    return this.nearness.ordered(path, test => ms.get(test)!);
  }
}

/** Keeps passes beside the results, by the texts of the tests. */
export function keptPasses(results: Results, root: string): Passes {
  const hashes = new Map<string, string>();
  const hash = (test: string): string => {
    if (!hashes.has(test)) hashes.set(test, sha256(readFileSync(join(root, test), 'utf8')));
    return hashes.get(test)!;
  };
  return {
    has: (mutant, test) => results.passed(mutant, test, hash(test)),
    add: ({ key, file }, test) =>
      results.add({ key, file, outcome: 'passed', by: test, against: hash(test) }),
  };
}

const TSC = 'node_modules/typescript/bin/tsc';
/** An emptied block leaves names unused, which is no reason to leave its mutant out. */
const OPTIONS = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
/** Checks again only what a mutant changes. */
const INCREMENTAL = ['--incremental', '--tsBuildInfoFile', '.cache/mutate-types.json'];
const LIMIT_MS = 10 * 60_000;

/**
 * Returns the keys of the mutants whose files have type errors. Checks one mutant a file together:
 * exported types are written out (`isolatedDeclarations`), so that errors stay in the file.
 */
async function uncompiled(mutants: readonly Mutant[], copy: CheckoutCopy): Promise<Set<string>> {
  const bad = new Set<string>();
  const byPath = [...Map.groupBy(mutants, ({ path }) => path).values()];
  const rounds = Math.max(0, ...byPath.map(ofFile => ofFile.length));
  for (let round = 0; round < rounds; round++) {
    const together = byPath.flatMap(ofFile => ofFile.slice(round, round + 1));
    const files = await copy.mutated(together, () => filesWithErrors(copy.root));
    for (const { key, path } of together) if (files.has(path)) bad.add(key);
  }
  return bad;
}

async function filesWithErrors(root: string): Promise<Set<string>> {
  const { output } = await runNode(
    [TSC, '-p', '.', '--pretty', 'false', ...OPTIONS, ...INCREMENTAL],
    { cwd: root, limitMs: LIMIT_MS, read: true },
  );
  return new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error /gm)].map(([, path]) => path!));
}
