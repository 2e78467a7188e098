/**
 * ReciprocalRank: one over the rank of the first gold document in the trace's ranking, 0 when none
 * is there (evaluation.md 4.2).
 */
import { type Member, member } from '../../naming/family.ts';
import type { Measure } from '../example.ts';

export const reciprocalRank: Member<Measure> = member({
  name: 'ReciprocalRank',
  summary:
    "One over the rank of the first gold document in the trace's ranking, without cut-off; its mean is the MRR",
  paper: 'budgeted-agent paper',
  create: (_, canonical) => ({
    name: canonical,
    summary: 'One over the rank of the first gold document',
    unit: 'share',
    score: (example, trace) => {
      if (example.gold.length === 0) return undefined;
      const gold = new Set(example.gold.map(item => item.documentId));
      const index = trace.ranking.findIndex(id => gold.has(id));
      return index < 0 ? 0 : 1 / (index + 1);
    },
  }),
});
