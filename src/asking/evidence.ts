/** What was kept over all hops, as evidence: in the order of keeping, or in the last order that a hop gave it. */
import type { Document, Span } from '../corpus/document.ts';
import type { Evidence, Hop, Kept } from '../trace/trace.ts';

/** All kept items of a run, each once, in their final order. */
export function keptInOrder(hops: readonly Hop[]): Kept[] {
  let kept: Kept[] = [];
  const seen = new Set<string>();
  for (const hop of hops) {
    for (const item of hop.kept) {
      if (!seen.has(item.id)) kept.push(item);
      seen.add(item.id);
    }
    if (hop.order) kept = reordered(kept, hop.order);
  }
  return kept;
}

/** Items in the given order; those that the order does not name stay behind it as they were. */
function reordered(kept: readonly Kept[], order: readonly string[]): Kept[] {
  const rank = new Map(order.map((id, index) => [id, index]));
  const at = (item: Kept): number => rank.get(item.id) ?? order.length;
  return [...kept].sort((a, b) => at(a) - at(b));
}

/** Kept items with title, metadata and spans of their documents. A document that could not be read is named by its id alone. */
export function evidenceOf(kept: readonly Kept[], documents: ReadonlyMap<string, Document>): Evidence[] {
  return kept.map(item => {
    const document = documents.get(item.documentId) ?? { title: '', metadata: {}, text: '' };
    const spans: readonly Span[] = item.spans ?? [[0, document.text.length]];
    return { id: item.id, documentId: item.documentId, title: document.title, metadata: document.metadata, score: item.score, spans };
  });
}
