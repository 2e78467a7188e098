/** Asks a row every question, and a judge every answer that it has not judged before. */

import { defined } from '../core/defined.ts';
import { PortError } from '../core/errors.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Trace } from '../core/trace/trace.ts';
import { emptyTrace } from './empty-trace.ts';
import type { EvaluateOptions, Failure, Progress } from './evaluate-options.ts';
import type { Row } from './evaluation-result.ts';
import type { Example, Verdict } from './example.ts';
import { inOrder } from './in-order.ts';
import type { Judge } from './judge.ts';
import { unjudged } from './judging.ts';

export interface Asked {
  readonly trace: Trace;
  readonly failed: boolean;
}

/**
 * Asks a row every question, `parallel` of them side by side, and returns what `keep` makes of each
 * trace, in the order of the questions. Questions that failed without a trace are kept last, since
 * their empty traces follow the shape of one that did not fail.
 */
export async function* askAll<T>(
  row: Row,
  options: EvaluateOptions,
  progress: { done: number; total: number; failed: number },
  keep: (example: Example, asked: Asked) => T,
): AsyncGenerator<Progress, T[], void> {
  const kept = new Map<number, T>();
  let sibling: Trace | undefined;
  const { examples, parallel = 1, signal } = options;
  const runs = inOrder(examples, parallel, async example => {
    signal?.throwIfAborted();
    return askOne(row, example, options);
  });
  for await (const { item: example, index, result } of runs) {
    const { trace, failure } = result;
    if (!failure) sibling ??= trace;
    const scored = failure && trace ? unanswered(trace, sibling) : trace;
    if (scored) kept.set(index, keep(example, { trace: scored, failed: failure !== undefined }));
    progress.done++;
    if (failure) progress.failed++;
    yield defined<Progress>({ row: row.id, ...progress, failure });
  }
  return examples.map(
    (example, index) =>
      kept.get(index) ??
      keep(example, { trace: emptyTrace(example.question, row, sibling), failed: true }),
  );
}

/** A run; one that failed has a cause, and a trace only if it got as far as one. */
interface Ran {
  readonly trace?: Trace;
  readonly failure?: Failure;
}

/**
 * Returns the run of a question, failed by an error or by a trace that a failing port ended: half a
 * run must not score on a null question.
 */
async function askOne(row: Row, example: Example, { ask, signal }: EvaluateOptions): Promise<Ran> {
  try {
    const trace = await ask(row, example);
    const { stopped } = trace;
    if (stopped?.by === 'abort') signal?.throwIfAborted();
    return stopped?.by === 'failure'
      ? { trace, failure: { question: example.id, ...stopped } }
      : { trace };
  } catch (error) {
    if (!PortError.is(error)) throw error;
    const { port, code, message, hint, remedy } = error;
    return { failure: defined({ question: example.id, port, code, message, hint, remedy }) };
  }
}

/**
 * Returns the trace with what its search found and an empty answer, which is never right, also
 * where the right answer is an abstention.
 */
const unanswered = (trace: Trace, sibling: Trace | undefined): Trace => ({
  ...trace,
  answer: {
    kind: sibling?.answer.kind === 'evidence' ? 'evidence' : 'answered',
    text: '',
    citations: [],
  },
});

interface Judging {
  readonly progress: { done: number; total: number; failed: number };
  readonly verdicts: Verdict[];
  /** Questions and answers that were judged. */
  readonly judged: Set<string>;
}

/**
 * Judges every answer of a row that was not judged for an earlier row, `judgedAtOnce` of them side
 * by side.
 */
export async function* judgeAll(
  row: Row,
  asked: readonly Asked[],
  judge: Judge,
  { examples, signal, judgedAtOnce = 1 }: EvaluateOptions,
  { progress, verdicts, judged }: Judging,
): AsyncGenerator<Progress, void, void> {
  const answers = examples.map((example, index) => ({
    example,
    answer: unjudged(example, asked[index]!.trace, judged),
  }));
  const all = inOrder(answers, judgedAtOnce, async ({ example, answer }) => {
    signal?.throwIfAborted();
    return answer === undefined ? [] : [await judge.verdict(example, answer, freeCall(signal))];
  });
  for await (const { result } of all) {
    verdicts.push(...result);
    progress.done++;
    yield { row: row.id, ...progress };
  }
}
