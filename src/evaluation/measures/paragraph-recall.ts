/**
 * ParagraphRecall@k: gold paragraphs by id among the first k of the ranking, pooled over questions
 * (MuSiQue, where several paragraphs share a title; TreeHop, arXiv 2504.20114).
 */
import { goldDocuments } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { cutOffParameter } from '../ranked-gold.ts';

export const paragraphRecallAt: MeasureMember = measureMember({
  name: 'ParagraphRecall@k',
  summary:
    'Gold paragraphs (documents, by id) among the first k of the ranking, over all gold paragraphs of all questions (micro)',
  paper: 'TreeHop',
  parameters: [cutOffParameter(5)],
  score(example, trace, _records, { k }) {
    const gold = goldDocuments(example);
    if (gold.length === 0) return undefined;
    const found = new Set(trace.ranking.slice(0, k));
    return { numerator: gold.filter(id => found.has(id)).length, denominator: gold.length };
  },
});
