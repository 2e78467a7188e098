/**
 * ReciprocalRank: one over the rank of the first gold document, 0 where none is ranked, as
 * trec_eval's `recip_rank` (https://github.com/usnistgov/trec_eval).
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { orderParameter, rankedDocuments } from '../ranked-gold.ts';

export const reciprocalRank: MeasureMember = measureMember({
  name: 'ReciprocalRank',
  summary:
    'One over the rank of the first gold document, without cut-off; its mean is the MRR. Plain, it reads the order of the paper of the strategy where there is one, as EvidenceRecall@k',
  paper: 'budgeted-agent paper',
  parameters: [{ ...orderParameter('diagnostic'), positional: true }],
  reads: 'ranking',
  printed: { answers: ['ReciprocalRank'], rankings: ['ReciprocalRank(ranking)'] },
  by: ({ order }) => ({ table: order === 'ranking' ? 'ranking' : 'cut-offs' }),
  score(example, trace, _records, { order }) {
    if (example.gold.length === 0) return undefined;
    const gold = new Set(example.gold.map(item => item.documentId));
    const index = rankedDocuments(trace, order).findIndex(id => gold.has(id));
    return index < 0 ? 0 : 1 / (index + 1);
  },
});
