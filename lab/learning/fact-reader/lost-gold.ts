/**
 * Alters corpora. Questions become unanswerable as their gold documents are taken out, while every
 * source that they name stays; metadata is taken out.
 */
import { metadataText } from '../../../src/core/corpus/document.ts';
import type { DataSet, Example } from '../../../src/evaluation/example.ts';
import { goldDocuments, isNull } from '../../../src/evaluation/gold-evidence.ts';
import { INSUFFICIENT } from '../../../src/models/short-answer.ts';

/**
 * Returns a data set for each fold: the corpus without the gold documents of the fold's questions,
 * and those of its questions that lose all of theirs, as null questions under their own ids. A
 * question that would take the last document of a source keeps its gold.
 */
export function lostGold(dataSet: DataSet, fold: ArrayLike<number>, folds: number): DataSet[] {
  return Array.from({ length: folds }, (_, held): DataSet => {
    const withGold = dataSet.examples.filter(
      (example, index) => fold[index] === held && !isNull(example) && example.gold.length > 0,
    );
    const lost = lostDocuments(dataSet, withGold);
    return {
      ...dataSet,
      documents: dataSet.documents.filter(({ id }) => !lost.has(id)),
      examples: withGold
        .filter(example => goldDocuments(example).every(id => lost.has(id)))
        .map(example => ({ ...example, type: 'null', answers: [INSUFFICIENT], gold: [] })),
    };
  });
}

/** Returns the data set with documents that have no metadata: many corpora record none. */
export const withoutMetadata = (dataSet: DataSet): DataSet => ({
  ...dataSet,
  documents: dataSet.documents.map(document => ({ ...document, metadata: {} })),
});

function lostDocuments({ documents }: DataSet, examples: readonly Example[]): Set<string> {
  const sources = new Map(
    documents.map(({ id, metadata }) => [id, metadataText(metadata, 'source')]),
  );
  const left = new Map<string, number>();
  for (const source of sources.values()) left.set(source, (left.get(source) ?? 0) + 1);
  const lost = new Set<string>();
  for (const example of examples) {
    const more = [...new Set(goldDocuments(example))].filter(id => !lost.has(id));
    const bySource = Map.groupBy(more, id => sources.get(id) ?? '');
    const isLast = ([source, ids]: [string, string[]]): boolean =>
      source !== '' && (left.get(source) ?? 0) <= ids.length;
    if (more.some(id => !sources.has(id)) || [...bySource].some(isLast)) continue;
    for (const [source, ids] of bySource) left.set(source, (left.get(source) ?? 0) - ids.length);
    for (const id of more) lost.add(id);
  }
  return lost;
}
