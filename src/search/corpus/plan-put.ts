/** Plans a put: compares a batch with the stored documents. */
import { type Document, idProblem } from '../../core/corpus/document.ts';
import { sameOutline } from '../../core/corpus/outline.ts';
import { InputError } from '../../core/errors.ts';
import type { Stored } from '../engine.ts';

export interface PlannedPut {
  /** New and changed documents. */
  readonly written: readonly Document[];
  /** Ids of changed documents. */
  readonly replaced: ReadonlySet<string>;
  readonly stored: Stored;
}

/**
 * Throws `InputError('duplicate-id')` for two documents of one id, `bad-document` for a new one
 * whose id names no document.
 */
export function planPut(
  documents: readonly Document[],
  find: (id: string) => Document | undefined,
): PlannedPut {
  const seen = new Set<string>();
  const written: Document[] = [];
  const replaced = new Set<string>();
  for (const document of documents) {
    const { id } = document;
    if (seen.has(id))
      throw new InputError('duplicate-id', `Two documents of one batch have the id "${id}"`);
    seen.add(id);
    const before = find(id);
    if (!before) checkId(id);
    if (before && sameDocument(before, document)) continue;
    written.push(document);
    if (before) replaced.add(id);
  }
  const counts = {
    added: written.length - replaced.size,
    changed: replaced.size,
    unchanged: documents.length - written.length,
    removed: 0,
  };
  return { written, replaced, stored: counts };
}

function checkId(id: string): void {
  const problem = idProblem(id);
  if (problem === undefined) return;
  throw new InputError('bad-document', 'The id of a document', {
    expected: problem,
    received: id.length > 80 ? `${id.length} characters: ${id.slice(0, 40)}...` : `"${id}"`,
  });
}

/** Compares title, text, outline and metadata, whatever the order of the metadata's keys. */
export function sameDocument(a: Document, b: Document): boolean {
  if (a.title !== b.title || a.text !== b.text || !sameOutline(a, b)) return false;
  const keys = Object.keys(a.metadata);
  if (keys.length !== Object.keys(b.metadata).length) return false;
  return keys.every(key => JSON.stringify(a.metadata[key]) === JSON.stringify(b.metadata[key]));
}
