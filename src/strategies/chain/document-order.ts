/** Orders the evidence: documents by the searches that found them, sentences as they stand. */
import { inTurns } from '../../core/ranking/in-turns.ts';
import type { Hit } from '../../core/ranking/ranking.ts';
import { distinctDocuments } from '../../core/ranking/ranking.ts';
import type { EvidenceItem, Search, SearchRef } from '../../core/trace/trace.ts';

/** A hit of a document, or of a sentence of one, with its search. */
export interface FoundHit {
  readonly hit: Hit;
  readonly ref: SearchRef;
  readonly search: Search;
}

/**
 * Pools documents by rank: those of the question's own search, of each sub-question, and one rank
 * later those that share the rarest entities with seeds.
 */
export class DocumentPool {
  /** True if sub-questions have no order: what the question finds then comes before the rest. */
  questionFirst = false;
  /** True if the question is not split: no step leads from what it finds to what shares a name. */
  linkedLast = false;
  private question: readonly string[] | undefined;
  private readonly lists: string[][] = [];
  /** By document: the greatest weight of its edges to seeds. */
  private readonly links = new Map<string, number>();
  private readonly found = new Map<string, FoundHit>();

  /** Notes what a hop found; hits of documents stand for those of their sentences. */
  note(hop: number, searches: readonly Search[]): void {
    for (const [at, search] of searches.entries())
      for (const hit of search.hits) {
        const known = this.found.get(hit.documentId);
        if (!known || (search.unit === 'document' && known.search.unit !== 'document'))
          this.found.set(hit.documentId, { hit, search, ref: { hop, search: at } });
      }
  }

  addQuestion(hits: readonly Hit[]): void {
    this.question = distinctDocuments(hits);
  }

  /** Adds what a sub-question found, in order. */
  add(hits: readonly Hit[]): void {
    this.lists.push(distinctDocuments(hits));
  }

  link(weights: ReadonlyMap<string, number>): void {
    for (const [id, weight] of weights)
      this.links.set(id, Math.max(weight, this.links.get(id) ?? 0));
  }

  hitOf(documentId: string): FoundHit | undefined {
    return this.found.get(documentId);
  }

  /** Returns the documents in order, each once. */
  order(): string[] {
    const { question, lists } = this;
    const linked = [...this.links]
      .filter(([id]) => this.found.has(id))
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .map(([id]) => id);
    if (question && this.questionFirst)
      return [...new Set([...question, ...inTurns([...lists, linked], String)])];
    if (this.linkedLast) return [...new Set([...lists.flat(), ...(question ?? []), ...linked])];
    return inTurns([...(question ? [question] : []), ...lists, [undefined, ...linked]], String);
  }
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
