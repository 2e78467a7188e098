/**
 * Runs a batch of test files in this process; tells the parent when a file begins, and at the end
 * what was counted.
 */
import { createHook } from 'node:async_hooks';
import { run } from 'node:test';
import { type Counted, Tally, type TestEvent } from './reporter.ts';

export type BatchMessage = { readonly file: string } | { readonly counted: Counted };

const MOST_MS = 600_000;

/**
 * Has hooks follow no promises. The runner's hook follows them to learn which test an error that
 * nobody catches belongs to, in a quarter of the time of a test that awaits much. Without it such
 * an error may be one after its test, which fails the process all the same.
 */
function followNoPromises(): void {
  const { prototype } = createHook({}).constructor as unknown as { prototype: Hook };
  const { enable } = prototype;
  const [untracked] = Object.getOwnPropertySymbols(createHook({})).filter(
    ({ description }) => description === 'kNoPromiseHook',
  );
  prototype.enable = function () {
    if (untracked) this[untracked] = true;
    return enable.call(this);
  };
}
type Hook = { enable(): Hook; [flag: symbol]: boolean };

followNoPromises();
const send = (message: BatchMessage): void => void process.send!(message);
const tally = new Tally();
const seen = new Set<string>();
const files = process.argv.slice(2);
for await (const event of run({ files, isolation: 'none', timeout: MOST_MS })) {
  tally.take(event as TestEvent);
  const { file } = (event as TestEvent).data;
  if (file === undefined || seen.has(file)) continue;
  seen.add(file);
  send({ file });
}
send({ counted: tally.counted() });
process.disconnect();
if (!tally.good()) process.exitCode = 1;
