/** Asks a row every question, and a judge every answer that it has not judged before. */
import { PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Trace } from '../core/trace/trace.ts';
import { emptyTrace } from './empty-trace.ts';
import type { EvaluateOptions, Progress } from './evaluate-options.ts';
import type { Row } from './evaluation-result.ts';
import type { Example, Verdict } from './example.ts';
import type { Judge } from './judge.ts';
import { unjudged } from './judging.ts';

export interface Asked {
  readonly trace: Trace;
  readonly failed: boolean;
}

/**
 * Asks a row every question and returns what `keep` makes of each trace. Failed questions are kept
 * last, since their empty traces follow the shape of one that did not fail.
 */
export async function* askAll<T>(
  row: Row,
  options: EvaluateOptions,
  progress: { done: number; total: number; failed: number },
  keep: (example: Example, asked: Asked) => T,
): AsyncGenerator<Progress, T[], void> {
  const kept = new Map<number, T>();
  let sibling: Trace | undefined;
  for (const [index, example] of options.examples.entries()) {
    options.signal?.throwIfAborted();
    const trace = await askOne(row, example, options);
    sibling ??= trace;
    if (trace) kept.set(index, keep(example, { trace, failed: false }));
    progress.done++;
    if (!trace) progress.failed++;
    yield { row: row.id, ...progress };
  }
  return options.examples.map(
    (example, index) =>
      kept.get(index) ??
      keep(example, { trace: emptyTrace(example.question, row, sibling), failed: true }),
  );
}

/**
 * Returns undefined if the run failed, by an error or by a trace that a failing port ended: half a
 * run must not score on a null question.
 */
async function askOne(
  row: Row,
  example: Example,
  { ask, signal }: EvaluateOptions,
): Promise<Trace | undefined> {
  try {
    const trace = await ask(row, example);
    if (trace.stopped?.by === 'abort') signal?.throwIfAborted();
    return trace.stopped?.by === 'failure' ? undefined : trace;
  } catch (error) {
    if (PortError.is(error)) return undefined;
    throw error;
  }
}

interface Judging {
  readonly progress: { done: number; total: number; failed: number };
  readonly verdicts: Verdict[];
  /** Questions and answers that were judged. */
  readonly judged: Set<string>;
}

/** Judges every answer of a row that was not judged for an earlier row. */
export async function* judgeAll(
  row: Row,
  asked: readonly Asked[],
  judge: Judge,
  { examples, signal }: EvaluateOptions,
  { progress, verdicts, judged }: Judging,
): AsyncGenerator<Progress, void, void> {
  for (const [index, example] of examples.entries()) {
    signal?.throwIfAborted();
    const answer = unjudged(example, asked[index]!.trace, judged);
    if (answer !== undefined) verdicts.push(await judge.verdict(example, answer, freeCall(signal)));
    progress.done++;
    yield { row: row.id, ...progress };
  }
}
