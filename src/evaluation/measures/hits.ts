/** Hits@k: 1 if one of the first k passages holds a gold fact (MultiHop-RAG, arXiv 2401.15391). */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { rankedFacts } from '../ranked-passages.ts';

export const hitsAt: Member<Measure> = member({
  name: 'Hits@k',
  summary:
    'Share of questions with a gold fact in one of the first k passages (spaces and line feeds removed, case kept)',
  paper: 'MultiHop-RAG',
  parameters: [
    {
      name: 'k',
      type: 'integer',
      default: 4,
      min: 1,
      shown: true,
      summary: 'cut-off, in passages',
    },
  ],
  create: (settings, canonical) => {
    const k = settings.k;
    return {
      name: canonical,
      summary: `A gold fact stands in one of the first ${k} passages`,
      unit: 'share',
      score: (example, trace, records) => {
        const ranked = rankedFacts(example, trace, records, k);
        return ranked && Number(ranked.passages.some(passage => passage.facts.length > 0));
      },
    };
  },
});
