/**
 * Runs the tests: `main.ts` those that a change needs first, `main.ts rest` all others. Files
 * beside the source share a process by folder, since starting a process for each file takes longer
 * than its tests; those in folders of tests have a process each, since they start servers, fill
 * memory or change the process.
 */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BatchMessage } from './batch.ts';
import { Tally } from './reporter.ts';

/** Files in the first run; the rest has what these do not name. */
const FIRST = 'src/**/*.test.ts';
const ALL = [FIRST, 'test/**/*.test.ts', 'lab/**/*.test.ts'];

/** Largest number of files that share a process. */
const BATCH = 40;
const PROCESSES = 2;
const PROGRESS_MS = 2000;
const OUTPUT_CHARACTERS = 4000;
const PROGRAM = fileURLToPath(new URL('./batch.ts', import.meta.url));

/** Processes share compiled code in the folder that commands use, or each compiles all it loads. */
const ENV = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env };

/** Tests that mostly wait for servers, which a process more runs beside the others. */
const WAITING = /^test\/engines\//;

/** Returns the files of the first run, or of the rest, as batches that each get a process. */
function batchesOf(rest: boolean): string[][] {
  const first = new Set(globSync(FIRST));
  const files = rest ? globSync(ALL).filter(file => !first.has(file)) : [...first];
  const folders = Map.groupBy([...new Set(files)].sort(), file =>
    /^test\/|\/test\//.test(file) ? file : file.split('/').slice(0, 2).join('/'),
  );
  return [...folders.values()].flatMap(files =>
    Array.from({ length: Math.ceil(files.length / BATCH) }, (_, index) =>
      files.slice(index * BATCH, (index + 1) * BATCH),
    ),
  );
}

const { isTTY } = process.stderr;
const tell = (line: string): void =>
  void process.stderr.write(`${isTTY ? '\r\x1b[K' : ''}${line}\n`);

/** Runs files in one process; `began` is called as each of them begins. Resolves when it ended. */
function run(files: readonly string[], tally: Tally, began: () => void): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, ...files], {
    env: ENV,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  const missing = new Set(files.map(file => resolve(file)));
  // Tests that another file defines, as laws, name that file: then the count tells.
  let [output, last, ended, counted] = ['', files[0]!, false, 0];
  const keep = (text: Buffer): void => {
    output = (output + text.toString()).slice(-OUTPUT_CHARACTERS);
  };
  child.stdout!.on('data', keep);
  child.stderr!.on('data', keep);
  child.on('message', (message: BatchMessage) => {
    if ('counted' in message) {
      tally.add(message.counted);
      for (const failure of message.counted.failures) tell(`failed: ${failure.split('\n')[0]}`);
      ended = true;
      const { passed, failed, skipped } = message.counted;
      counted = passed + failed + skipped;
    } else if (missing.delete(message.file)) {
      last = message.file;
      began();
    }
  });
  return new Promise(done => {
    child.on('close', (code, signal) => {
      const how = signal ? `killed by ${signal}` : `exit code ${code}`;
      if (!ended) tally.fail(last, `This process ended before its tests did (${how}).\n${output}`);
      else if (counted === 0 || files.length > 1)
        for (const file of missing) tally.fail(file, 'This file holds no test.');
      for (const _ of missing) began();
      done();
    });
  });
}

const batches = batchesOf(process.argv[2] === 'rest');
const all = batches.flat().length;
const tally = new Tally();
const start = performance.now();
let begun = 0;
const progress = (): string =>
  `${begun} of ${all} files, ${Math.round((performance.now() - start) / 1000)} s, ${tally.line()}`;
const timer = setInterval(
  () => (isTTY ? process.stderr.write(`\r\x1b[K${progress()}`) : tell(progress())),
  isTTY ? PROGRESS_MS : 10 * PROGRESS_MS,
);

// The largest first, so that no process is left alone with many files at the end.
const [waiting, busy] = [true, false].map(waits =>
  batches.filter(([file]) => WAITING.test(file!) === waits).sort((a, b) => b.length - a.length),
);
const work = async (queue: string[][]): Promise<void> => {
  for (let files = queue.shift(); files; files = queue.shift())
    await run(files, tally, () => begun++);
};
await Promise.all([work(waiting!), ...Array.from({ length: PROCESSES }, () => work(busy!))]);
clearInterval(timer);
if (isTTY) process.stderr.write('\r\x1b[K');
process.stdout.write(tally.summary());
if (!tally.good()) process.exitCode = 1;
