/**
 * `fixed-top-k(k=2)`: one search, its first k hits.
 *
 * Paper: baseline of the budgeted-agent paper (k = 2); over `dense(MODEL)` it is Direct-R@k, the
 * baseline of TreeHop (arXiv 2504.20114). Model calls: 0. Stops after one search.
 */
import { Selection } from '../context/selection.ts';
import { type Member, member } from '../core/naming/family.ts';
import type { Rejection } from '../core/trace/trace.ts';
import { keptFrom, searchAll } from '../search/retriever.ts';
import {
  BY_FIRST_SEARCH,
  evidenceFirst,
  FIRST_SEARCH,
  SEARCH_DEPTH,
  type Strategy,
} from './strategy.ts';
import * as usual from './usual-settings.ts';

export const fixedTopK: Member<Strategy> = member({
  name: 'fixed-top-k',
  summary: 'One search with the question as it stands; the first k hits are the evidence',
  paper: 'baseline of the budgeted-agent paper; over dense(MODEL) the Direct-R@k of TreeHop',
  cost: '1 search, 0 model calls',
  parameters: [usual.topK('hits kept', { default: 2, max: 10_000 })],
  create(settings, name) {
    const k = settings.k;
    return {
      name,
      async *hops(question, kit, call) {
        const searches = await searchAll(
          kit.retriever,
          [{ text: question.text }],
          Math.max(k, SEARCH_DEPTH),
          call,
        );
        const selection = new Selection(kit.context, call);
        const rejected: Rejection[] = [];
        let taken = 0;
        for (const hit of searches[0]!.hits) {
          if (taken === k) break;
          const isKept = await selection.keep(keptFrom(searches[0]!, FIRST_SEARCH, hit));
          const { refusal } = selection;
          if (!isKept) rejected.push({ id: hit.id, search: FIRST_SEARCH, ...refusal });
          if (isKept || refusal.why !== 'duplicate') taken++;
        }
        yield { searches, kept: [...selection.all], rejected };
        return { why: 'completed' };
      },
      ranking: hops => evidenceFirst(hops),
      diagnostic: BY_FIRST_SEARCH,
    };
  },
});
