/** Computes the evidence after some hops: items kept and not withdrawn, in order. */
import type { EvidenceItem, Hop } from './trace.ts';

type Choice = Pick<Hop, 'kept' | 'withdrawn' | 'order' | 'scores'>;

/**
 * Returns the evidence after the last of `hops`, each item once, in the order of keeping or in the
 * last order that a hop gave it, with the last scores.
 */
export function keptInOrder(hops: readonly Choice[]): EvidenceItem[] {
  const items = new Map<string, EvidenceItem>();
  for (const { kept, withdrawn = [], order, scores = {} } of hops) {
    for (const { id } of withdrawn) items.delete(id);
    for (const item of kept) if (!items.has(item.id)) items.set(item.id, item);
    for (const [id, score] of Object.entries(scores)) {
      const item = items.get(id);
      if (item) items.set(id, { ...item, score });
    }
    if (order) reorder(items, order);
  }
  return [...items.values()];
}

/** Moves the named items to the front; others follow in their previous order. */
function reorder(items: Map<string, EvidenceItem>, order: readonly string[]): void {
  const first = order.flatMap(id => items.get(id) ?? []);
  const rest = [...items.values()].filter(({ id }) => !order.includes(id));
  items.clear();
  for (const item of [...first, ...rest]) items.set(item.id, item);
}
