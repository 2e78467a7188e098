#!/usr/bin/env node
/**
 * The bin: gives the command line this process's streams and signals, and ends with its exit code.
 */
import { main } from './command-line.ts';

const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The first asks the command to end what it has begun; the second does not wait for that.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(new DOMException('Interrupted', 'AbortError'));
  });
}
// A reader that has seen enough (`| head`) is no failure: what would be written to it is dropped.
process.stdout.on('error', quietly);
process.stderr.on('error', quietly);

const code = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  signal: interrupt.signal,
});
// An open stdin would keep the process alive; pipes are written first.
process.stdout.write('', () => process.exit(code));

function quietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
