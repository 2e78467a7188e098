/**
 * `equal-budget-top-k`: searches once and keeps as many of the first hits as fit into a token
 * budget: the control that the budgeted-agent paper lacks. Model calls: 0. Stops at the first hit
 * that does not fit, so that the evidence is a prefix of the ranking.
 */

import { type Refusal, Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import { searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { evidenceFirst, SEARCH_DEPTH, type Strategy } from './strategy.ts';
import { completed } from './usual-settings.ts';

export const equalBudgetTopK: Member<Strategy> = member({
  name: 'equal-budget-top-k',
  summary: 'Control: one search, as many of the first hits as fit into the token budget',
  paper: 'ours: the control that the budgeted-agent paper lacks',
  cost: '1 search, 0 model calls',
  parameters: completed([
    { name: 'tokens', type: 'integer', shown: true, summary: 'context tokens (word runs)' },
    {
      name: 'depth',
      type: 'integer',
      default: 100,
      min: 1,
      max: 10_000,
      summary: 'hits considered, at most',
    },
  ]),
  create({ tokens, depth }, name) {
    return {
      name,
      async *hops(question, kit, call) {
        const deep = Math.max(depth, SEARCH_DEPTH);
        const searches = await searchAll(kit.retriever, [{ text: question.text }], deep, call);
        const selection = new Selection(kit.context, call);
        const hop = new HopDraft(selection, 0, searches);
        for (const hit of searches[0]!.hits.slice(0, depth)) {
          const item = hop.itemOf(hit);
          const price = await selection.price(item);
          const room = selection.tokens + price <= tokens;
          if (room && (await selection.keep(item, price))) continue;
          const detail = room
            ? 'the budget of the run'
            : `${price} tokens, ${tokens - selection.tokens} left`;
          const refusal: Refusal = room ? selection.refusal : { why: 'budget' };
          hop.refuse(hit.id, { detail, ...refusal });
          if (refusal.why !== 'duplicate') break;
        }
        yield hop.closed();
        return { why: 'completed' };
      },
      ranking: hops => evidenceFirst(hops),
    };
  },
});
