/** What a write would change, told from the documents that are there. */
import type { Document } from '../../corpus/document.ts';
import { InputError } from '../../errors.ts';
import { sameDocument } from '../../retrieval/embedded-engine.ts';
import type { Stored } from '../../retrieval/engine.ts';

export interface PlannedWrite {
  /** New and changed documents. */
  readonly put: readonly Document[];
  /** Ids whose stored version is no more. */
  readonly gone: ReadonlySet<string>;
  readonly stored: Stored;
}

/**
 * As the embedded engine plans it, in time that the batch alone decides. Throws
 * `InputError('duplicate-id')`.
 */
export function planPut(
  there: ReadonlyMap<string, Document>,
  documents: readonly Document[],
): PlannedWrite {
  const seen = new Set<string>();
  const put: Document[] = [];
  const gone = new Set<string>();
  for (const document of documents) {
    const { id } = document;
    if (seen.has(id))
      throw new InputError('duplicate-id', `Two documents of one batch have the id "${id}"`);
    seen.add(id);
    const before = there.get(id);
    if (before && sameDocument(before, document)) continue;
    put.push(document);
    if (before) gone.add(id);
  }
  const counts = {
    added: put.length - gone.size,
    changed: gone.size,
    unchanged: documents.length - put.length,
    removed: 0,
  };
  return { put, gone, stored: counts };
}

/** Throws `InputError('unknown-id')`. */
export function planRemove(
  there: ReadonlyMap<string, Document>,
  ids: readonly string[],
): PlannedWrite {
  const gone = new Set(ids);
  for (const id of gone)
    if (!there.has(id)) throw new InputError('unknown-id', `There is no document "${id}"`);
  return { put: [], gone, stored: { added: 0, changed: 0, unchanged: 0, removed: gone.size } };
}
