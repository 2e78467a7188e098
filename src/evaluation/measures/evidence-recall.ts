/** EvidenceRecall: the share of distinct gold documents among the evidence. */
import { evidenceDocuments, goldDocuments } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';
import { share } from '../proportions.ts';

export const evidenceRecall: MeasureMember = measureMember({
  name: 'EvidenceRecall',
  summary: 'Share of distinct gold documents that are in the evidence; answerable questions',
  paper: 'budgeted-agent paper',
  table: 'documents',
  printed: { answers: ['EvidenceRecall'], rankings: ['EvidenceRecall'] },
  compared: { answers: ['EvidenceRecall'] },
  score(example, trace) {
    const gold = goldDocuments(example);
    const found = evidenceDocuments(trace);
    return share(gold.filter(id => found.has(id)).length, gold.length);
  },
});
