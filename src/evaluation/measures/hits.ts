/** Hits@k: 1 if one of the first k passages holds a gold fact (MultiHop-RAG, arXiv 2401.15391). */
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter } from '../ranked-gold.ts';
import { rankedFacts } from '../ranked-passages.ts';

export const hitsAt: MeasureMember = measureMember({
  name: 'Hits@k',
  summary:
    'Share of questions with a gold fact in one of the first k passages (spaces and line feeds removed, case kept)',
  paper: 'MultiHop-RAG',
  parameters: [cutOffParameter(4, 'passages')],
  printed: { answers: ['Hits@4', 'Hits@10'] },
  score(example, trace, records, { k }) {
    const ranked = rankedFacts(example, trace, records, k);
    return ranked && Number(ranked.passages.some(passage => passage.facts.length > 0));
  },
});
