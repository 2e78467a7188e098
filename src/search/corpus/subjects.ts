/** Names the subjects of items, for indexes of many items in the order of their documents. */
import type { Document } from '../../core/corpus/document.ts';
import { blockAt, subjectAt } from '../../core/corpus/outline.ts';

/**
 * Returns `subjectAt` with a memory of one: consecutive items mostly stand under one heading, and
 * then share one string instead of holding an equal one each.
 */
export function subjectsInOrder(): typeof subjectAt {
  let last: { readonly document: unknown; readonly heading: unknown } | undefined;
  let subject = '';
  return (document: Pick<Document, 'id' | 'outline' | 'title'>, offset) => {
    const heading = blockAt(document, offset)?.heading;
    if (last?.document !== document || last.heading !== heading) {
      last = { document, heading };
      subject = subjectAt(document, offset);
    }
    return subject;
  };
}
