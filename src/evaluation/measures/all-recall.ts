/**
 * AllRecall@k: 1 if every gold document, or every gold fact, is among the first k of the ranking.
 * A question with more than k gold units cannot reach 1.
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import {
  cutOffParameter,
  foundGold,
  orderParameter,
  rankedBy,
  unitParameter,
} from '../ranked-gold.ts';

export const allRecallAt: MeasureMember = measureMember({
  name: 'AllRecall@k',
  summary:
    'Share of questions whose gold documents, or gold facts, are all among the first k of the ranking',
  parameters: [cutOffParameter(10, 'the unit'), unitParameter, orderParameter('ranking')],
  table: 'ranking',
  printed: { answers: ['AllRecall@10'], rankings: ['AllRecall@5', 'AllRecall@10'] },
  compared: { rankings: ['AllRecall@10'] },
  by: rankedBy,
  score(example, trace, _records, settings) {
    const counted = foundGold(example, trace, settings);
    return counted && Number(counted.found === counted.gold);
  },
});
