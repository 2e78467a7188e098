/**
 * Counts the calls, tokens and cost of a language model that is used outside of a run, such as a
 * judge or the summary of an evaluation.
 */
import { defined } from '../core/defined.ts';
import { addUsage } from '../core/trace/usage.ts';
import { decorated, generateChecked } from './checked-completion.ts';
import type { LanguageModel } from './language-model.ts';
import { usageOf } from './reserved-model.ts';

export interface ModelSpending {
  /** Includes failed calls. */
  readonly calls: number;
  readonly failed: number;
  /** Tokens of prompts (`input`) and of completions (`output`). */
  readonly input: number;
  readonly output: number;
  /** Tokens of prompts that were computed before; missing if the provider reports none. */
  readonly reused?: number;
  /** Milliseconds of all calls together; missing without a clock. */
  readonly ms?: number;
  /** Calls whose tokens were estimated. */
  readonly estimated: number;
  /** Missing if the model has no price. */
  readonly usd?: number;
}

export interface MeteredModel extends LanguageModel {
  /** Totals since its creation; updated in place. */
  readonly spent: ModelSpending;
}

/**
 * Returns the same model with its spending counted, and its time by a clock of milliseconds. A
 * failed call counts as a call without tokens.
 */
export function meteredModel(model: LanguageModel, clock?: () => number): MeteredModel {
  const spent = defined<{ -readonly [K in keyof ModelSpending]: ModelSpending[K] }>({
    calls: 0,
    failed: 0,
    input: 0,
    output: 0,
    estimated: 0,
    usd: model.price ? 0 : undefined,
    ms: clock ? 0 : undefined,
  });
  const metered = decorated(model, async (...call) => {
    spent.calls++;
    const started = clock?.() ?? 0;
    try {
      const completion = await generateChecked(model, ...call);
      const { input, output, estimated, reused } = completion.usage;
      spent.input += input;
      spent.output += output;
      if (estimated) spent.estimated++;
      if (reused !== undefined) spent.reused = (spent.reused ?? 0) + reused;
      if (model.price)
        spent.usd = addUsage({ usd: spent.usd ?? 0 }, usageOf(completion.usage, model.price)).usd!;
      return completion;
    } catch (error) {
      spent.failed++;
      throw error;
    } finally {
      if (clock) spent.ms = (spent.ms ?? 0) + clock() - started;
    }
  });
  return { ...metered, spent };
}
