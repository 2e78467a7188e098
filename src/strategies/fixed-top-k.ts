/**
 * `fixed-top-k(k=2)`: one search, its first k hits.
 *
 * Paper: baseline of the budgeted-agent paper (k = 2); over `dense(MODEL)` it is Direct-R@k, the
 * baseline of TreeHop (arXiv 2504.20114). Model calls: 0. Stops after one search.
 */

import { Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import { searchAll } from '../search/retriever.ts';
import { HopDraft } from './hop-draft.ts';
import { BY_FIRST_SEARCH, evidenceFirst, SEARCH_DEPTH, type Strategy } from './strategy.ts';
import { completed } from './usual-settings.ts';

export const fixedTopK: Member<Strategy> = member({
  name: 'fixed-top-k',
  summary: 'One search with the question as it stands; the first k hits are the evidence',
  paper: 'baseline of the budgeted-agent paper; over dense(MODEL) the Direct-R@k of TreeHop',
  cost: '1 search, 0 model calls',
  parameters: completed([
    { name: 'k', type: 'integer', default: 2, max: 10_000, summary: 'hits kept' },
  ]),
  create(settings, name) {
    const k = settings.k;
    return {
      name,
      async *hops(question, kit, call) {
        const depth = Math.max(k, SEARCH_DEPTH);
        const searches = await searchAll(kit.retriever, [{ text: question.text }], depth, call);
        const selection = new Selection(kit.context, call);
        const hop = new HopDraft(selection, 0, searches);
        let taken = 0;
        for (const hit of searches[0]!.hits) {
          if (taken === k) break;
          if ((await hop.keep(hit)) || selection.refusal.why !== 'duplicate') taken++;
        }
        yield hop.closed();
        return { why: 'completed' };
      },
      ranking: hops => evidenceFirst(hops),
      diagnostic: BY_FIRST_SEARCH,
    };
  },
});
