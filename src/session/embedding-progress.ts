/** Counts embedded texts: how many retrievers need, and how many models embed. */
import type { ResourceLookup } from '../core/port.ts';
import { freeCall } from '../core/trace/call.ts';
import type { Embedder } from '../models/embedder.ts';
import type { SearchRequest } from '../search/engine.ts';
import { retrievers } from '../search/retrievers.ts';
import type { Snapshot } from '../search/snapshot.ts';

/**
 * Passages, documents or sentences that the retrievers' embedders read before the first question,
 * each once for each space and unit.
 */
export async function textsToEmbed(
  engine: Snapshot,
  names: Iterable<string>,
  lookup: ResourceLookup,
): Promise<number> {
  const counts = new Map<string, number>();
  // A retriever knows best what it asks for: it asks an engine that only listens.
  const listening: Snapshot = Object.create(engine, {
    search: {
      value: async ({ unit, space, queries }: SearchRequest) => {
        if (space !== undefined) counts.set(`${unit} ${space}`, engine.itemsOf(unit).size);
        return queries.map(() => []);
      },
    },
  });
  for (const name of names)
    await retrievers
      .create(name)
      .bind(listening, lookup)
      .retrieve([{ text: '' }], 0, freeCall());
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** The same embedder, telling how many passages it embedded, after each call. */
export function countedEmbedder(embedder: Embedder, tell: (texts: number) => void): Embedder {
  const { id, dimensions } = embedder;
  return {
    id,
    dimensions,
    async embed(texts, as, call) {
      const vectors = await embedder.embed(texts, as, call);
      if (as === 'passage') tell(texts.length);
      return vectors;
    },
  };
}

export class ComputedTexts {
  private readonly listeners = new Set<(texts: number) => void>();

  /** Reports texts that a model embedded just now. */
  readonly add = (texts: number): void => {
    for (const listener of this.listeners) listener(texts);
  };

  /** Returns a function that ends the listening. */
  listen(listener: (texts: number) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }
}
