/** Orders the evidence: documents by the searches that found them, sentences as they stand. */
import type { EvidenceItem } from '../../trace/trace.ts';

/** Takes the first of each list in turn, then the second of each, ..., each once. */
export function roundRobin(lists: readonly (readonly string[])[]): string[] {
  const order = new Set<string>();
  const deepest = lists.reduce((most, { length }) => Math.max(most, length), 0);
  for (let rank = 0; rank < deepest; rank++)
    for (const list of lists) if (rank < list.length) order.add(list[rank]!);
  return [...order];
}

/** Returns the ids of the evidence by the order of its documents, then by place in them. */
export function evidenceOrder(
  evidence: readonly EvidenceItem[],
  documents: readonly string[],
): string[] {
  const rank = new Map(documents.map((id, at) => [id, at]));
  const rankOf = ({ documentId }: EvidenceItem): number => rank.get(documentId) ?? rank.size;
  const first = new Map<string, number>();
  for (const [at, { documentId }] of evidence.entries())
    if (!first.has(documentId)) first.set(documentId, at);
  return [...evidence]
    .sort(
      (a, b) =>
        rankOf(a) - rankOf(b) ||
        first.get(a.documentId)! - first.get(b.documentId)! ||
        startOf(a) - startOf(b),
    )
    .map(({ id }) => id);
}

const startOf = ({ spans }: EvidenceItem): number => spans?.[0]?.[0] ?? 0;
