/**
 * GroundedRecall and GroundedEM: a gold document counts only if one of its gold facts stands in the
 * context.
 */
import type { Trace } from '../../core/trace/trace.ts';
import type { Example } from '../example.ts';
import { evidenceDocuments, goldDocuments, statedFacts } from '../gold-evidence.ts';
import { type MeasureMember, measureMember } from '../measure-member.ts';

/**
 * The share of distinct gold documents that are in the evidence and have a gold fact in the
 * context. Undefined without gold facts.
 */
function groundedShare(example: Example, trace: Trace): number | undefined {
  const facts = statedFacts(example, trace);
  if (facts.length === 0) return undefined;
  const stated = new Set(facts.filter(fact => fact.stated).map(fact => fact.documentId));
  const selected = evidenceDocuments(trace);
  const gold = goldDocuments(example);
  return gold.filter(id => selected.has(id) && stated.has(id)).length / gold.length;
}

export const groundedRecall: MeasureMember = measureMember({
  name: 'GroundedRecall',
  summary:
    'Share of distinct gold documents in the evidence with a gold fact that stands in the context',
  table: 'facts',
  printed: { answers: ['GroundedRecall'] },
  compared: { answers: ['GroundedRecall'] },
  score: groundedShare,
});

export const groundedEM: MeasureMember = measureMember({
  name: 'GroundedEM',
  summary:
    'Share of questions all of whose gold documents are in the evidence, each with a gold fact that stands in the context',
  table: 'facts',
  printed: { answers: ['GroundedEM'] },
  compared: { answers: ['GroundedEM'] },
  score(example, trace) {
    const grounded = groundedShare(example, trace);
    return grounded === undefined ? undefined : Number(grounded === 1);
  },
});
