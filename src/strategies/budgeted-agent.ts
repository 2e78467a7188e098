/**
 * `budgeted-agent`: plans clauses, searches each, filters, and counts context tokens. Paper: Su,
 * Chen and Zhao, Budgeted Multi-Hop Retrieval Agent for Compositional Question Answering. Model
 * calls: 0. Stops when the plan or its calls are used up. It searches even if the token budget is
 * full, as the published number of rounds implies.
 */

import { Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import type { Ranking } from '../core/ranking/ranking.ts';
import { PLAN_PARAMETERS, planners } from '../planning/planners.ts';
import { sourceNames } from '../planning/sources.ts';
import { searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { BY_CONSIDERED, evidenceFirst, SEARCH_DEPTH, type Strategy } from './strategy.ts';
import { completed } from './usual-settings.ts';

interface Limits {
  readonly tokens: number;
  readonly calls: number;
  readonly documents: number;
  readonly 'per-call': number;
  readonly depth: number;
  readonly 'weak-ratio': number;
}

export const budgetedAgent: Member<Strategy> = member({
  name: 'budgeted-agent',
  summary:
    'Clauses one after another, two new documents each, under a token budget, a call limit and a document cap',
  paper: 'Su, Chen and Zhao, Budgeted Multi-Hop Retrieval Agent',
  cost: 'one search a call (2.9 on MultiHop-RAG), 0 model calls, about 510 context tokens',
  parameters: completed([
    {
      name: 'tokens',
      type: 'integer',
      min: 98,
      shown: true,
      summary: 'context tokens (98 = the smallest snippet of the paper)',
    },
    {
      name: 'calls',
      type: 'integer',
      default: 4,
      min: 1,
      max: 50,
      shown: true,
      summary: 'searches, at most',
    },
    ...PLAN_PARAMETERS,
    { name: 'documents', type: 'integer' },
    {
      name: 'per-call',
      type: 'integer',
      default: 2,
      min: 1,
      max: 1000,
      summary: 'new candidates a call',
    },
    {
      name: 'depth',
      type: 'integer',
      default: 20,
      min: 1,
      max: 1000,
      summary: 'unseen candidates considered in a call',
    },
    {
      name: 'weak-ratio',
      type: 'number',
      default: 0,
      min: 0,
      max: 1,
      summary:
        'once there is evidence, refuse candidates below this share of the call’s best score (0: off)',
    },
  ]),
  create(limits, name) {
    const planner = planners.create(limits.planner);
    return {
      name,
      async *hops(question, kit, call) {
        const selection = new Selection(kit.context, call);
        const plan = planner.plan(
          question.text,
          limits.queries,
          await sourceNames(kit.engine, call),
        );
        for (const [hop, planned] of plan.slice(0, limits.calls).entries()) {
          const depth = SEARCH_DEPTH + limits.documents;
          const searches = await searchAll(kit.retriever, [planned], depth, call);
          const draft = new HopDraft(selection, hop, searches);
          await filter(searches[0]!.hits, draft, selection, limits);
          yield draft.closed({ reason: planned.text });
        }
        return { why: plan.length > limits.calls ? 'completed' : 'sufficient' };
      },
      ranking: hops => evidenceFirst(hops),
      diagnostic: BY_CONSIDERED,
    };
  },
});

/** Runs the FILTER state: admits candidates, and refuses the others. */
async function filter(
  hits: Ranking,
  draft: HopDraft,
  selection: Selection,
  limits: Limits,
): Promise<void> {
  for (const { id } of hits) if (selection.has(id)) draft.refuse(id, { why: 'seen' });
  const candidates = hits.filter(hit => !selection.has(hit.id)).slice(0, limits.depth);
  const weakBelow = (candidates[0]?.score ?? 0) * limits['weak-ratio'];
  for (const hit of candidates.slice(0, limits['per-call'])) {
    const { id, score } = hit;
    if (selection.all.length > 0 && score < weakBelow) {
      draft.refuse(id, { why: 'weak', detail: `${score} < ${weakBelow}` });
      break;
    }
    if (selection.all.length >= limits.documents) {
      draft.refuse(id, { why: 'cap' });
      continue;
    }
    const price = await selection.price(draft.itemOf(hit));
    const left = limits.tokens - selection.tokens;
    if (price > left) draft.refuse(id, { why: 'budget', detail: `${price} tokens, ${left} left` });
    else if (!(await selection.keep(draft.itemOf(hit), price))) {
      const { why, detail = 'the budget of the run' } = selection.refusal;
      draft.refuse(id, { why, detail });
    }
  }
}
