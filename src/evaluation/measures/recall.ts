/**
 * Recall@k and its alias EvidenceRecall@k: the share of gold among the first k of a ranking, as
 * trec_eval's `recall_k` (https://github.com/usnistgov/trec_eval).
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { share } from '../proportions.ts';
import {
  cutOffParameter,
  foundGold,
  type Order,
  orderParameter,
  rankedBy,
  unitParameter,
} from '../ranked-gold.ts';

function recall(
  about: Pick<MeasureMember, 'name' | 'summary' | 'paper' | 'printed' | 'compared'>,
  k: number,
  order: Order,
): MeasureMember {
  return measureMember({
    ...about,
    summary: `Share of distinct gold documents, or of gold facts, among the first k of the ranking; ${about.summary}`,
    parameters: [cutOffParameter(k, 'the unit'), unitParameter, orderParameter(order)],
    table: order === 'ranking' ? 'ranking' : 'cut-offs',
    by: rankedBy,
    score(example, trace, _records, settings) {
      const counted = foundGold(example, trace, settings);
      return counted && share(counted.found, counted.gold);
    },
  });
}

export const recallAt: MeasureMember = recall(
  {
    name: 'Recall@k',
    summary: 'evidence first, as the strategy hands it over',
    printed: { answers: ['Recall@5', 'Recall@10'], rankings: ['Recall@5', 'Recall@10'] },
    compared: { rankings: ['Recall@5', 'Recall@10'] },
  },
  10,
  'ranking',
);

export const evidenceRecallAt: MeasureMember = recall(
  {
    name: 'EvidenceRecall@k',
    summary: "Recall@k(order=diagnostic): the order of the strategy's paper where it defines one",
    paper: 'budgeted-agent paper',
    printed: { answers: [1, 2, 4, 6, 8].map(k => `EvidenceRecall@${k}`) },
  },
  4,
  'diagnostic',
);
