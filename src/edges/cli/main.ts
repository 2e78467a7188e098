#!/usr/bin/env node
/** Runs the command line with the streams and signals of this process, and exits with its code. */
import module from 'node:module';

// Compiled code is kept between runs, in the folder that Node chooses (NODE_COMPILE_CACHE), or not
// at all (NODE_DISABLE_COMPILE_CACHE): everything else is imported after this.
module.enableCompileCache?.();
const { main } = await import('./command-line.ts');

const interrupt = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The first interrupt asks the command to finish; the second exits at once.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(new DOMException('Interrupted', 'AbortError'));
  });
}
// A closed pipe (`| head`) is no failure: further output is dropped.
process.stdout.on('error', quietly);
process.stderr.on('error', quietly);

const code = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  signal: interrupt.signal,
  // The clock begins with the process: what it takes to start counts towards limits.
  startedAt: 0,
});
// An open stdin would keep the process alive; pipes are written first.
process.stdout.write('', () => process.exit(code));

function quietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
