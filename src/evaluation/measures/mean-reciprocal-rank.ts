/**
 * MRR@k: one over the rank of the first passage that holds a gold fact, 0 beyond k (MultiHop-RAG,
 * arXiv 2401.15391).
 */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { rankedFacts } from '../ranked-passages.ts';

export const meanReciprocalRankAt: Member<Measure> = member({
  name: 'MRR@k',
  summary:
    'One over the rank of the first passage with a gold fact, 0 when none of the first k has one',
  paper: 'MultiHop-RAG',
  parameters: [
    {
      name: 'k',
      type: 'integer',
      default: 10,
      min: 1,
      shown: true,
      summary: 'cut-off, in passages',
    },
  ],
  create: (settings, canonical) => {
    const k = settings.k;
    return {
      name: canonical,
      summary: `One over the rank of the first of ${k} passages with a gold fact`,
      unit: 'share',
      score: (example, trace, records) => {
        const ranked = rankedFacts(example, trace, records, k);
        if (!ranked) return undefined;
        const index = ranked.passages.findIndex(passage => passage.facts.length > 0);
        return index < 0 ? 0 : 1 / (index + 1);
      },
    };
  },
});
