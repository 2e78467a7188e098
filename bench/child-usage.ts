/** CPU time and the largest resident size of a whole Node process. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command. */
export const command: string = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

/** Prints CPU milliseconds of all threads and the largest resident size in MB at the end. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); console.error('\\nused', (userCPUTime + systemCPUTime) / 1000, maxRSS / 1024); });",
)}`;

export interface Used {
  /** CPU milliseconds. */
  readonly cpu: number;
  /** Largest resident size in MB. */
  readonly memory: number;
  /** Milliseconds from start to end. */
  readonly wall: number;
}

/** Makes a process work as on a machine of one core. */
const ONE_CORE = `data:text/javascript,${encodeURIComponent(
  "import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'; os.availableParallelism = () => 1; syncBuiltinESMExports();",
)}`;

/** Runs `node WORDS` to its end. Throws if it fails. */
export function used(words: readonly string[], isOneCore = false): Used {
  const started = performance.now();
  const imports = isOneCore ? [REPORT, ONE_CORE] : [REPORT];
  const options = imports.flatMap(each => ['--import', each]);
  const done = spawnSync(process.execPath, [...options, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const said = /^used (\S+) (\S+)$/m.exec(done.stderr);
  if (done.status !== 0 || !said) throw new Error(`${words.join(' ')} failed: ${done.stderr}`);
  return { cpu: Number(said[1]), memory: Number(said[2]), wall: performance.now() - started };
}
