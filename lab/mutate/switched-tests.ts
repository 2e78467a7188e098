/**
 * Runs test files on many mutants in one process, and each that fails once more in a separate
 * process: what is killed fails there too.
 */

import { defined } from '../../src/core/defined.ts';
import { type Coverage, TestWorker } from './in-process/test-worker.ts';
import type { SwitchedCopy } from './instrumented.ts';
import type { Mutant } from './mutants.ts';
import { SLOWER } from './process-tests.ts';
import type { TestRuns, Verdict } from './run.ts';
import type { SwitchedCoverage, SwitchedTest } from './switched-coverage.ts';

/** Starting a process and loading the sources may take so long on a busy machine. */
const LATE_MS = 20_000;
/** If a test file takes longer, the tests that reach a mutant run alone. */
const LONG_MS = 3_000;
/** A worker ends after so many files, since each leaves its modules in memory. */
const MOST_RUNS = 300;

export class SwitchedTests implements TestRuns {
  private readonly switched: SwitchedCopy;
  private readonly coverage: SwitchedCoverage;
  private readonly slow: TestRuns;
  private worker: TestWorker | undefined;
  private runs = 0;
  private readonly sound = new Map<string, boolean>();

  /** `slow` runs the test files that do not pass in one process with others. */
  constructor(switched: SwitchedCopy, coverage: SwitchedCoverage, slow: TestRuns) {
    [this.switched, this.coverage, this.slow] = [switched, coverage, slow];
  }

  async time(path: string): Promise<number | undefined> {
    const test = await this.coverage.of(path, this.switched.copy.root);
    return test ? test.ms : this.slow.time(path);
  }

  async verdict(path: string, mutant: Mutant): Promise<Verdict> {
    const test = await this.coverage.of(path, this.switched.copy.root);
    if (!test) return this.slow.verdict(path, mutant);
    const number = this.switched.numbers.get(mutant.key)!;
    // Sources that are loaded with the mutant off keep values that it should have changed.
    if (test.coverage.loading.includes(number)) return this.fresh(path, test, number);
    const reaching = reachingTests(test.coverage, number);
    if (reaching.length === 0) return 'uncovered';
    const only = await this.selection(path, test, reaching);
    const job = { file: path, mutant: number, only };
    const { outcome } = await this.shared().run(job, limit(test));
    if (outcome !== 'failed') return outcome === 'passed' ? 'passed' : 'failed';
    return this.fresh(path, test, number, only);
  }

  end(): void {
    this.worker?.kill();
  }

  private async fresh(
    file: string,
    test: SwitchedTest,
    mutant: string,
    only?: readonly string[],
  ): Promise<Verdict> {
    const worker = new TestWorker(this.switched.copy.root, mutant);
    try {
      const answer = await worker.run(defined({ file, mutant, only }), limit(test));
      return answer.outcome === 'passed' ? 'passed' : 'failed';
    } finally {
      worker.kill();
    }
  }

  /** Returns undefined for all tests: of short files, and where some fail without the others. */
  private async selection(
    file: string,
    test: SwitchedTest,
    only: readonly string[],
  ): Promise<readonly string[] | undefined> {
    if (test.ms < LONG_MS || only.includes('*')) return undefined;
    const key = JSON.stringify([file, only]);
    let sound = this.sound.get(key);
    if (sound === undefined) {
      const { outcome } = await this.shared().run({ file, mutant: '', only }, limit(test));
      sound = outcome === 'passed';
      this.sound.set(key, sound);
    }
    return sound ? only : undefined;
  }

  private shared(): TestWorker {
    if (this.worker?.ended || this.runs >= MOST_RUNS) {
      this.worker?.kill();
      this.worker = undefined;
    }
    if (!this.worker) [this.worker, this.runs] = [new TestWorker(this.switched.copy.root), 0];
    this.runs++;
    return this.worker;
  }
}

const limit = ({ ms }: SwitchedTest): number => SLOWER * ms + LATE_MS;

/** Returns the names of the tests and suites that run the mutant's code; `*` is the whole file. */
const reachingTests = ({ byTest }: Coverage, number: string): string[] =>
  Object.keys(byTest).filter(name => byTest[name]!.includes(number));
