/**
 * MRR@k: one over the rank of the first passage that holds a gold fact, 0 beyond k (MultiHop-RAG,
 * arXiv 2401.15391).
 */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter } from '../ranked-gold.ts';
import { rankedFacts } from '../ranked-passages.ts';

export const meanReciprocalRankAt: MeasureMember = measureMember({
  name: 'MRR@k',
  summary:
    'One over the rank of the first passage with a gold fact, 0 when none of the first k has one',
  paper: 'MultiHop-RAG',
  parameters: [cutOffParameter(10, 'passages')],
  printed: { answers: ['MRR@10'] },
  score(example, trace, records, { k }) {
    const ranked = rankedFacts(example, trace, records, k);
    if (!ranked) return undefined;
    const index = ranked.passages.findIndex(passage => passage.facts.length > 0);
    return index < 0 ? 0 : 1 / (index + 1);
  },
});
