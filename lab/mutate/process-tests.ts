/** Runs test files that do not pass in one process with others, each in a separate process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SwitchedCopy } from './instrumented.ts';
import { JsonFolder } from './json-folder.ts';
import { type Mutant, sha256 } from './mutants.ts';
import type { TestRuns, Verdict } from './run.ts';
import { runNode } from './run-file.ts';
import { childCoverage, LIMIT_MS, mutantsIn } from './switched-coverage.ts';

/** A mutated test may take so many times its own time, and so much more, on a busy machine. */
export const SLOWER = 4;
const LATE_MS = 30_000;

/** The time of a test file without a mutant, and the numbers of the mutants whose code it runs. */
interface Measured {
  readonly ms: number;
  readonly ran: readonly string[];
}

/** Measures a test file when it is first needed, and keeps that in a folder. */
export class ProcessTests implements TestRuns {
  private readonly switched: SwitchedCopy;
  private readonly folder: JsonFolder<Measured | null>;
  private readonly state: string;
  private readonly known = new Map<string, Measured | null>();

  /** `state`: a hash of the sources, and of the mutants in them. */
  constructor(switched: SwitchedCopy, folder: string, state: string) {
    [this.switched, this.folder, this.state] = [switched, new JsonFolder(folder), state];
  }

  async time(path: string): Promise<number | undefined> {
    return (await this.measured(path))?.ms;
  }

  async verdict(path: string, mutant: Mutant): Promise<Verdict> {
    const test = await this.measured(path);
    const number = this.switched.numbers.get(mutant.key)!;
    if (!test?.ran.includes(number)) return 'uncovered';
    const { outcome } = await runNode([path], {
      cwd: this.switched.copy.root,
      limitMs: SLOWER * test.ms + LATE_MS,
      env: { __STRYKER_ACTIVE_MUTANT__: number },
    });
    return outcome === 'passed' ? 'passed' : 'failed';
  }

  end(): void {
    // Each process has ended.
  }

  private async measured(path: string): Promise<Measured | undefined> {
    const { root } = this.switched.copy;
    let test = this.known.get(path);
    if (test === undefined) {
      const text = readFileSync(join(root, path), 'utf8');
      const name = sha256(`process ${this.state} ${path} ${text}`);
      test = await this.folder.kept(name, () => measured(path, root));
      if (!test) console.log(`${path} is left out: it fails without a mutant`);
      this.known.set(path, test);
    }
    return test ?? undefined;
  }
}

async function measured(path: string, root: string): Promise<Measured | null> {
  const folder = mkdtempSync(join(tmpdir(), 'multihop-coverage-'));
  try {
    const { outcome, ms } = await runNode([path], {
      cwd: root,
      limitMs: LIMIT_MS,
      env: childCoverage(folder),
    });
    return outcome === 'passed' ? { ms, ran: mutantsIn(folder) } : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
