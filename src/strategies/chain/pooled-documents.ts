/** Pools the documents that the searches of a run find, and remembers which search found each. */
import { distinctDocuments, type Hit } from '../../ranking/ranking.ts';
import type { Search, SearchRef } from '../../trace/trace.ts';
import { roundRobin } from './document-order.ts';

/** A document's hit, with the first search of documents that has it. */
export interface FoundDocument {
  readonly hit: Hit;
  readonly ref: SearchRef;
  readonly search: Search;
}

export class PooledDocuments {
  /** Documents of each search, best first. */
  private readonly lists: string[][] = [];
  private readonly found = new Map<string, FoundDocument>();

  /** Adds one list of hits, best first. */
  add(hits: readonly Hit[]): void {
    this.lists.push(distinctDocuments(hits));
  }

  /**
   * Returns all documents, round robin by rank. Clauses have no order: with `firstBefore`, the
   * documents of the first list, which the question finds, come before what they find.
   */
  order(firstBefore: boolean): string[] {
    const [first = [], ...others] = this.lists;
    return firstBefore ? [...new Set([...first, ...roundRobin(others)])] : roundRobin(this.lists);
  }

  /** Notes what the searches for documents of a hop found. */
  note(searches: readonly Search[], hop: number): void {
    for (const [at, search] of searches.entries())
      if (search.unit === 'document')
        for (const hit of search.hits)
          if (!this.found.has(hit.documentId))
            this.found.set(hit.documentId, { hit, search, ref: { hop, search: at } });
  }

  /** Returns the first search of documents that found one. */
  hitOf(id: string): FoundDocument | undefined {
    return this.found.get(id);
  }
}
