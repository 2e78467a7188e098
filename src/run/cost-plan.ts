/**
 * Plans the cost of a question before its run: calls, tokens and money, from the planned calls of
 * strategy and reader.
 */

import { defined } from '../core/defined.ts';
import { needOf } from '../core/port.ts';
import type { Budget, LimitName } from '../core/trace/usage.ts';
import type { PlannedCalls } from '../models/planned-calls.ts';
import { languageModel } from '../models/ports.ts';
import { type Price, usdOf } from '../models/price.ts';
import { plannedFollowUp } from '../planning/follow-ups/follow-up-prompt.ts';
import type { Reader } from '../readers/reader.ts';
import type { Strategy } from '../strategies/strategy.ts';

/** The cost of one question; infinite where nothing limits it. */
export interface Cost {
  readonly calls: number;
  /** Tokens of prompts and of completions together. */
  readonly tokens: number;
  /** US dollars; missing if the model has no price. */
  readonly usd?: number;
}

export interface PlannedPart {
  readonly part: 'strategy' | 'reader' | 'follow-up';
  readonly name: string;
  /** 'unknown' if it uses a model and plans no calls. */
  readonly calls: readonly PlannedCalls[] | 'unknown';
}

export interface CostPlan {
  readonly parts: readonly PlannedPart[];
  /**
   * Upper bound within the budget. Only a question of more than 500 characters, or a provider that
   * exceeds its request, can exceed it.
   */
  readonly atMost: Cost;
  /** Expected cost; missing if a part plans no calls. */
  readonly expected?: Cost;
  /** Limits of the budget below what the parts may use. */
  readonly limitedBy: readonly LimitName[];
}

export interface CostPlanOptions {
  readonly strategy: Pick<Strategy, 'name' | 'needs' | 'modelCalls'>;
  readonly reader: Pick<Reader, 'name' | 'needs' | 'modelCalls'>;
  /** True if the run has a model; parts with an optional need run without it otherwise. */
  readonly model: boolean;
  /** True for the questions of a conversation, which a model may have to write in full. */
  readonly followUps?: boolean | undefined;
  readonly price?: Price | undefined;
  readonly budget: Budget;
}

/** Plans the cost of one question, at most and expected, within the budget. */
export function costPlan({
  strategy,
  reader,
  model,
  followUps,
  price,
  budget,
}: CostPlanOptions): CostPlan {
  const rewriting = { part: 'follow-up', name: 'rewriting', calls: [plannedFollowUp()] } as const;
  const parts: PlannedPart[] = [
    ...(model && followUps ? [rewriting] : []),
    { part: 'strategy', name: strategy.name, calls: callsOf(strategy, model) },
    { part: 'reader', name: reader.name, calls: callsOf(reader, model) },
  ];
  const known = parts.every(({ calls }) => calls !== 'unknown');
  const calls = parts.flatMap(part => (part.calls === 'unknown' ? [] : part.calls));
  const whole = known ? costOf(calls.map(largest), price) : unbounded(price);
  const atMost = within(known ? mostOf(calls, price, budget.modelCalls) : whole, budget);
  return defined({
    parts,
    atMost,
    expected: known ? noMoreThan(costOf(calls.map(usual), price), atMost) : undefined,
    limitedBy: LIMITS.flatMap(([key, limit]) =>
      (atMost[key] ?? 0) < (whole[key] ?? 0) ? [limit] : [],
    ),
  });
}

interface Calls {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

/** Returns the upper bound of one role's calls. */
export const largest = ({ atMost, promptTokens, completionTokens }: PlannedCalls): Calls => ({
  calls: atMost,
  input: atMost * promptTokens,
  output: atMost * completionTokens,
});

/** Returns the expected calls of one role, never more than `atMost`. */
export function usual(planned: PlannedCalls): Calls {
  const { atMost, promptTokens, completionTokens, expected = {} } = planned;
  const calls = Math.min(atMost, expected.calls ?? atMost);
  return {
    calls,
    input: calls * Math.min(promptTokens, expected.promptTokens ?? promptTokens),
    output: calls * Math.min(completionTokens, expected.completionTokens ?? completionTokens),
  };
}

export function costOf(calls: readonly Calls[], price: Price | undefined): Cost {
  const sum = (pick: (of: Calls) => number): number =>
    calls.reduce((total, planned) => total + pick(planned), 0);
  const tokens = { input: sum(({ input }) => input), output: sum(({ output }) => output) };
  return {
    calls: sum(planned => planned.calls),
    tokens: tokens.input + tokens.output,
    ...moneyOf(tokens, price),
  };
}

/**
 * Returns the upper bound if the budget limits calls: counts the calls with the most tokens, or the
 * highest price, first.
 */
function mostOf(
  calls: readonly PlannedCalls[],
  price: Price | undefined,
  limit = Number.POSITIVE_INFINITY,
): Cost {
  const dearest = (weight: (planned: PlannedCalls) => number): Calls[] => {
    let left = limit;
    return [...calls]
      .sort((a, b) => weight(b) - weight(a))
      .map(planned => {
        const made = Math.min(planned.atMost, left);
        left -= made;
        return largest({ ...planned, atMost: made });
      });
  };
  const byTokens = costOf(
    dearest(({ promptTokens, completionTokens }) => promptTokens + completionTokens),
    price,
  );
  if (!price) return byTokens;
  const byMoney = dearest(planned =>
    usdOf(price, { input: planned.promptTokens, output: planned.completionTokens }),
  );
  return { ...byTokens, ...costOf(byMoney, price), tokens: byTokens.tokens };
}

/** Prices tokens; none cost nothing, even without a known price. */
function moneyOf(
  tokens: { readonly input: number; readonly output: number },
  price: Price | undefined,
): { readonly usd?: number } {
  if (price) return { usd: usdOf(price, tokens) };
  return tokens.input + tokens.output === 0 ? { usd: 0 } : {};
}

function callsOf(
  part: Pick<Strategy, 'needs' | 'modelCalls'>,
  model: boolean,
): readonly PlannedCalls[] | 'unknown' {
  const need = needOf(part, languageModel);
  return need && (model || !need.optional) ? (part.modelCalls ?? 'unknown') : [];
}

const LIMITS = [
  ['calls', 'modelCalls'],
  ['tokens', 'modelTokens'],
  ['usd', 'usd'],
] as const;

function within(cost: Cost, budget: Budget): Cost {
  const {
    modelCalls = Number.POSITIVE_INFINITY,
    modelTokens = Number.POSITIVE_INFINITY,
    usd = Number.POSITIVE_INFINITY,
  } = budget;
  return defined({
    calls: Math.min(cost.calls, modelCalls),
    tokens: Math.min(cost.tokens, modelTokens),
    usd: cost.usd === undefined ? undefined : Math.min(cost.usd, usd),
  });
}

const noMoreThan = (cost: Cost, most: Cost): Cost =>
  within(cost, defined({ modelCalls: most.calls, modelTokens: most.tokens, usd: most.usd }));

function unbounded(price: Price | undefined): Cost {
  const isFree = price?.input === 0 && price.output === 0;
  const usd = price && (isFree ? 0 : Number.POSITIVE_INFINITY);
  return defined({ calls: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY, usd });
}
