/**
 * Precision@k: gold documents among the first k of the ranking, over k, as trec_eval's `P_k`
 * (https://github.com/usnistgov/trec_eval). Ranks that the ranking does not fill count as wrong.
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { cutOffParameter, foundGold, orderParameter, rankSettings } from '../ranked-gold.ts';

export const precisionAt: Member<Measure> = member({
  name: 'Precision@k',
  summary: 'Gold documents among the first k of the ranking, over k, however short the ranking is',
  parameters: [cutOffParameter(5), orderParameter('ranking')],
  create: (settings, canonical) => {
    const chosen = rankSettings(settings, canonical);
    return {
      name: canonical,
      summary: `Gold documents among the first ${chosen.k}, over ${chosen.k}`,
      unit: 'share',
      score: (example, trace) => {
        const counted = foundGold(example, trace, chosen);
        return counted && counted.found / chosen.k;
      },
    };
  },
});
