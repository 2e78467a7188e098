/**
 * NDCG@k: discounted gain of the first k of the ranking over that of the best ranking, with the
 * grade as gain and log2(1 + rank) as discount, as trec_eval's `ndcg_cut_k`
 * (https://github.com/usnistgov/trec_eval; Järvelin and Kekäläinen, TOIS 20(4), 2002, section 2).
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter, gradesOf, orderParameter, rankedDocuments } from '../ranked-gold.ts';

/** Adds up the gains by rank, each over log2(1 + rank). */
const discounted = (gains: readonly number[]): number =>
  gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);

export const ndcgAt: MeasureMember = measureMember({
  name: 'NDCG@k',
  summary:
    'Normalised discounted cumulative gain of the first k of the ranking; the gain is the grade of the document (1 where gold has none), the discount log2(1 + rank)',
  parameters: [cutOffParameter(10), orderParameter('ranking')],
  table: 'ranking',
  reads: 'ranking',
  printed: { answers: ['NDCG@10'], rankings: ['NDCG@10'] },
  compared: { rankings: ['NDCG@10'] },
  score(example, trace, _records, { k, order }) {
    const grades = gradesOf(example);
    const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, k);
    if (ideal.length === 0) return undefined;
    const gains = rankedDocuments(trace, order)
      .slice(0, k)
      .map(id => grades.get(id) ?? 0);
    return discounted(gains) / discounted(ideal);
  },
});
