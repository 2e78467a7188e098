/**
 * AllRecall@k: 1 if every gold document, or every gold fact, is among the first k of the ranking.
 * A question with more than k gold units cannot reach 1.
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import {
  cutOffParameter,
  foundGold,
  orderParameter,
  rankSettings,
  unitParameter,
} from '../ranked-gold.ts';

export const allRecallAt: Member<Measure> = member({
  name: 'AllRecall@k',
  summary:
    'Share of questions whose gold documents, or gold facts, are all among the first k of the ranking',
  parameters: [cutOffParameter(10, 'the unit'), unitParameter, orderParameter('ranking')],
  create: (settings, canonical) => {
    const chosen = rankSettings(settings, canonical);
    return {
      name: canonical,
      summary: `All gold ${chosen.unit === 'passage' ? 'facts' : 'documents'} among the first ${chosen.k}`,
      unit: 'share',
      score: (example, trace) => {
        const counted = foundGold(example, trace, chosen);
        return counted && Number(counted.found === counted.gold);
      },
    };
  },
});
