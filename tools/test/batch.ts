/**
 * The reporter of a batch of test files that run in one process: tells the parent when a file
 * begins, and at the end what was counted.
 */
import { type Counted, Tally, type TestEvent } from './reporter.ts';

export type BatchMessage = { readonly file: string } | { readonly counted: Counted };

export default async function* batch(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string, void> {
  const send = (message: BatchMessage): void => void process.send!(message);
  const tally = new Tally();
  const seen = new Set<string>();
  for await (const event of events) {
    tally.take(event);
    const { file } = event.data;
    if (file === undefined || seen.has(file)) continue;
    seen.add(file);
    send({ file });
  }
  send({ counted: tally.counted() });
  process.disconnect();
  if (!tally.good()) process.exitCode = 1;
  yield '';
}
