/** Words what a language model may cost before a question, and what it took after it. */
import { defined } from '../core/defined.ts';
import { addAmounts, type Budget } from '../core/trace/usage.ts';
import type { ModelSpending } from '../models/metered-model.ts';
import type { Cost } from '../run/cost-plan.ts';
import { costPlan } from '../run/cost-plan.ts';
import { modelPrice } from '../session/model-price.ts';
import type { CommandContext } from './command.ts';
import { PRICE_OPTION } from './model-options.ts';
import { duration } from './progress.ts';
import { grouped } from './run-text.ts';
import type { AskingMembers } from './unasked-model.ts';

/**
 * Says what a question may cost at most and usually; undefined without a model, and where none is
 * asked. `followUps`: for questions of a conversation.
 */
export function costAhead(
  { options }: Pick<CommandContext, 'options'>,
  { strategy, reader }: AskingMembers,
  { budget, followUps }: { readonly budget: Budget; readonly followUps: boolean },
): string | undefined {
  const model = options.text('model');
  if (model === undefined) return undefined;
  const price = modelPrice(options.get(PRICE_OPTION), [model]);
  const planned = { strategy, reader, model: true, price, budget };
  const { atMost } = costPlan({ ...planned, followUps });
  const { expected } = costPlan(planned);
  if (atMost.calls === 0) return undefined;
  const usual = expected === undefined ? '' : `; usually ${costWords(expected)}`;
  const most = `${costWords(atMost)}${followUps ? ' with the call of a follow-up' : ''}`;
  return `${model}: a question takes at most ${most}${usual} (without thoughts of the model).`;
}

function costWords({ calls, tokens, usd }: Cost): string {
  if (!Number.isFinite(calls + tokens)) return 'what its budget allows (--budget)';
  if (calls === 0) return 'no call';
  const count = Math.ceil(calls);
  const money = usd === undefined ? '' : ` and ${grouped(Math.ceil(usd * 1e4 - 1e-6) / 1e4)} USD`;
  return `${grouped(count)} ${count === 1 ? 'call' : 'calls'}, ${grouped(Math.ceil(tokens))} tokens${money}`;
}

/** Returns what was spent between two states of a meter; undefined if no call was made. */
export function spentSince(
  before: ModelSpending | undefined,
  after: ModelSpending | undefined,
): ModelSpending | undefined {
  if (after === undefined || after.calls === (before?.calls ?? 0)) return undefined;
  const less = (key: keyof ModelSpending): number => (after[key] ?? 0) - (before?.[key] ?? 0);
  return defined({
    calls: less('calls'),
    failed: less('failed'),
    input: less('input'),
    output: less('output'),
    reused: after.reused === undefined ? undefined : less('reused'),
    estimated: less('estimated'),
    ms: after.ms === undefined ? undefined : less('ms'),
    usd: after.usd === undefined ? undefined : addAmounts('usd', less('usd'), 0),
  });
}

/** Adds to the object of a run what the model took. */
export const withModel = (result: unknown, model: ModelSpending | undefined): object =>
  model === undefined ? (result as object) : { ...(result as object), model };

/** Says what the model read and wrote; its calls and its price stand in the line of the run. */
export function spentLine({ input, output, reused, estimated, ms = 0 }: ModelSpending): string {
  const known = reused === undefined ? '' : ` (${grouped(reused)} of them known from before)`;
  const about = estimated > 0 ? 'about ' : '';
  return `The model read ${about}${grouped(input)} tokens${known} and wrote ${grouped(output)}, in ${duration(ms)}`;
}
