/**
 * Computes features of a yes by the evidence alone: support of the clauses, and agreement,
 * direction and order of the paired facts. A question that asks for the opposite turns every sign,
 * so that no weight can stand for a word of the question.
 */
import { askedRelation } from './asked-relation.ts';
import type { Features } from './features.ts';
import { evidenceFeatures } from './verdict-features.ts';

/** Features of support that depend on the evidence. */
const OF_SUPPORT = /^(?:clause|support)\.(?!number$|unsourced$)(?!.*\.missing$)/;

export function claimFeatures(question: string, verdict: Features, answerable: Features): Features {
  const { sign } = askedRelation(question);
  const support = [...answerable].filter(([name]) => OF_SUPPORT.test(name));
  return new Map(
    [...evidenceFeatures(verdict), ...support].map(([name, value]) => [name, sign * value]),
  );
}
