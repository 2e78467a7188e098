/** Draws mutants that compile, and runs tests on each until one fails. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uncompiled } from './compiled.ts';
import type { CheckoutCopy } from './copy.ts';
import { type CoveredTest, coverageOf } from './coverage.ts';
import { type Mutant, sha256 } from './mutants.ts';
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

/** The tests of a room, quickest first, each with the code that it runs. */
export class MutationRun {
  private readonly tests: readonly CoveredTest[];
  private readonly copy: CheckoutCopy;

  private constructor(tests: readonly CoveredTest[], copy: CheckoutCopy) {
    [this.tests, this.copy] = [tests, copy];
  }

  /** Runs every test once without a mutant. Throws if one fails. */
  static async of(
    room: string,
    paths: readonly string[],
    copy: CheckoutCopy,
  ): Promise<MutationRun> {
    const tests: CoveredTest[] = [];
    for (const path of paths) {
      tests.push(await coverageOf(path, copy.root, `src/${room}/`));
      console.log(`${path}: ${(tests.at(-1)!.ms / 1000).toFixed(1)} s without a mutant`);
    }
    return new MutationRun(
      tests.sort((a, b) => a.ms - b.ms),
      copy,
    );
  }

  /** Runs the tests that reach the mutant until one fails or does not end. */
  async result(mutant: Mutant): Promise<{ readonly outcome: Outcome; readonly by?: string }> {
    return await this.copy.mutated([mutant], async () => {
      for (const test of this.tests) {
        if (!test.covers(mutant)) continue;
        const limitMs = SLOWER * test.ms + LATE_MS;
        const { outcome } = await runNode([test.path], { cwd: this.copy.root, limitMs });
        if (outcome !== 'passed') return { outcome: 'killed', by: test.path };
      }
      return { outcome: 'survived' };
    });
  }
}
