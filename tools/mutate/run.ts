/** Draws mutants that compile, and runs tests on each, nearest first, until one fails. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uncompiled } from './compiled.ts';
import type { CheckoutCopy } from './copy.ts';
import type { CoverageStore, CoveredTest } from './coverage.ts';
import { type Mutant, sha256 } from './mutants.ts';
import type { Nearness } from './nearness.ts';
import type { Outcome, Results } from './results.ts';
import { runNode } from './run-file.ts';

/** A mutated test may take so many times its own time, and so much more, on a busy machine. */
const SLOWER = 4;
const LATE_MS = 30_000;

/** Hash of all sources and tests, by which survivors are tried again after a change. */
export function stateOf(root: string, hasData: boolean): string {
  const paths = globSync(['src/**/*.{ts,json}', 'test/**/*.ts'], { cwd: root }).sort();
  const texts = paths.map(path => `${path} ${sha256(readFileSync(join(root, path), 'utf8'))}`);
  return sha256([hasData, ...texts].join('\n'));
}

/** So many more mutants are checked at once than are wanted, because some do not compile. */
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

/** Runs tests on mutants. Each is measured when it is first needed, and kept for later runs. */
export class MutationRun {
  private readonly measured = new Map<string, CoveredTest | undefined>();
  private readonly nearness: Nearness;
  private readonly copy: CheckoutCopy;
  private readonly store: CoverageStore;

  constructor(nearness: Nearness, copy: CheckoutCopy, store: CoverageStore) {
    [this.nearness, this.copy, this.store] = [nearness, copy, store];
  }

  /** Runs the tests that reach the mutant, nearest first, until one fails or does not end. */
  async result(mutant: Mutant): Promise<{ readonly outcome: Outcome; readonly by?: string }> {
    const time = (path: string): number => this.measured.get(path)?.ms ?? 0;
    for (const path of this.nearness.ordered(mutant.path, time)) {
      const test = await this.test(path);
      if (!test?.covers(mutant)) continue;
      const limitMs = SLOWER * test.ms + LATE_MS;
      const { outcome } = await this.copy.mutated([mutant], () =>
        runNode([path], { cwd: this.copy.root, limitMs }),
      );
      if (outcome !== 'passed') return { outcome: 'killed', by: path };
    }
    return { outcome: 'survived' };
  }

  /** Returns undefined for a test that fails without a mutant: it would fail for every mutant. */
  private async test(path: string): Promise<CoveredTest | undefined> {
    if (!this.measured.has(path)) {
      const test = await this.store.measured(path, this.copy.root);
      if (!test) console.log(`${path} is left out: it fails without a mutant`);
      this.measured.set(path, test);
    }
    return this.measured.get(path);
  }
}
