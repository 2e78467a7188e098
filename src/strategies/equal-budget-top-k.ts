/**
 * `equal-budget-top-k(tokens=620)`: one search, as many of its first hits as fit into a token
 * budget.
 *
 * Ours: the control that the budgeted-agent paper lacks, plain top-k at the cost of the agent.
 * Model calls: 0. Stops at the first hit that does not fit, so that the evidence is a prefix of the
 * ranking.
 */
import { type Refusal, Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import type { Rejection } from '../core/trace/trace.ts';
import { keptFrom, searchAll } from '../search/retriever.ts';
import { evidenceFirst, FIRST_SEARCH, SEARCH_DEPTH, type Strategy } from './strategy.ts';
import * as usual from './usual-settings.ts';

export const equalBudgetTopK: Member<Strategy> = member({
  name: 'equal-budget-top-k',
  summary: 'Control: one search, as many of the first hits as fit into the token budget',
  paper: 'ours: the control that the budgeted-agent paper lacks',
  cost: '1 search, 0 model calls',
  parameters: [
    usual.tokens('context tokens (word runs)', { shown: true }),
    {
      name: 'depth',
      type: 'integer',
      default: 100,
      min: 1,
      max: 10_000,
      summary: 'hits considered, at most',
    },
  ],
  create({ tokens, depth }, name) {
    return {
      name,
      async *hops(question, kit, call) {
        const searches = await searchAll(
          kit.retriever,
          [{ text: question.text }],
          Math.max(depth, SEARCH_DEPTH),
          call,
        );
        const selection = new Selection(kit.context, call);
        const rejected: Rejection[] = [];
        for (const hit of searches[0]!.hits.slice(0, depth)) {
          const item = keptFrom(searches[0]!, FIRST_SEARCH, hit);
          const price = await selection.price(item);
          const room = selection.tokens + price <= tokens;
          if (room && (await selection.keep(item, price))) continue;
          const detail = room
            ? 'the budget of the run'
            : `${price} tokens, ${tokens - selection.tokens} left`;
          const refusal: Refusal = room ? selection.refusal : { why: 'budget' };
          rejected.push({ id: hit.id, search: FIRST_SEARCH, detail, ...refusal });
          if (refusal.why !== 'duplicate') break;
        }
        yield { searches, kept: [...selection.all], rejected };
        return { why: 'completed' };
      },
      ranking: hops => evidenceFirst(hops),
    };
  },
});
