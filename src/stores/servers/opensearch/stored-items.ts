/** Reads hits and items from the answers of searches. */
import type { Passage } from '../../../core/corpus/document.ts';
import type { Hit } from '../../../core/ranking/ranking.ts';
import { originalText } from '../stored-text.ts';
import type { Body } from './client.ts';

export function hitOf({ fields, _score }: Body, scoreOf: (score: number) => number): Hit {
  const [id, documentId] = [originalText(fields.id[0]), originalText(fields.document[0])];
  return { id, documentId, start: fields.start[0], end: fields.end[0], score: scoreOf(_score) };
}

export const passageOf = ({ id, document, start, end, text }: Body): Passage => ({
  ...{ id: originalText(id), documentId: originalText(document), start, end },
  text: originalText(text),
});
