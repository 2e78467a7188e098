/**
 * The ids that an engine holds, which show whether a document is new without a look into every
 * segment.
 */
import type { Document } from '../../core/corpus/document.ts';
import type { SegmentedCorpus } from './segmented-corpus.ts';

/** Ids are collected once as many documents were looked up as one in this many. */
const COLLECT_AT = 8;

/** Unused until it pays: a single put onto a large corpus looks into its segments instead. */
export class WrittenIds {
  private ids: Set<string> | undefined;
  private lookedUp = 0;

  /** Announces that so many documents are about to be looked up. */
  expect(documents: number, corpus: SegmentedCorpus): void {
    this.lookedUp += documents;
    if (!this.ids && this.lookedUp * COLLECT_AT >= corpus.size)
      this.ids = new Set(
        corpus.segments.flatMap(segment => segment.documents().map(({ id }) => id)),
      );
  }

  add(documents: readonly Document[]): void {
    for (const { id } of documents) this.ids?.add(id);
  }

  remove(ids: Iterable<string>): void {
    for (const id of ids) this.ids?.delete(id);
  }

  /** Returns false only for ids that the engine does not hold. */
  mayHave(id: string): boolean {
    return this.ids?.has(id) ?? true;
  }
}
