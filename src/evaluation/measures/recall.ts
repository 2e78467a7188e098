/**
 * Recall@k and its alias EvidenceRecall@k: the share of gold among the first k of a ranking, as
 * trec_eval's `recall_k` (https://github.com/usnistgov/trec_eval).
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { share } from '../proportions.ts';
import {
  cutOffParameter,
  foundGold,
  type Order,
  orderParameter,
  rankSettings,
  unitParameter,
} from '../ranked-gold.ts';

function recallMember(name: string, k: number, order: Order, note: string): Member<Measure> {
  return member({
    name,
    summary: `Share of distinct gold documents, or of gold facts, among the first k of the ranking; ${note}`,
    parameters: [cutOffParameter(k, 'the unit'), unitParameter, orderParameter(order)],
    create: (settings, canonical) => {
      const chosen = rankSettings(settings, canonical);
      const what = chosen.unit === 'passage' ? 'facts' : 'documents';
      return {
        name: canonical,
        summary: `Gold ${what} among the first ${chosen.k} of the ${chosen.order}`,
        unit: 'share',
        score: (example, trace) => {
          const counted = foundGold(example, trace, chosen);
          return counted && share(counted.found, counted.gold);
        },
      };
    },
  });
}

export const recallAt: Member<Measure> = recallMember(
  'Recall@k',
  10,
  'ranking',
  'evidence first, as the strategy hands it over',
);

export const evidenceRecallAt: Member<Measure> = {
  ...recallMember(
    'EvidenceRecall@k',
    4,
    'diagnostic',
    "Recall@k(order=diagnostic): the order of the strategy's paper where it defines one",
  ),
  paper: 'budgeted-agent paper',
};
