/** What a write would change, told from the documents that are there. */
import type { Document } from '../../corpus/document.ts';
import { InputError } from '../../errors.ts';
import type { Stored } from '../../retrieval/engine.ts';
import { planPut } from '../../retrieval/plan-put.ts';

export interface PlannedWrite {
  /** New and changed documents. */
  readonly put: readonly Document[];
  /** Ids whose stored version is no more. */
  readonly gone: ReadonlySet<string>;
  readonly stored: Stored;
}

/** Throws `InputError('duplicate-id')`. */
export function planDocuments(
  there: ReadonlyMap<string, Document>,
  documents: readonly Document[],
): PlannedWrite {
  const { written, replaced, stored } = planPut(documents, id => there.get(id));
  return { put: written, gone: replaced, stored };
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
