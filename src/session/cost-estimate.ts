/** Estimates what runs may ask of their models, and what that costs, without asking anything. */

import { defined } from '../core/defined.ts';
import { addAmounts, type Budget } from '../core/trace/usage.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import type { Price } from '../models/price.ts';
import type { Reader } from '../readers/reader.ts';
import { type Cost, type CostPlan, costOf, costPlan, largest, usual } from '../run/cost-plan.ts';
import type { Strategy } from '../strategies/strategy.ts';

export interface EstimatedRow {
  readonly id: string;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly budget: Budget;
  /** True for the questions of a conversation. */
  readonly followUps?: boolean | undefined;
}

export interface EstimateOptions {
  readonly rows: readonly EstimatedRow[];
  /** Number of questions that each row asks. */
  readonly questions: number;
  /** Name of the model, as the user gave it. */
  readonly model: string | undefined;
  readonly price: Price | undefined;
  /** Limits over all rows and the judge. */
  readonly total: Budget;
  /** The judge of each row's answer to each question, and its calls. */
  readonly judging?: {
    readonly name: string;
    readonly price: Price | undefined;
    readonly calls: PlannedCalls;
  };
}

/** Costs of all questions. */
export interface Totals {
  readonly id: string;
  readonly atMost: Cost;
  /** Undefined if a part does not declare its calls. */
  readonly expected?: Cost;
}

export interface RowEstimate extends Totals {
  /** Costs of one question. */
  readonly plan: CostPlan;
}

export interface CostEstimate extends Omit<Totals, 'id'> {
  readonly rows: readonly RowEstimate[];
  readonly judge?: Totals;
}

/** Adds up the calls that strategies, readers and the judge declare, within the budgets. */
export function estimateCost(options: EstimateOptions): CostEstimate {
  const rows = options.rows.map(row => estimateRow(row, options));
  const judge = judgeTotals(options);
  const parts: Totals[] = judge ? [...rows, judge] : rows;
  const known = parts.flatMap(({ expected }) => (expected ? [expected] : []));
  const { total } = options;
  return defined({
    rows,
    judge: judge || undefined,
    atMost: within(sum(parts.map(({ atMost }) => atMost)), total),
    expected: known.length === parts.length ? within(sum(known), total) : undefined,
  });
}

/** Returns the object that `--dry-run --json` prints. */
export function estimateResult(
  { rows, judge, atMost, expected }: CostEstimate,
  { model, price, questions }: EstimateOptions,
): object {
  return defined({
    model,
    price,
    questions,
    rows: rows.map(rowResult),
    judge: judge || undefined,
    atMost,
    expected: expected || undefined,
  });
}

function estimateRow(row: EstimatedRow, { model, price, questions }: EstimateOptions): RowEstimate {
  // A price without a name stands for a model too.
  const plan = costPlan({ ...row, model: model !== undefined || price !== undefined, price });
  const { atMost, expected } = plan;
  return defined({
    id: row.id,
    plan,
    atMost: times(atMost, questions),
    expected: expected ? times(expected, questions) : undefined,
  });
}

function judgeTotals({ judging, questions, rows }: EstimateOptions): Totals | undefined {
  if (!judging) return undefined;
  const answers = questions * rows.length;
  const cost = (calls: Parameters<typeof costOf>[0][number]): Cost =>
    times(costOf([calls], judging.price), answers);
  return {
    id: `judge ${judging.name}`,
    atMost: cost(largest(judging.calls)),
    expected: cost(usual(judging.calls)),
  };
}

const rowResult = ({ id, plan, atMost, expected }: RowEstimate): object =>
  defined({
    id,
    parts: plan.parts,
    question: defined({
      atMost: plan.atMost,
      expected: plan.expected || undefined,
      limitedBy: plan.limitedBy,
    }),
    atMost,
    expected: expected || undefined,
  });

function times({ calls, tokens, usd }: Cost, questions: number): Cost {
  return defined({
    calls: calls * questions,
    tokens: tokens * questions,
    usd: usd === undefined ? undefined : addAmounts('usd', usd * questions, 0),
  });
}

function sum(costs: readonly Cost[]): Cost {
  return costs.reduce((a, b) =>
    defined({
      calls: a.calls + b.calls,
      tokens: a.tokens + b.tokens,
      usd: a.usd === undefined || b.usd === undefined ? undefined : addAmounts('usd', a.usd, b.usd),
    }),
  );
}

function within({ calls, tokens, usd }: Cost, total: Budget): Cost {
  const most = (limit: number | undefined, value: number): number =>
    Math.min(value, limit ?? Number.POSITIVE_INFINITY);
  return defined({
    calls: most(total.modelCalls, calls),
    tokens: most(total.modelTokens, tokens),
    usd: usd === undefined ? undefined : most(total.usd, usd),
  });
}
