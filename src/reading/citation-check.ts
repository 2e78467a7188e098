/** The citation check: a citation stands only if it points into the evidence of this very trace. */
import type { Citation, Evidence } from '../trace/trace.ts';

/** The citations that point to an item of the evidence and into one of its spans. */
export function checkedCitations(citations: readonly Citation[], evidence: readonly Evidence[]): Citation[] {
  const byId = new Map(evidence.map(item => [item.id, item]));
  return citations.filter(({ id, documentId, start, end }) => {
    const item = byId.get(id);
    return (
      item !== undefined && item.documentId === documentId && start < end && item.spans.some(span => span[0] <= start && end <= span[1])
    );
  });
}
