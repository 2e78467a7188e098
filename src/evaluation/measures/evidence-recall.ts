/** EvidenceRecall: the share of distinct gold documents among the evidence. */
import { type Member, member } from '../../core/naming/family.ts';
import type { Measure } from '../example.ts';
import { evidenceDocuments, goldDocuments } from '../gold-evidence.ts';
import { share } from '../proportions.ts';

export const evidenceRecall: Member<Measure> = member({
  name: 'EvidenceRecall',
  summary: 'Share of distinct gold documents that are in the evidence; answerable questions',
  paper: 'budgeted-agent paper',
  create: (_, canonical) => ({
    name: canonical,
    summary: 'Gold documents in the evidence',
    unit: 'share',
    score: (example, trace) => {
      const gold = goldDocuments(example);
      const found = evidenceDocuments(trace);
      return share(gold.filter(id => found.has(id)).length, gold.length);
    },
  }),
});
