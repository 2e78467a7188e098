/** Plans a write: compares it with the stored documents. */
import type { Document } from '../../core/corpus/document.ts';
import { InputError } from '../../core/errors.ts';
import { planPut } from '../../search/corpus/plan-put.ts';
import type { Stored } from '../../search/engine.ts';

export interface PlannedWrite {
  /** New and changed documents. */
  readonly put: readonly Document[];
  /** Ids of documents that are removed or replaced. */
  readonly gone: ReadonlySet<string>;
  readonly stored: Stored;
}

/** Plans to put documents. Throws `InputError('duplicate-id')`. */
export function planDocuments(
  documentsById: ReadonlyMap<string, Document>,
  documents: readonly Document[],
): PlannedWrite {
  const { written, replaced, stored } = planPut(documents, id => documentsById.get(id));
  return { put: written, gone: replaced, stored };
}

/** Plans to remove documents. Throws `InputError('unknown-id')`. */
export function planRemove(
  documentsById: ReadonlyMap<string, Document>,
  ids: readonly string[],
): PlannedWrite {
  const gone = new Set(ids);
  for (const id of gone)
    if (!documentsById.has(id)) throw new InputError('unknown-id', `Unknown document "${id}"`);
  return { put: [], gone, stored: { added: 0, changed: 0, unchanged: 0, removed: gone.size } };
}
