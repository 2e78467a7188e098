/** Prints the result of `multihop eval`, and what it spent on its language models. */
import { textReport } from '../evaluation/report/text-report.ts';
import type { EvaluationRun } from '../experiments/evaluation-run.ts';
import type { DecoratedModel } from '../session/decorated-model.ts';
import type { TotalBudget } from '../session/total-budget.ts';
import { limitOption } from './budget.ts';
import { type GateFailure, printFailures } from './gate.ts';
import type { Output } from './output.ts';
import { usageWords } from './run-text.ts';

/**
 * Prints the report of an evaluation, or its object for `--json`, and what its gate found. Returns
 * the number of runs that failed.
 */
export function printEvaluation(
  { result }: EvaluationRun,
  output: Output,
  gate?: readonly GateFailure[],
): number {
  const failed = result.rows.reduce((sum, row) => sum + row.failed, 0);
  if (failed > 0)
    output.warn(
      `${failed} of ${result.rows.length * result.questions} runs failed: their answers count as empty, their evidence as far as it was found`,
    );
  if (output.json) output.object({ ...printed(result), gate });
  else output.line(textReport(result).trimEnd());
  printFailures(gate ?? [], output);
  return failed;
}

/** Returns the documented keys alone; the manifest gets the sizes of groups and the failed runs. */
function printed({
  dataset,
  questions,
  groups,
  rows,
  pairs,
  controls,
  costs,
  manifest,
}: EvaluationRun['result']): object {
  const failed = Object.fromEntries(rows.map(row => [row.id, row.failed]));
  return {
    dataset,
    questions,
    rows: rows.map(({ failed: _, ...row }) => row),
    pairs,
    controls,
    costs,
    manifest: { ...manifest, groups, failed },
  };
}

/** The models that an evaluation asked. */
export interface AskedModels {
  readonly answering: DecoratedModel | undefined;
  readonly judging: DecoratedModel | undefined;
}

/**
 * Returns the exit code: 1 if runs failed, unless they are to be passed over, or if a replay lacked
 * prompts, since it does not repeat the recorded run; 3 if the total budget was reached.
 */
export function printSpending(
  { answering, judging }: AskedModels,
  { reached }: TotalBudget,
  output: Output,
  failed: boolean,
): number {
  if (answering && answering.spent.calls > 0)
    output.note(`The language model: ${spendingWords(answering)}`);
  if (judging) output.note(`The judge ${judging.model.id}: ${spendingWords(judging)}`);
  if (reached) {
    const limit = limitOption(reached);
    output.warn(
      `The total budget was reached (${limit}): later questions were answered without the model, or not at all, and not judged`,
    );
  }
  const misses = (answering?.misses ?? 0) + (judging?.misses ?? 0);
  if (misses > 0)
    output.error(
      `${misses} prompts are not on the cassette: record them with --model NAME beside --cassette FILE (--judge beside --judge-cassette)`,
    );
  return misses > 0 || failed ? 1 : reached ? 3 : 0;
}

/** `4 model calls, 120 model tokens, 0.156 USD`. */
function spendingWords({ spent: { calls, input, output, usd } }: DecoratedModel): string {
  return usageWords({ modelCalls: calls, modelTokens: input + output, usd }).join(', ');
}
