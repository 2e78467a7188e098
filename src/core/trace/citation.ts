/** Defines when a citation is valid. */
import type { Citation, Evidence } from './trace.ts';

/** Returns true if the citation points into a span of an item of the evidence. */
export function citesEvidence(
  { id, documentId, start, end }: Citation,
  evidence: readonly Evidence[],
): boolean {
  const item = evidence.find(each => each.id === id);
  return (
    item !== undefined &&
    item.documentId === documentId &&
    start < end &&
    item.spans.some(span => span[0] <= start && end <= span[1])
  );
}
