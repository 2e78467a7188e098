/** Runs one program in the copy, with a limit of time. */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Ran {
  readonly outcome: 'passed' | 'failed' | 'timeout';
  readonly ms: number;
  /** Standard output; empty unless it was asked for. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly read?: boolean;
}

/** Modules that no mutant changes are compiled once. */
const CACHED = { NODE_COMPILE_CACHE: join(tmpdir(), 'multihop-mutate-compiled') };

/** Runs Node with `args`. Ends it with all of its children at the limit. */
export function runNode(args: readonly string[], options: RunOptions): Promise<Ran> {
  const { cwd, limitMs, env = {}, read = false } = options;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd,
      detached: true,
      env: { ...process.env, ...CACHED, ...env },
      stdio: ['ignore', read ? 'pipe' : 'ignore', 'ignore'],
    });
    let [late, output] = [false, ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      end();
    }, limitMs);
    process.once('exit', end);
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(timer);
      process.off('exit', end);
      const outcome = late ? 'timeout' : code === 0 ? 'passed' : 'failed';
      resolve({ outcome, ms: performance.now() - started, output });
    });
  });
}
