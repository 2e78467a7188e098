/**
 * Precision@k: gold documents among the first k of the ranking, over k, as trec_eval's `P_k`
 * (https://github.com/usnistgov/trec_eval). Ranks that the ranking does not fill count as wrong.
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter, foundGold, orderParameter } from '../ranked-gold.ts';

export const precisionAt: MeasureMember = measureMember({
  name: 'Precision@k',
  summary: 'Gold documents among the first k of the ranking, over k, however short the ranking is',
  parameters: [cutOffParameter(5), orderParameter('ranking')],
  table: 'ranking',
  reads: 'ranking',
  printed: { rankings: ['Precision@5'] },
  score(example, trace, _records, settings) {
    const counted = foundGold(example, trace, { ...settings, unit: 'document' });
    return counted && counted.found / settings.k;
  },
});
