/** Adds documents to a derived index batch by batch, so that a failure loses at most one batch. */
import type { Document } from '../../core/corpus/document.ts';
import type { Call } from '../../core/trace/call.ts';
import type { DerivedIndex, DerivedSource, Turn } from './derived-index.ts';

/** Returns a new index with the documents of one batch added. */
export type AddBatch<T> = (
  index: T,
  batch: readonly Document[],
  source: DerivedSource,
  call: Call,
  turn: Turn,
) => Promise<T>;

/**
 * Returns `add` of a derived index; `sizeOf` gives the documents of a batch by those to add. Keeps
 * each batch but the last, which is returned.
 */
export const addedInBatches =
  <T>(sizeOf: (added: number) => number, addBatch: AddBatch<T>): DerivedIndex<T>['add'] =>
  async (index, added, source, call, keep = () => {}, turn = async () => {}) => {
    const size = sizeOf(added.length);
    let next = index;
    for (let from = 0; from < added.length; from += size) {
      const batch = added.slice(from, from + size);
      next = await addBatch(next, batch, source, call, turn);
      if (from + size < added.length) keep(next, added.slice(0, from + size));
    }
    return next;
  };
