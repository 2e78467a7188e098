/**
 * EvidenceRecall and EvidenceRecall@k: the share of distinct gold documents among the evidence, or
 * among the first k of the ranking (evaluation.md 4.1, 4.2).
 */
import { type Member, member } from '../../naming/family.ts';
import type { Measure } from '../example.ts';
import { evidenceDocuments, goldDocuments } from '../gold-evidence.ts';
import { share } from '../proportions.ts';

const sharedOf = (gold: readonly string[], found: ReadonlySet<string>): number | undefined =>
  share(gold.filter(id => found.has(id)).length, gold.length);

export const evidenceRecall: Member<Measure> = member({
  name: 'EvidenceRecall',
  summary: 'Share of distinct gold documents that are in the evidence; answerable questions',
  paper: 'budgeted-agent paper',
  create: (_, canonical) => ({
    name: canonical,
    summary: 'Gold documents in the evidence',
    unit: 'share',
    score: (example, trace) => sharedOf(goldDocuments(example), evidenceDocuments(trace)),
  }),
});

export const evidenceRecallAt: Member<Measure> = member({
  name: 'EvidenceRecall@k',
  summary:
    "Share of distinct gold documents among the first k of the trace's ranking; answerable questions",
  paper: 'budgeted-agent paper',
  parameters: [
    {
      name: 'k',
      type: 'integer',
      default: 4,
      min: 1,
      shown: true,
      summary: 'cut-off, in documents',
    },
  ],
  create: (settings, canonical) => {
    const k = settings.k;
    return {
      name: canonical,
      summary: `Gold documents among the first ${k} of the ranking`,
      unit: 'share',
      score: (example, trace) =>
        sharedOf(goldDocuments(example), new Set(trace.ranking.slice(0, k))),
    };
  },
});
