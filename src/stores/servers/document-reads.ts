/**
 * Reads the documents of one snapshot with few requests: one that a search found is read together
 * with those that the search ranked after it, because a strategy prices its hits one by one.
 */
import type { Document } from '../../core/corpus/document.ts';
import type { Ranking } from '../../core/ranking/ranking.ts';
import type { Call } from '../../core/trace/call.ts';

/** Documents of one request, at most, unless more are asked for. */
export const AHEAD = 16;
/** Rankings whose order is kept: those of the newest searches. */
const RANKINGS = 1000;

/** Reads distinct documents, in the order of the ids. */
export type LoadDocuments = (ids: readonly string[], call: Call) => Promise<Document[]>;

export class DocumentReads {
  private readonly load: LoadDocuments;
  private readonly known = new Map<string, Document>();
  private rankings: (readonly string[])[] = [];

  constructor(load: LoadDocuments) {
    this.load = load;
  }

  /** Records what a search found. */
  found(rankings: readonly Ranking[]): void {
    const lists = rankings.map(ranking => [...new Set(ranking.map(hit => hit.documentId))]);
    this.rankings = [...this.rankings, ...lists].slice(-RANKINGS);
  }

  /** Returns documents in the order of the ids. */
  async read(ids: readonly string[], call: Call): Promise<Document[]> {
    const missing = [...new Set(ids)].filter(id => !this.known.has(id));
    if (missing.length > 0)
      for (const document of await this.load(this.withNext(missing), call))
        this.known.set(document.id, document);
    return ids.map(id => this.known.get(id)!);
  }

  /** Adds unread documents of the newest search that found one of the ids. */
  private withNext(missing: readonly string[]): string[] {
    const asked = new Set(missing);
    const [first] = missing;
    const ranking = this.rankings.findLast(list => list.includes(first!)) ?? [];
    for (const id of ranking.slice(ranking.indexOf(first!))) {
      if (asked.size >= AHEAD) break;
      if (!this.known.has(id)) asked.add(id);
    }
    return [...asked];
  }
}
