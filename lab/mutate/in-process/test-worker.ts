/** Starts the process that runs test files, gives it jobs, and ends it when it does not answer. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Job {
  /** Relative to the folder of the worker. */
  readonly file: string;
  /** Number of the mutant; empty for none. */
  readonly mutant: string;
  /** Full names of the tests to run; all if it is absent. */
  readonly only?: readonly string[];
  readonly cover?: boolean;
}

export interface Answer {
  readonly outcome: 'passed' | 'failed' | 'timeout';
  readonly ms: number;
  /** Full name of the test that failed; `*` if the file failed outside tests. */
  readonly test?: string;
  readonly message?: string;
  readonly coverage?: Coverage;
}

/** Numbers of the mutants whose code ran. */
export interface Coverage {
  /** While the file and its imports were loaded for the first time. */
  readonly loading: readonly string[];
  /** By full name of a suite or test; `*` is the file itself. */
  readonly byTest: Readonly<Record<string, readonly string[]>>;
}

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

export class TestWorker {
  private readonly child: ChildProcess;
  private readonly end = (): void => this.kill();
  ended = false;

  /** `born`: number of a mutant that is on while sources are loaded, and stays on. */
  constructor(cwd: string, born = '', env: Readonly<Record<string, string>> = {}) {
    this.child = fork(WORKER, [], {
      cwd,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, ...env, MULTIHOP_BORN_WITH: born, __STRYKER_ACTIVE_MUTANT__: born },
    });
    process.once('exit', this.end);
  }

  /** A worker that ended by itself without an answer failed unless its status is 0. */
  run(job: Job, limitMs: number): Promise<Answer> {
    const started = performance.now();
    return new Promise(resolve => {
      const settle = (answer: Answer): void => {
        clearTimeout(timer);
        this.child.removeAllListeners();
        if (this.ended) this.kill();
        resolve(answer);
      };
      const told = (outcome: Answer['outcome']): void => {
        this.ended = true;
        settle({ outcome, ms: performance.now() - started });
      };
      const timer = setTimeout(() => told('timeout'), limitMs);
      this.child.once('message', answer => settle(answer as Answer));
      this.child.once('exit', code => told(code === 0 ? 'passed' : 'failed'));
      this.child.once('error', () => told('failed'));
      this.child.send(job, error => error && told('failed'));
    });
  }

  /** Ends the worker and the processes that it started. */
  kill(): void {
    this.ended = true;
    process.off('exit', this.end);
    try {
      process.kill(-this.child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
