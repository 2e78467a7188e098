// Preloaded into the processes and threads that a test starts: writes, at their end, the numbers of
// the mutants whose code ran.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';

process.on('exit', () => {
  const { static: loading = {}, perTest = {} } = globalThis.__stryker__?.mutantCoverage ?? {};
  const ran = [loading, ...Object.values(perTest)].flatMap(Object.keys);
  if (ran.length === 0) return;
  const name = `${process.pid}-${threadId}.json`;
  writeFileSync(join(process.env.MULTIHOP_CHILD_COVERAGE, name), JSON.stringify(ran));
});
