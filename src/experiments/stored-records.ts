/** Gives measures the stored texts of a data set. */
import { InputError } from '../core/errors.ts';
import type { DataSet, Records } from '../evaluation/example.ts';

/** The stored texts that measures may read. */
export function recordsOf(dataSet: DataSet): Records {
  const texts = new Map(dataSet.documents.map(({ id, text }) => [id, text]));
  const titles = new Map(dataSet.documents.map(({ id, title }) => [id, title]));
  const metadata = new Map(dataSet.documents.map(document => [document.id, document.metadata]));
  return {
    text(documentId) {
      const text = texts.get(documentId);
      if (text === undefined)
        throw new InputError(
          'unknown-id',
          `There is no document "${documentId}" in the corpus of "${dataSet.name}"`,
        );
      return text;
    },
    title: documentId => titles.get(documentId) ?? '',
    metadata: documentId => metadata.get(documentId),
  };
}
