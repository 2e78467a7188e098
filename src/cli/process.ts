/** Runs the command line with the streams and signals of this process, and exits with its code. */
import type { Program, Terminal } from './command.ts';
import { main } from './command-line.ts';

/** Milliseconds that an interrupted command has to end by itself: a store survives any end. */
const GRACE_MS = 40;

/**
 * Runs a command of the program, multihop if missing, and ends the process with its exit code,
 * once its output is written.
 */
export async function runProcess(program?: Program): Promise<void> {
  const interrupt = new AbortController();
  // A closed pipe (`| head`) is no failure: further output is dropped.
  process.stdout.on('error', quietly);
  process.stderr.on('error', quietly);
  const code = await main(process.argv.slice(2), {
    program,
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    ...terminalOf(process),
    env: process.env,
    signal: interrupt.signal,
    graceMs: GRACE_MS,
    listen: () => listen(interrupt),
    // The clock begins with the process: what it takes to start counts towards limits.
    startedAt: 0,
  });
  // An open stdin would keep the process alive; pipes are written first.
  process.stdout.write('', () => process.exit(code));
}

/**
 * Aborts at the first interrupt; the second exits at once. Without a listener the system ends the
 * process at once, also while modules or indexes are loaded.
 */
function listen(interrupt: AbortController): void {
  const hear = (): void => {
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(new DOMException('Interrupted', 'AbortError'));
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    if (process.listenerCount(name) === 0) process.on(name, hear);
}

function terminalOf({ stdin, stdout }: NodeJS.Process): { readonly terminal?: Terminal } {
  return stdin.isTTY && stdout.isTTY ? { terminal: { input: stdin, output: stdout } } : {};
}

function quietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
