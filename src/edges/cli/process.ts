/** Runs the command line with the streams and signals of this process, and exits with its code. */
import { main } from './command-line.ts';

/** Ends the process with the exit code of the command, once its output is written. */
export async function runProcess(): Promise<void> {
  const code = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    signal: interrupts(),
    // The clock begins with the process: what it takes to start counts towards limits.
    startedAt: 0,
  });
  // An open stdin would keep the process alive; pipes are written first.
  process.stdout.write('', () => process.exit(code));
}

/** Returns a signal that the first interrupt aborts; the second exits at once. */
function interrupts(): AbortSignal {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (interrupt.signal.aborted) process.exit(130);
      interrupt.abort(new DOMException('Interrupted', 'AbortError'));
    });
  // A closed pipe (`| head`) is no failure: further output is dropped.
  process.stdout.on('error', quietly);
  process.stderr.on('error', quietly);
  return interrupt.signal;
}

function quietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
