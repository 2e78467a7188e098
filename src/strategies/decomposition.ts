/**
 * `decomposition`: searches the question and each clause, and takes a new document from each
 * search. Paper: query decomposition in the budgeted-agent paper (up to 5 queries, 6 documents).
 * Model calls: 0. Stops when the plan is used up. If the best document of a search is evidence
 * already, the next best is taken.
 */

import { Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import { PLAN_PARAMETERS, planners } from '../planning/planners.ts';
import { sourceNames } from '../planning/sources.ts';
import { searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { BY_CONSIDERED, evidenceFirst, SEARCH_DEPTH, type Strategy } from './strategy.ts';
import { completed } from './usual-settings.ts';

export const decomposition: Member<Strategy> = member({
  name: 'decomposition',
  summary: 'The question and its clauses, one search each, the best new document of each',
  paper: 'Su, Chen and Zhao, Budgeted Multi-Hop Retrieval Agent, query decomposition',
  cost: 'one search a clause (3.0 on MultiHop-RAG), 0 model calls',
  parameters: completed([...PLAN_PARAMETERS, { name: 'documents', type: 'integer' }]),
  create(settings, name) {
    const planner = planners.create(settings.planner);
    const { queries, documents } = settings;
    return {
      name,
      async *hops(question, kit, call) {
        const selection = new Selection(kit.context, call);
        const plan = planner.plan(question.text, queries, await sourceNames(kit.engine, call));
        for (const [hop, planned] of plan.entries()) {
          const searches = await searchAll(kit.retriever, [planned], SEARCH_DEPTH, call);
          const draft = new HopDraft(selection, hop, searches);
          for (const hit of searches[0]!.hits) {
            if (selection.has(hit.id)) {
              draft.refuse(hit.id, { why: 'seen' });
              continue;
            }
            if (selection.all.length >= documents) draft.refuse(hit.id, { why: 'cap' });
            else if (!(await draft.keep(hit)) && selection.refusal.why === 'duplicate') continue;
            break;
          }
          yield draft.closed({ reason: planned.text });
        }
        return { why: 'completed' };
      },
      ranking: hops => evidenceFirst(hops),
      diagnostic: BY_CONSIDERED,
    };
  },
});
