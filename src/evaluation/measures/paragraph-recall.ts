/**
 * ParagraphRecall@k: gold paragraphs by id among the first k of the ranking, pooled over questions
 * (MuSiQue, where several paragraphs share a title; TreeHop, arXiv 2504.20114).
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { goldDocuments } from '../gold-evidence.ts';

export const paragraphRecallAt: Member<Measure> = member({
  name: 'ParagraphRecall@k',
  summary:
    'Gold paragraphs (documents, by id) among the first k of the ranking, over all gold paragraphs of all questions (micro)',
  paper: 'TreeHop',
  parameters: [
    {
      name: 'k',
      type: 'integer',
      default: 5,
      min: 1,
      shown: true,
      summary: 'cut-off, in documents',
    },
  ],
  create: (settings, canonical) => {
    const k = settings.k;
    return {
      name: canonical,
      summary: `Gold paragraphs among the first ${k} of the ranking (micro)`,
      unit: 'share',
      score: (example, trace) => {
        const gold = goldDocuments(example);
        if (gold.length === 0) return undefined;
        const found = new Set(trace.ranking.slice(0, k));
        return { numerator: gold.filter(id => found.has(id)).length, denominator: gold.length };
      },
    };
  },
});
