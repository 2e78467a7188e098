/** Runs each test file on each mutant in a process of its own: slow and obvious. */
import type { CheckoutCopy } from './copy.ts';
import type { CoverageStore, CoveredTest } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import type { TestRuns, Verdict } from './run.ts';
import { runNode } from './run-file.ts';

/** A mutated test may take so many times its own time, and so much more, on a busy machine. */
export const SLOWER = 4;
const LATE_MS = 30_000;

/** Measures a test file when it is first needed. */
export class ProcessTests implements TestRuns {
  private readonly measured = new Map<string, CoveredTest | undefined>();
  private readonly copy: CheckoutCopy;
  private readonly store: CoverageStore;

  constructor(copy: CheckoutCopy, store: CoverageStore) {
    [this.copy, this.store] = [copy, store];
  }

  async time(path: string): Promise<number | undefined> {
    return (await this.test(path))?.ms;
  }

  async verdict(path: string, mutant: Mutant): Promise<Verdict> {
    const test = await this.test(path);
    if (!test?.covers(mutant)) return 'uncovered';
    const limitMs = SLOWER * test.ms + LATE_MS;
    const { outcome } = await this.copy.mutated([mutant], () =>
      runNode([path], { cwd: this.copy.root, limitMs }),
    );
    return outcome === 'passed' ? 'passed' : 'failed';
  }

  end(): void {
    // Each process has ended.
  }

  private async test(path: string): Promise<CoveredTest | undefined> {
    if (!this.measured.has(path)) {
      const test = await this.store.measured(path, this.copy.root);
      if (!test) console.log(`${path} is left out: it fails without a mutant`);
      this.measured.set(path, test);
    }
    return this.measured.get(path);
  }
}
